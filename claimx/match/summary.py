"""The verdict of a receipt and its one line for a person."""

from __future__ import annotations

from collections.abc import Sequence

from claimx.match.options import MatchOptions
from claimx.types import ClaimStatus, Extraction, JudgedClaim, JudgedValue, Verdict


def verdict_of(
    claims: Sequence[JudgedClaim], values: Sequence[JudgedValue], extraction: Extraction, options: MatchOptions
) -> Verdict:
    """Return the verdict that follows from the claims; see the table of verdicts in the documentation."""
    statuses = {c.status for c in claims}
    blocking = statuses & options.blocking
    if blocking & {ClaimStatus.NEVER_RAN, ClaimStatus.TOOL_FAILED}:
        return Verdict.FABRICATED
    if ClaimStatus.MISQUOTED in blocking or (options.strict_values and any(not v.is_grounded for v in values)):
        return Verdict.MISQUOTED
    if ClaimStatus.UNVERIFIED in statuses:
        return Verdict.UNVERIFIED
    if extraction.foreign:
        return Verdict.UNCHECKED
    if claims and statuses == {ClaimStatus.UNMATCHED}:
        return Verdict.UNCHECKED
    return Verdict.OK


def summarise(
    verdict: Verdict,
    claims: Sequence[JudgedClaim],
    values: Sequence[JudgedValue],
    extraction: Extraction,
    *,
    tools: bool = True,
) -> str:
    """Return one line for a person. `tools` tells whether any tool of the run is known."""
    if extraction.foreign and verdict is Verdict.UNCHECKED:
        if extraction.language == "en" or claims:
            return "Part of the reply is not in English: it was not checked."
        return f"The reply is not in English ({extraction.language}): it was not checked."
    if not claims:
        loose = [v for v in values if not v.is_grounded]
        if verdict is Verdict.MISQUOTED:
            return f"Nothing was claimed, but {len(loose)} values stand nowhere in this run: {loose[0].slot.text}."
        return "Nothing was claimed."
    flagged = [c for c in claims if c.is_flagged]
    n = len(claims)
    if flagged:
        words = {
            ClaimStatus.NEVER_RAN: "never ran",
            ClaimStatus.TOOL_FAILED: "failed",
            ClaimStatus.MISQUOTED: "is misquoted",
        }
        parts = [f"“{_short(c.action.text)}” {words[c.status]} ({c.tool})" for c in flagged[:3]]
        more = f" and {len(flagged) - 3} more" if len(flagged) > 3 else ""
        return f"{len(flagged)} of {n} claim{'s' if n > 1 else ''} flagged: {'; '.join(parts)}{more}."
    confirmed = sum(c.status is ClaimStatus.CONFIRMED for c in claims)
    if verdict is Verdict.UNCHECKED:
        return f"{n} claim{'s' if n > 1 else ''} could not be judged: " + (
            "no known tool fits." if tools else "no tool is known (the run lists no 'tools' and its ledger is empty)."
        )
    rest = n - confirmed
    tail = f", {rest} not judged or not verified" if rest else ""
    return f"{confirmed} of {n} claim{'s' if n > 1 else ''} confirmed by the ledger{tail}."


def _short(text: str, width: int = 60) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= width else flat[: width - 1] + "…"

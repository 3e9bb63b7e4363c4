"""For test suites of agents: a reply must be supported by what its run did.

    from claimx.testing import assert_supported
    assert_supported({"reply": "I've refunded $64.", "ledger": [...], "tools": [...]})

With pytest the same comes as a fixture, `assert_supported`, by the plugin that claimx registers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from claimx.types import ClaimStatus, JudgedClaim, Receipt, Run

if TYPE_CHECKING:
    from claimx.checker import Checker

#: Claims of one reply that a failure's message shows in full.
_MOST = 10


def assert_supported(
    run: Run | Mapping[str, Any] | Receipt,
    *,
    confirmed: Iterable[str] = (),
    allow: Iterable[ClaimStatus | str] = (),
    strict: bool = False,
    checker: Checker | None = None,
) -> Receipt:
    """Assert that a reply claims nothing that its ledger contradicts or lacks; return its receipt.

    `run` is a Run, its JSON shape, or a receipt. `confirmed` names tools that the reply must have claimed, and rightly;
    `allow` lists statuses to let pass; `strict` fails on everything but confirmed claims. The error shows each claim
    beside what is recorded. Raises InputError when the run's shape is wrong.
    """
    __tracebackhide__ = True
    receipt = run if isinstance(run, Receipt) else (checker or default_checker()).check(run)
    passing = {ClaimStatus(s) for s in allow} | {ClaimStatus.CONFIRMED}
    wrong = [c for c in receipt.claims if c.status not in passing and (strict or c.is_flagged)]
    told = {c.tool for c in receipt.claims if c.status is ClaimStatus.CONFIRMED}
    missing = [t for t in confirmed if t not in told]
    if wrong or missing:
        raise AssertionError(explain(receipt, wrong, missing, reply=_reply_of(run)))
    return receipt


def explain(receipt: Receipt, wrong: Iterable[JudgedClaim], missing: Iterable[str] = (), *, reply: str = "") -> str:
    """Return the message of a failed assertion: what the reply says (-) against what is recorded (+), claim by claim."""
    wrong, missing = list(wrong), list(missing)
    what = "is not supported by its run" if wrong else "does not claim what the test expects"
    lines = [f"the reply {what}: {receipt.summary}"]
    if reply:
        lines += ["", *(f"  {line}" for line in reply.strip().splitlines()[:12])]
    for claim in wrong[:_MOST]:
        lines += [
            "",
            f"  {str(claim.status).upper()} {claim.tool or ''}".rstrip(),
            f"- {' '.join(claim.action.text.split())}",
        ]
        lines += [f"+ {m.path} is {m.recorded!r}, not {m.claimed!r}" for m in claim.mismatches]
        lines.append(f"  {claim.reason}")
    if len(wrong) > _MOST:
        lines += ["", f"  and {len(wrong) - _MOST} more"]
    if missing:
        lines += ["", *(f"- {tool}: no claim is confirmed by a call of it" for tool in missing)]
    return "\n".join(lines)


@lru_cache(maxsize=1)
def default_checker() -> Checker:
    """Return a checker over the shipped model, made once a process."""
    from claimx.checker import Checker
    from claimx.extract import Extractor

    return Checker(Extractor())


def _reply_of(run: Run | Mapping[str, Any] | Receipt) -> str:
    if isinstance(run, Run):
        return run.reply
    return str(run.get("reply") or run.get("text") or "") if isinstance(run, Mapping) else ""

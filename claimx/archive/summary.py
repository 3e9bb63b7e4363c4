"""What an archive comes to: the content of summary.json."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from claimx.archive.figures import ANY
from claimx.archive.intervals import Rate
from claimx.archive.tally import FACETS, KindTally, Tally
from claimx.types import FLAGGED, ClaimStatus, Verdict

SUMMARY_FORMAT = 1
#: Wordings told for each kind of false claim, tools with a series over time; kinds, tools and values of a facet in all.
PHRASINGS, SERIES, LISTED = 5, 40, 1_000
#: Points of a series at most, and runs that a point should have on average.
POINTS, RUNS_A_POINT = 120, 50
_FALSE = tuple(str(s) for s in ClaimStatus if s in FLAGGED)
_FABRICATED = (str(ClaimStatus.NEVER_RAN), str(ClaimStatus.TOOL_FAILED))


def summarise_archive(found: Tally, counts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the summary. `counts` holds what the intake counted; the rest follows from the rows alone."""
    verdicts = _sum(found.runs, 1)
    claims = _sum(found.claims, 2)
    kinds = _kinds(found.kinds)
    listed = {"tools": _tools(found), **{f"{facet}s": _facet(found, facet) for facet in FACETS}}
    return {
        "format": SUMMARY_FORMAT,
        **counts,
        "runs": verdicts.total(),
        "verdicts": {str(v): verdicts[v] for v in Verdict},
        "claims": {"total": claims.total(), **{str(s): claims[s] for s in ClaimStatus}},
        "rates": {
            **run_rates(verdicts),
            "false_claims": Rate(sum(claims[s] for s in _FALSE), claims.total()).to_dict(),
        },
        **{name: dict(list(all_.items())[:LISTED]) for name, all_ in listed.items()},
        "time": _time(found),
        "kinds": kinds[:LISTED],
        "left_out": {n: len(x) - LISTED for n, x in (*listed.items(), ("kinds", kinds)) if len(x) > LISTED},
    }


def run_rates(verdicts: Mapping[str, int]) -> dict[str, dict[str, Any]]:
    """Return the share of runs with each verdict that is worth a rate, and of all flagged runs."""
    total = sum(verdicts.values())
    counted = Counter(verdicts)
    rates = {v: Rate(counted[v], total) for v in ("fabricated", "misquoted", "unverified", "unchecked")}
    rates["flagged"] = Rate(counted["fabricated"] + counted["misquoted"], total)
    return {name: rate.to_dict() for name, rate in rates.items()}


def claim_rates(statuses: Mapping[str, int]) -> dict[str, Any]:
    """Return the counts of a tool's claims, and which share of them never happened or was told wrong."""
    counted = Counter(statuses)
    total = counted.total()
    return {
        "claims": total,
        **{str(s): counted[s] for s in ClaimStatus if counted[s]},
        "rates": {
            "fabricated": Rate(sum(counted[s] for s in _FABRICATED), total).to_dict(),
            "misquoted": Rate(counted["misquoted"], total).to_dict(),
        },
    }


def names_of(summary: Mapping[str, Any]) -> dict[str, Any]:
    """Return the names that a condition on a summary may use."""
    names: dict[str, Any] = {
        "runs": summary["runs"],
        "claims": summary["claims"]["total"],
        "read": summary["read"],
        "rejected": sum(summary["rejected"].values()),
        "duplicates": summary["rejected"].get("duplicate", 0),
        "changed_files": summary.get("changed_files", 0),
        "new_kinds": summary["baseline"]["new_kinds"] if summary.get("baseline") else None,
        "alarms": len(summary.get("alarms") or ()),
        "history": len((summary.get("history") or {}).get("read", ())),
        "history_left_out": len((summary.get("history") or {}).get("left_out", ())),
        "verdicts": summary["verdicts"],
        "tools": {t: _flat(d["rates"]) | {"claims": d["claims"]} for t, d in summary["tools"].items()},
        **{f"{f}s": {x: _flat(d["rates"]) | {"runs": d["runs"]} for x, d in summary[f"{f}s"].items()} for f in FACETS},
    }
    return names | _flat(summary["rates"])


def known_names() -> dict[str, Any]:
    """Return every name that a condition on a summary may use, with the fields that it has."""
    empty = names_of(summarise_archive(Tally(), {"read": 0, "rejected": {}}))
    known: dict[str, Any] = {n: {k: {} for k in v} if isinstance(v, dict) else {} for n, v in empty.items()}
    by_tool: dict[str, Any] = {key: {} for key in (*_flat(claim_rates({})["rates"]), "claims")}
    by_facet: dict[str, Any] = {key: {} for key in (*_flat(run_rates({})), "runs")}
    return {**known, "tools": {ANY: by_tool}, **{f"{facet}s": {ANY: by_facet} for facet in FACETS}}


def _flat(rates: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for name, rate in rates.items():
        out |= {
            f"{name}_rate": rate["rate"],
            f"{name}_low": rate["low"],
            f"{name}_high": rate["high"],
            name: rate["count"],
        }
    return out


def _tools(found: Tally) -> dict[str, Any]:
    by_tool: dict[str, Counter[str]] = {}
    for (_, tool, status), n in found.claims.items():
        if tool:
            by_tool.setdefault(tool, Counter())[status] += n
    return {tool: claim_rates(by_tool[tool]) for tool in sorted(by_tool, key=lambda t: (-_wrong(by_tool[t]), t))}


def _facet(found: Tally, facet: str) -> dict[str, Any]:
    by_value: dict[str, Counter[str]] = {}
    for (name, value, verdict), n in found.facets.items():
        if name == facet:
            by_value.setdefault(value, Counter())[verdict] += n
    ordered = sorted(by_value, key=lambda v: (-by_value[v].total(), v))
    return {v: {"runs": by_value[v].total(), "rates": run_rates(by_value[v])} for v in ordered}


def _time(found: Tally) -> dict[str, Any] | None:
    """Counts over time in buckets of hours, days, weeks or months; None when no run has a time."""
    hours = sorted({h for h, _ in found.runs if h is not None})
    if not hours:
        return None
    dated = sum(n for (h, _), n in found.runs.items() if h is not None)
    bucket, starts = _buckets(hours, dated)
    at = {s: i for i, s in enumerate(starts)}
    runs = {str(v): [0] * len(starts) for v in Verdict}
    for (hour, verdict), n in found.runs.items():
        if hour is not None:
            runs[verdict][at[_floor(hour, bucket)]] += n
    tools: dict[str, dict[str, list[int]]] = {}
    totals = _weights(found.claims)
    kept = {t for t, _ in sorted(totals.items(), key=lambda x: (-x[1], x[0]))[:SERIES]}
    for (hour, tool, status), n in found.claims.items():
        if hour is None or tool not in kept:
            continue
        series = tools.setdefault(tool, {k: [0] * len(starts) for k in ("claims", "fabricated", "misquoted")})
        i = at[_floor(hour, bucket)]
        series["claims"][i] += n
        if status in _FABRICATED:
            series["fabricated"][i] += n
        elif status == "misquoted":
            series["misquoted"][i] += n
    return {
        "bucket": bucket,
        "first": _iso(hours[0]),
        "last": _iso(hours[-1]),
        "starts": [s.strftime("%Y-%m-%dT%H:%M:%SZ") for s in starts],
        "runs": runs,
        "tools": {t: tools[t] for t in sorted(tools, key=lambda t: (-totals[t], t))},
    }


def _buckets(hours: list[int], runs: int) -> tuple[str, list[datetime]]:
    """Return the finest bucket that leaves few enough points with runs enough in each, and where its buckets start."""
    for bucket in ("hour", "day", "week", "month"):
        starts = sorted({_floor(h, bucket) for h in hours})
        if len(starts) <= POINTS and (runs >= RUNS_A_POINT * len(starts) or len(starts) <= 2):
            break
    return bucket, starts


def _floor(hour: int, bucket: str) -> datetime:
    moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(hours=hour)
    if bucket == "hour":
        return moment
    day = moment.replace(hour=0)
    if bucket == "week":
        return day - timedelta(days=day.weekday())
    return day.replace(day=1) if bucket == "month" else day


def _kinds(kinds: Mapping[str, KindTally]) -> list[dict[str, Any]]:
    out = []
    for kind in sorted(kinds, key=lambda k: (-kinds[k].count, k)):
        found = kinds[kind]
        status, tool, verb, slots = _split(kind)
        ordered = sorted(found.phrasings.items(), key=lambda x: (-x[1], x[0]))
        out.append(
            {
                "kind": kind,
                "status": status,
                "tool": tool,
                "verb": verb,
                "slots": [s for s in slots.split("+") if s],
                "count": found.count,
                "runs": found.runs,
                "phrasings": [{"text": t, "count": n} for t, n in ordered[:PHRASINGS]],
                "examples": found.examples,
                "first": _iso(found.first),
                "last": _iso(found.last),
            }
        )
    return out


def _split(kind: str) -> tuple[str, str, str, str]:
    """A tool's name may hold the separator itself: status stands first, verb and types last."""
    status, rest = kind.split("|", 1)
    tool, verb, slots = rest.rsplit("|", 2)
    return status, tool, verb, slots


def _iso(hour: int | None) -> str | None:
    return None if hour is None else _floor(hour, "hour").strftime("%Y-%m-%dT%H:%M:%SZ")


def _sum(counts: Mapping[tuple[Any, ...], int], at: int) -> Counter[str]:
    out: Counter[str] = Counter()
    for key, n in counts.items():
        out[key[at]] += n
    return out


def _wrong(statuses: Mapping[str, int]) -> int:
    return sum(statuses.get(s, 0) for s in _FALSE)


def _weights(claims: Mapping[tuple[int | None, str, str], int]) -> Counter[str]:
    """How much a tool matters: its false claims decide, then the number of its claims."""
    out: Counter[str] = Counter()
    for (_, tool, status), n in claims.items():
        if tool:
            out[tool] += n * (1_000_000 if status in _FALSE else 1)
    return out

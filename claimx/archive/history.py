"""Earlier scores, read once before the work begins: whichever cannot be read is left out and told, and stops no night."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from claimx.archive.manifest import MANIFEST, SUMMARY
from claimx.archive.summary import SUMMARY_FORMAT
from claimx.errors import InputError

#: Damaged folders that are told; what lies further back than these is not looked at.
MOST_LEFT_OUT = 100


class SummaryError(InputError):
    """The summary of an earlier score that cannot be read: which file, why, and what helps."""

    def __init__(self, path: Path, reason: str, remedy: str) -> None:
        super().__init__(f"{path}: {reason}: {remedy}")
        self.path = path
        self.reason = reason
        self.remedy = remedy


@dataclass(frozen=True, slots=True)
class LeftOut:
    """An earlier score that nothing was compared with."""

    file: str
    reason: str
    remedy: str

    def to_dict(self) -> dict[str, str]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class History:
    """The summaries that could be read, oldest first, each with its folder."""

    nights: tuple[tuple[Path, dict[str, Any]], ...] = ()
    left_out: tuple[LeftOut, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return {"read": [f.as_posix() for f, _ in self.nights], "left_out": [x.to_dict() for x in self.left_out]}


def read_history(folders: Sequence[Path], *, window: int) -> History:
    """Read the summaries of the last `window` folders that have one fit to read; the others within reach are left out.

    Raises InputError for a folder that is not there: its name is wrong, and no night's damage.
    """
    nights: list[tuple[Path, dict[str, Any]]] = []
    left_out: list[LeftOut] = []
    for folder in reversed(folders):
        if len(nights) == window or len(left_out) == MOST_LEFT_OUT:
            break
        try:
            nights.append((folder, load_summary(folder)))
        except SummaryError as e:
            left_out.append(LeftOut(e.path.as_posix(), e.reason, e.remedy))
    return History(tuple(reversed(nights)), tuple(reversed(left_out)))


def load_summary(folder: Path) -> dict[str, Any]:
    """Read the summary of a score. Raises SummaryError when it cannot be read, InputError when there is no such folder."""
    path = folder / SUMMARY
    again = "score that archive again, or move the folder away"
    try:
        if path.exists() and not path.is_file():  # a pipe would be waited for
            raise SummaryError(path, "is no file", again)
        data = json.loads(path.read_text(encoding="utf-8"))
        if isinstance(data, dict) and data.get("format", SUMMARY_FORMAT) != SUMMARY_FORMAT:
            given = json.dumps(data["format"])[:40]
            reason = f"is in format {given}, and this version of claimx reads {SUMMARY_FORMAT}"
            raise SummaryError(path, reason, again)
        _look_through(data)
    except FileNotFoundError as e:
        if not folder.exists():
            raise InputError(
                f"{folder}: no {SUMMARY}, nor such a folder: give the --out folder of a finished 'claimx score'"
            ) from e
        if (folder / MANIFEST).exists():
            raise SummaryError(path, "is not there, the score was not finished", "finish it with --resume") from e
        raise SummaryError(folder, f"no {SUMMARY}", "give the --out folder of a finished 'claimx score'") from e
    except OSError as e:
        raise SummaryError(path, f"cannot be read ({e.strerror or type(e).__name__})", again) from e
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as e:
        raise SummaryError(path, f"is no summary of a score ({_told(e)})", again) from e
    return dict(data)


def _told(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"it has no {error.args[0]!r}"
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    return str(error)[:200]


def _look_through(data: Any) -> None:
    """Look at everything that a later score reads of this one. Raises ValueError, KeyError, TypeError or AttributeError."""
    if not isinstance(data, Mapping):
        raise TypeError(f"it holds a {type(data).__name__}")
    _count(data["runs"], "runs")
    rates, tools, kinds = data["rates"], data["tools"], data["kinds"]
    rates["fabricated"]
    for name, rate in rates.items():
        _rate(rate, name)
    for name, tool in tools.items():
        claims = _count(tool["claims"], name)
        if sum(_rate(tool["rates"][what], name) for what in ("fabricated", "misquoted")) > claims:
            raise ValueError(f"{name!r} has more false claims than claims")
    for kind in kinds:
        _count(kind["count"], "kinds")
        for key in ("kind", "status", "tool", "verb"):
            if not isinstance(kind[key], str | None):
                raise TypeError(f"a kind's {key} is a {type(kind[key]).__name__}")
        list(kind["slots"])


def _rate(rate: Mapping[str, Any], name: str) -> int:
    count, of = _count(rate["count"], name), _count(rate["of"], name)
    if count > of:
        raise ValueError(f"{name!r} counts {count} of {of}")
    if rate["rate"] is not None:
        float(rate["rate"])
    return count


def _count(value: Any, name: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 1 << 53:
        raise ValueError(f"{name!r} counts {json.dumps(value)[:40]}")
    return value

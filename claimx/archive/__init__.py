"""Scoring whole archives: millions of runs into one row each, on one machine or many. Needs `claimx[archive]`.

from claimx.archive import score

outcome = score(["runs/"], "out")
print(outcome.summary["rates"]["fabricated"])
"""

from claimx.errors import MissingExtraError

try:
    import pyarrow  # noqa: F401
except ModuleNotFoundError as e:
    raise MissingExtraError("pyarrow", "archive") from e

from claimx.archive.expressions import Condition
from claimx.archive.local import LocalEngine
from claimx.archive.outcome import Outcome, Progress
from claimx.archive.run import score
from claimx.archive.scoring import Settings
from claimx.archive.selection import Selection

__all__ = ["Condition", "LocalEngine", "Outcome", "Progress", "Selection", "Settings", "score"]

"""Claims against the ledger: which tool fits, what a result says happened, which values agree. Pure and deterministic."""

from __future__ import annotations

from claimx.match.judge import Judging, judge
from claimx.match.options import MatchOptions, ToolRule
from claimx.match.results import Outcome, classify_result
from claimx.match.tools import rank_tools

__all__ = ["Judging", "MatchOptions", "Outcome", "ToolRule", "classify_result", "judge", "rank_tools"]

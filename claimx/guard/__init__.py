"""The guard: before a call runs, are its tool and parameters real, and does every value in it trace to this run?"""

from __future__ import annotations

from claimx.guard.catalogue import Catalogue
from claimx.guard.counts import Counts
from claimx.guard.dispatch import wrap, wrap_tool
from claimx.guard.guard import Guard, GuardedRun
from claimx.guard.policy import Policy
from claimx.guard.refusal import Code, Decision, Refusal, Retry, Sighting
from claimx.guard.replay import replay
from claimx.guard.rules import Call, Derived, Facts, Rule, allowed_set, amount_unmatched, wrong_customer
from claimx.guard.seen import Found, Seen

__all__ = [
    "Call",
    "Catalogue",
    "Code",
    "Counts",
    "Decision",
    "Derived",
    "Facts",
    "Found",
    "Guard",
    "GuardedRun",
    "Policy",
    "Refusal",
    "Retry",
    "Rule",
    "Seen",
    "Sighting",
    "allowed_set",
    "amount_unmatched",
    "replay",
    "wrap",
    "wrap_tool",
    "wrong_customer",
]

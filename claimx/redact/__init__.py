"""Runs and labels without the people in them: ids, amounts, names and addresses become stand-ins, verdicts stay."""

from __future__ import annotations

from claimx.redact.redactor import Redacted, Redactor

__all__ = ["Redacted", "Redactor"]

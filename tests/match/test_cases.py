"""The table of runs with known verdicts, matched from hand-given extractions."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

from claimx.match import judge

FOLDER = Path(__file__).parent.parent / "cases"
_spec = importlib.util.spec_from_file_location("claimx_case_reading", FOLDER / "reading.py")
assert _spec is not None
assert _spec.loader is not None
reading = importlib.util.module_from_spec(_spec)
sys.modules["claimx_case_reading"] = reading
_spec.loader.exec_module(reading)

CASES = [c for f in sorted(FOLDER.glob("*.txt")) for c in reading.read_cases(f)]


@pytest.mark.parametrize("case", CASES, ids=[c.id for c in CASES])
def test_each_claim_gets_its_status(case) -> None:
    receipt = judge(case.extraction, case.run)
    got = [str(c.status) for c in receipt.claims]
    assert got == case.want, [c.reason for c in receipt.claims]
    assert receipt.verdict == case.verdict
    assert receipt.ok == (case.verdict not in ("fabricated", "misquoted"))


@pytest.mark.parametrize("case", CASES, ids=[c.id for c in CASES])
def test_every_flag_can_be_contested_from_the_receipt(case) -> None:
    for claim in judge(case.extraction, case.run).claims:
        assert claim.reason
        for m in claim.mismatches:
            assert m.path.split(".")[0] in {e.id for e in case.run.ledger}
        if claim.is_flagged:
            assert claim.tool is not None


def test_judging_is_deterministic() -> None:
    for case in CASES:
        assert judge(case.extraction, case.run).to_dict() == judge(case.extraction, case.run).to_dict()

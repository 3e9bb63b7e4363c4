"""Whether a run is what its signed rows record: a verdict rests on nothing else than what they bind."""

from __future__ import annotations

from typing import Any

from claimx.errors import VerificationError
from claimx.ledger.binding import Binding, bind
from claimx.ledger.canonical import canonical
from claimx.ledger.folding import CHAIN, fold
from claimx.ledger.keyring import Keyring
from claimx.ledger.row import Row
from claimx.ledger.verification import verify
from claimx.types import Run


def check_proof(run: Run, keys: Keyring, *, complete: bool = False) -> Binding:
    """Raise VerificationError unless a run is what its signed rows record: its conversation, calls, reply, user, tools.

    Returns which of these the rows bind. Where they say nothing of one (no message was recorded) it is open, and taken
    as given; with `complete` that is refused, too.
    """
    label = f"run {run.id!r}" if run.id else "the run"
    chain = run.extra.get(CHAIN)
    if not isinstance(chain, list) or not chain:
        raise VerificationError(f"{label} carries no signed rows ('{CHAIN}'): export it from a signed ledger")
    rows = [Row.from_dict(r) for r in chain]
    found = verify(rows, keys)
    if found.fault is not None:
        raise VerificationError(f"{label}: row {found.fault.id} is {found.fault.kind}: {found.fault.reason}")
    if run.id != found.conversation and not run.id.startswith(f"{found.conversation}#"):
        raise VerificationError(f"{label} carries the rows of conversation {found.conversation!r}: its id must name it")
    binding = bind(run, rows, label)
    proved = {e.id: e.to_dict() for e in fold(rows)}
    given = {e.id: e.to_dict() for e in run.ledger}
    for id in [*proved, *given]:
        if id not in given or id not in proved:
            where = "its 'ledger'" if id not in given else "its signed rows"
            raise VerificationError(f"{label}: call {id} is missing from {where}")
        wrong = [k for k in sorted({*proved[id], *given[id]}) if not _equal(proved[id].get(k), given[id].get(k))]
        if wrong:
            raise VerificationError(f"{label}: 'ledger' differs from the signed rows at {id}.{wrong[0]}")
    if [e.id for e in run.ledger] != list(proved):
        raise VerificationError(f"{label}: the calls of 'ledger' are not in the order of the signed rows")
    if complete and binding.open:
        raise VerificationError(f"{label}: its signed rows do not hold {', '.join(binding.open)}: record them")
    return binding


def _equal(a: Any, b: Any) -> bool:
    return a == b if a is None or b is None else canonical(a) == canonical(b)

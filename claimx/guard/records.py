"""The records that a run saw, by the identifiers in fields of their own."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection

from claimx.guard.identifiers import squeezed
from claimx.guard.names import names_id
from claimx.guard.walk import Record, plain_name


class Records:
    """Records in reading order."""

    def __init__(self) -> None:
        self._by_id: dict[str, list[Record]] = defaultdict(list)

    def add(self, record: Record, echoes: Collection[str]) -> None:
        """File a record under each identifier that it holds, those aside that the call brought itself."""
        for key, v in record.fields.items():
            if isinstance(v, str | int) and not isinstance(v, bool) and names_id(str(key)):
                core = squeezed(str(v))
                if core and core not in echoes:
                    self._by_id[core].append(record)

    def find(self, value: object, field: str | None = None) -> list[Record]:
        """Return the records with an identifier. With `field` those that hold it under this name or under `id`, and the others
        only where there are no such."""
        core = squeezed(str(value))
        found = self._by_id.get(core, [])
        if field is None:
            return list(found)
        names = {plain_name(field), "id"}
        own = [
            r
            for r in found
            if any(plain_name(str(k)) in names and squeezed(str(v)) == core for k, v in r.fields.items())
        ]
        return own or list(found)

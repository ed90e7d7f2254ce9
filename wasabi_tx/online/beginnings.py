"""Table names and their prefixes, which people type; several tables may share a prefix."""

from __future__ import annotations

import re
from collections.abc import Collection

SHOWN = 6
"""Length of a shown table name, and the most names listed when a prefix is ambiguous."""


_NAME = re.compile(r"[a-z2-7]{6,}")


def is_table_name(text: str) -> bool:
    """Return whether `text` can be a table's name or a prefix that a lobby shows."""
    return _NAME.fullmatch(text.strip().lower()) is not None


class SeveralTables(Exception):
    """Raised when a prefix matches more than one table."""

    def __init__(self, tables: Collection[str]) -> None:
        super().__init__(*tables)
        self.tables = tuple(sorted(tables))

    @property
    def beginnings(self) -> tuple[str, ...]:
        """Shortest prefixes that tell the tables apart, at most `SHOWN` of them."""
        lengths = range(SHOWN, max(SHOWN, *map(len, self.tables)) + 1)
        enough = next(length for length in lengths if len({one[:length] for one in self.tables}) == len(self.tables))
        return tuple(table[:enough] for table in self.tables[:SHOWN])


def table_beginning(beginning: str, tables: Collection[str]) -> str | None:
    """Return the table with this name or prefix, or None; raise `SeveralTables` if the prefix is ambiguous."""
    found = [table for table in tables if table.startswith(beginning)]
    if beginning in found:
        return beginning
    if len(found) > 1:
        raise SeveralTables(found)
    return found[0] if found else None

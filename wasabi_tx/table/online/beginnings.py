"""Beginnings of tables' names, which people type in the place of the whole: several tables may have the same one."""

from __future__ import annotations

from collections.abc import Collection

SHOWN = 6
"""Letters of a name that people see, and as many names as are told apart for them."""


class SeveralTables(Exception):
    """More than one table begins like that."""

    def __init__(self, tables: Collection[str]) -> None:
        super().__init__(*tables)
        self.tables = tuple(sorted(tables))

    @property
    def beginnings(self) -> tuple[str, ...]:
        """As much of the name of each as tells it from the others; only some of many."""
        lengths = range(SHOWN, max(SHOWN, *map(len, self.tables)) + 1)
        enough = next(length for length in lengths if len({one[:length] for one in self.tables}) == len(self.tables))
        return tuple(table[:enough] for table in self.tables[:SHOWN])


def table_beginning(beginning: str, tables: Collection[str]) -> str | None:
    """The table that is called so or begins so; None if there is none, `SeveralTables` if there are more."""
    found = [table for table in tables if table.startswith(beginning)]
    if beginning in found:
        return beginning
    if len(found) > 1:
        raise SeveralTables(found)
    return found[0] if found else None

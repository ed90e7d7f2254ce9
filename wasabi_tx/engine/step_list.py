"""Long lists of steps that are written out only on demand, since usually just one step is picked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import TypeAlias, overload

from .step import Step

Block: TypeAlias = tuple[Sequence[Sequence[Step]], Sequence[int]]
"""Rows of steps, and the places of each row that are included, in order."""


def whole(row: Sequence[Step]) -> Block:
    """Return a block of all steps of one row."""
    return (row,), range(len(row))


class Choices(Sequence[Step]):
    """The steps of each block in turn, row by row. Hundreds of them cost as little as a few."""

    __slots__ = ("_blocks", "_length")

    def __init__(self, blocks: list[Block]) -> None:
        self._blocks = blocks
        length = 0
        for rows, places in blocks:
            length += len(rows) * len(places)
        self._length = length

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> Step: ...
    @overload
    def __getitem__(self, index: slice) -> list[Step]: ...
    def __getitem__(self, index: int | slice) -> Step | list[Step]:
        if isinstance(index, slice):
            return list(self)[index]
        left = index if index >= 0 else index + self._length
        if left >= 0:
            for rows, places in self._blocks:
                width = len(places)
                if left < len(rows) * width:
                    return rows[left // width][places[left % width]]
                left -= len(rows) * width
        raise IndexError(index)

    def __iter__(self) -> Iterator[Step]:
        """Make all steps at once, which is much faster than one by one."""
        steps: list[Step] = []
        for rows, places in self._blocks:
            if rows and len(rows[0]) == len(places):
                for row in rows:
                    steps += row
            elif len(places) > 1:
                pick = itemgetter(*places)
                for row in rows:
                    steps += pick(row)
            else:
                steps += [row[place] for row in rows for place in places]
        return iter(steps)

    def __eq__(self, other: object) -> bool:
        """Compare equal to a list of the same steps."""
        return list(self) == list(other) if isinstance(other, Choices | list) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

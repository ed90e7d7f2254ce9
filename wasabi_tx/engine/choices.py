"""Long lists of steps that nobody has to write out: most of the time one of them is picked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TypeAlias, overload

from .step import Step

Block: TypeAlias = tuple[Sequence[Sequence[Step]], Sequence[int]]
"""Rows of steps, and the places of each row that count."""


def whole(row: Sequence[Step]) -> Block:
    """All steps of one row."""
    return (row,), range(len(row))


class Choices(Sequence[Step]):
    """The steps of one block after the other, row by row. Hundreds of them cost as little as a few."""

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
        rows = ((row, places) for rows, places in self._blocks for row in rows)
        return chain.from_iterable(map(row.__getitem__, places) for row, places in rows)

    def __eq__(self, other: object) -> bool:
        """A written list of the same steps is the same."""
        return list(self) == list(other) if isinstance(other, Choices | list) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

"""Exposure of windows: others build where tiles lie, so a square beside tiles is taken sooner than a remote one."""

from __future__ import annotations

from math import exp, log

from wasabi_tx.engine.board import Board
from wasabi_tx.engine.geometry import Geometry

from .board_windows import Windows

RATES = (0.5, 1.2, 1.3, 1.35, 1.35)
"""Rates at which squares were taken within a round, relative to the average, by number of neighbours with a tile.

Measured in games of four normal bots of both editions; with two or three it is about the same.
"""

MOST_AVERAGE, MOST = 0.6, 0.9
"""Upper limits of the chance to be taken within a round, for the average square and for any square."""


class Exposure:
    """The chance of each window to remain intact, relative to a window of average squares and raised to a power."""

    def __init__(self, windows: Windows, grid: Geometry, board: Board, rivals: int, power: float) -> None:
        free = board.empty
        average = min(MOST_AVERAGE, rivals / max(1, len(free)))
        rates = [RATES[sum([bool(board.stacks[near]) for near in grid.neighbours[square]])] for square in free]
        mean = sum(rates) / max(1, len(free))
        safety = [0.0] * grid.size
        for square, rate in zip(free, rates, strict=True):
            taken = min(MOST, average * rate / mean)
            safety[square] = power * (log(1 - taken) - log(1 - average))
        self.windows = {
            length: [exp(sum(safety[window.part])) for window in found] for length, found in windows.by_length.items()
        }
        """The factor for a window's value, by length and number of the window."""
        self.filled = [exp(-value) for value in safety]
        """The further factor for windows through a square once it is filled, by square."""

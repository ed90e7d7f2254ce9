"""Exposure of windows: others build where tiles lie, so a square beside tiles is taken sooner than one far off."""

from __future__ import annotations

from math import exp, log

from wasabi_tx.engine.board import Board
from wasabi_tx.engine.geometry import Geometry

from .board_windows import Windows

RATES = (0.5, 1.2, 1.3, 1.35, 1.35)
"""By number of neighbours with a tile: how often a square was taken within a round, beside the average square.

Counted in games of four normal bots of both editions; with two or three it is about the same.
"""

MOST_AVERAGE, MOST = 0.6, 0.9
"""No higher chance to be taken within a round is believed, of the average square and of any square."""


class Exposure:
    """How much likelier each window is to stay as it is than a window of average squares, to some power."""

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
        """By length and number of the window: the factor of its value."""
        self.filled = [exp(-value) for value in safety]
        """By square: the further factor of windows through it once it is filled."""

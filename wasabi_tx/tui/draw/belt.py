"""The conveyor belt of plates that runs below the title of the home screen."""

from __future__ import annotations

from ..canvas import Canvas, mix
from ..paints import Paints

ON_IT = ("Sa", "Ma", "Sh", "Eg", "Tu", "Av", "Ro", "Oc", "Ca", "Te")
PLATE, BELOW = 0xF3E7D2, 0x9FB3CC
_RAIL = 6
"""Columns between two marks of the belt, which show that it moves."""


def belt_rows(large: bool) -> int:
    return 6 if large else 4


def paint_belt(paints: Paints, width: int, large: bool, moved: int = 0) -> Canvas:
    """Paint the belt, moved left by some columns; its plates repeat."""
    canvas = Canvas(width, belt_rows(large), paints["background"])
    pictures = paints.pictures.large if large else paints.pictures.middle
    food = [pictures[code] for code in ON_IT if code in pictures]
    deep, end = 7 if large else 5, 2 * belt_rows(large)
    wood = paints["wood"]
    canvas.fill(0, deep - 2, width, end - deep + 2, wood)
    canvas.fill(0, end - 1, width, 1, mix(wood, 0, 0.45))
    for x in range(-(moved % _RAIL), width, _RAIL):
        canvas.fill(x, end - 2, 1, 1, mix(wood, 0, 0.3))
    if not food:
        return canvas
    pitch = len(food[0][0]) + 4
    for number in range(moved // pitch, (moved + width) // pitch + 1):
        picture = food[number % len(food)]
        size, x = len(picture[0]), number * pitch - moved + 2
        canvas.stamp(x, 0, picture)
        canvas.fill(x, deep, size, 1, PLATE)
        canvas.fill(x + 1, deep + 1, size - 2, 1, BELOW)
    return canvas

"""Portraits of rivals: large on a plate of their seat's colour, or a face beside a name."""

from __future__ import annotations

from ...app.pictures import FACE, PORTRAIT
from ...view.table.table import SeatView
from ..canvas import mix
from .sheet import Sheet

WIDE, HIGH = PORTRAIT[0] + 4, PORTRAIT[1] // 2 + 1
"""Columns and rows of a portrait with its plate."""
FACE_WIDE = FACE[0]
PLAIN, PERSON = "plain", "person"
"""Pictures of bots that play for points alone, and of people."""


def has_portrait(sheet: Sheet, character: str) -> bool:
    return sheet.paints.depth and character in sheet.paints.pictures.portrait


def paint_portrait(sheet: Sheet, x: int, y: int, character: str, seat: int, chosen: bool = False) -> None:
    """Paint a portrait on a plate with cut corners, brighter if it is chosen.

    The plate has the colour of the `seat`, or none while that is not known.
    """
    colour = sheet.paints.seat(seat) if seat else sheet.paints["muted"]
    plate = mix(sheet.ground, colour, 0.55 if chosen else 0.22)
    sheet.canvas.fill(x + 1, 2 * y, WIDE - 2, 2 * HIGH, plate)
    sheet.canvas.fill(x, 2 * y + 1, WIDE, 2 * HIGH - 2, plate)
    sheet.canvas.stamp(x + 2, 2 * y + 1, sheet.paints.pictures.portrait[character])


def has_faces(sheet: Sheet) -> bool:
    return sheet.paints.depth and {PLAIN, PERSON} <= set(sheet.paints.pictures.face)


def paint_face(sheet: Sheet, x: int, y: int, seat: SeatView) -> None:
    """Paint the face of a bot's character, or a cup for a person, in two and a half rows."""
    faces = sheet.paints.pictures.face
    sheet.canvas.stamp(x, 2 * y, faces.get(seat.character) or faces[PLAIN if seat.bot else PERSON])

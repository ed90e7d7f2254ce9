"""Every face of a square is exactly as wide as its size; and no two tiles look alike without colour."""

from __future__ import annotations

from itertools import product

import pytest
from rich.cells import cell_len

from wasabi_tx.engine.editions import PACKAGED, packaged_edition
from wasabi_tx.tui.spans import ASCII
from wasabi_tx.tui.tiles import SIZES, Look, Size, face
from wasabi_tx.tui.widgets.board import BoardWidget

INGREDIENTS = [one for name in PACKAGED for one in packaged_edition(name).ingredients]


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size.width}x{size.height}")
@pytest.mark.parametrize("emoji", [False, True], ids=["letters", "emoji"])
@pytest.mark.parametrize("language", ["en", "it"])
def test_every_face_fills_its_square_exactly(size: Size, emoji: bool, language: str) -> None:
    for one in INGREDIENTS:
        heights: tuple[tuple[str, ...], ...] = ((), ("Ri",), ("Ri", "Ma", "Tu"))
        for cursor, pending, legal, last in product((False, True), repeat=4):
            for below in heights:
                look = Look(
                    one.code, one.category, one.names[language], one.emoji, below,
                    cursor=cursor, pending=pending, legal=legal, last=last, author=4,
                )  # fmt: skip
                _check(face(look, size, emoji), size)


def _check(rows: tuple[str, ...], size: Size) -> None:
    assert [cell_len(row) for row in rows] == [size.width] * size.height, rows
    assert [cell_len(row.translate(ASCII)) for row in rows] == [size.width] * size.height


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size.width}x{size.height}")
def test_empty_and_covered_squares_fill_their_square_too(size: Size) -> None:
    for cover, cursor, quiet in product(("", "wasabi", "cup"), (False, True), (False, True)):
        rows = face(Look(cover=cover, cursor=cursor, quiet=quiet, author=3), size, emoji=False)
        assert [cell_len(row) for row in rows] == [size.width] * size.height


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size.width}x{size.height}")
def test_every_tile_and_every_state_can_be_told_apart_without_colour(size: Size) -> None:
    for name in PACKAGED:
        faces = {face(Look(one.code), size, emoji=False) for one in packaged_edition(name).ingredients}
        assert len(faces) == len(packaged_edition(name).ingredients)
    states = [
        Look(),
        Look(quiet=True),
        Look(cursor=True),
        Look("Av"),
        Look("Av", cursor=True),
        Look("Av", pending=True),
        Look("Av", last=True),
        Look("Av", legal=True),
        Look("Av", below=("Ri",)),
        Look("Av", cover="wasabi"),
        Look(cover="cup"),
    ]
    assert len({face(state, size, emoji=False) for state in states}) == len(states)


def test_ascii_faces_hold_nothing_but_ascii() -> None:
    for size in SIZES:
        for look in (Look("Av", below=("Ri",), last=True, author=2), Look(cover="wasabi"), Look(legal=True)):
            assert "".join(face(look, size, emoji=False)).translate(ASCII).isascii()


@pytest.mark.parametrize("emoji", [one.emoji for one in INGREDIENTS])
def test_emoji_are_one_old_code_point_of_two_cells(emoji: str) -> None:
    assert len(emoji) == 1
    for version in ("11.0.0", "latest"):
        assert cell_len(emoji, unicode_version=version) == 2


def test_a_click_finds_the_square_that_is_drawn_there() -> None:
    board = BoardWidget()
    for size in SIZES:
        board.show(tuple(Look() for _ in range(42)), 7, size)
        for square in range(42):
            region = board.region_of(square)
            for x, y in ((region.x, region.y), (region.x + size.width - 1, region.y + size.height - 1)):
                assert board.square_at(x, y) == square
    assert board.square_at(0, 3) is None
    assert board.square_at(5, 0) is None
    assert board.square_at(500, 3) is None

"""The board: every state of a square can be told apart, with colours and without; frames lie in the gaps."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest

from tests.tui.alone import paints_of
from tests.view.colour_laws import LEAST_CONTRAST
from wasabi_tx.app.colour import contrast
from wasabi_tx.app.pictures import LARGE as LARGE_PICTURE
from wasabi_tx.app.pictures import MIDDLE as MIDDLE_PICTURE
from wasabi_tx.app.pictures import PictureError, parse_pictures
from wasabi_tx.app.theme import parse_theme
from wasabi_tx.engine.editions import PACKAGED, packaged_edition
from wasabi_tx.store.user_files import find_pictures, find_themes, read_theme
from wasabi_tx.tui.canvas import Canvas
from wasabi_tx.tui.draw.board import paint_board, square_canvas
from wasabi_tx.tui.draw.plain_board import paint_plain_board
from wasabi_tx.tui.paints import CARD_INK, LEAST_EDGE, Paints
from wasabi_tx.tui.textual_theme import textual_theme
from wasabi_tx.tui.tiles import LARGE, MIDDLE, SIZES, SMALL, SMALL_WIDE, TINY, Size, label_width
from wasabi_tx.tui.views.board_view import GOLD, BoardFrame, Square

NOWHERE = Path("nowhere")
PICTURES = parse_pictures(read_theme(find_pictures(NOWHERE)[0]))
STATES = (
    Square(),
    Square(legal=True),
    Square("Av", "vegetable", "Avocado"),
    Square("Av", "vegetable", "Avocado", pending=True, ghost=True),
    Square("Av", "vegetable", "Avocado", author=3),
    Square("Av", "vegetable", "Avocado", below=("Ri",)),
    Square(cover="cup"),
)


def paints(theme: str) -> Paints:
    return Paints(textual_theme(parse_theme(theme, read_theme(find_themes(NOWHERE)[theme]))), "letters", PICTURES)


def board(looks: tuple[Square, ...], size: Size, theme: str, frames: tuple[BoardFrame, ...] = ()) -> Canvas:
    chosen = paints(theme)
    if chosen.pixels:
        return paint_board(looks, len(looks), size, chosen, frames)
    return paint_plain_board(looks, len(looks), size, chosen, frames)


def cells(canvas: Canvas, square: int, size: Size) -> list[list[object]]:
    """Return the cells of one square, including its gap."""
    x = label_width(size) + square * size.width
    return [[part[x : x + size.width] for part in canvas.rows[y]] for y in range(1, 1 + size.height)]


@pytest.mark.parametrize("theme", ["omakase", "hinoki", "izakaya", "terminal", "monochrome"])
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size.width}x{size.height}")
def test_every_state_of_a_square_can_be_told_apart(theme: str, size: Size) -> None:
    canvas = board(STATES, size, theme)
    shown = [cells(canvas, n, size) for n in range(len(STATES))]
    for (one, first), (other, second) in combinations(enumerate(shown), 2):
        assert first != second, (STATES[one], STATES[other])


@pytest.mark.parametrize("theme", ["omakase", "monochrome"])
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size.width}x{size.height}")
@pytest.mark.parametrize("name", PACKAGED)
@pytest.mark.parametrize("language", ["en", "it"])
def test_every_tile_shows_its_code_or_a_name_that_no_other_tile_has(
    theme: str, size: Size, name: str, language: str
) -> None:
    tiles = packaged_edition(name).ingredients
    looks = tuple(
        Square(one.code, one.category, one.names[language], one.emoji, short=one.short.get(language, ()))
        for one in tiles
    )
    canvas = board(looks, size, theme)
    left = label_width(size)
    words = []
    for n in range(len(looks)):
        x = left + n * size.width
        rows = [
            "".join(char or " " for char in canvas.rows[y][2][x : x + size.width]) for y in range(1, 1 + size.height)
        ]
        words.append(" ".join(" ".join(rows).split()))
    assert len(set(words)) == len(words)
    for one, shown in zip(tiles, words, strict=True):
        assert one.code in shown or shown in (one.names[language], *one.short.get(language, ())), (one.code, shown)


@pytest.mark.parametrize(
    "size", [size for size in SIZES if size.height > 1], ids=lambda size: f"{size.width}x{size.height}"
)
def test_a_frame_lies_in_the_gaps_and_covers_no_tile(size: Size) -> None:
    looks = (Square("Tu", "fish", "Tuna"), Square("Sa", "fish", "Salmon"), Square("Ri", "base", "Rice"))
    gold = paints_of("omakase")[GOLD]
    plain, framed = board(looks, size, "omakase"), board(looks, size, "omakase", (BoardFrame((1,), GOLD),))
    left, width = label_width(size), size.width
    changed = {
        (x, y)
        for y, (before, after) in enumerate(zip(plain.pixels, framed.pixels, strict=True))
        for x, (one, other) in enumerate(zip(before, after, strict=True))
        if one != other
    }
    assert changed
    inside = {(x, y) for x in range(left + width, left + 2 * width - 1) for y in range(2, 2 * size.height + 1)}
    assert not changed & inside
    assert {framed.pixels[y][x] for x, y in changed} == {gold}


def test_the_cursor_stands_in_brackets_where_there_are_no_colours() -> None:
    looks = (Square("Tu", "fish", "Tuna"), Square("Sa", "fish", "Salmon", cursor=True), Square())
    assert board(looks, SMALL, "monochrome").words(1) == "1  Tu   [Sa  ]  ·"
    assert board(looks, TINY, "monochrome").words(1) == "1 Tu[Sa]·"


def test_without_colours_the_digit_of_a_line_is_its_recipe() -> None:
    looks = (Square("Tu", "fish", "Tuna"), Square("Sa", "fish", "Salmon"))
    assert board(looks, SMALL, "monochrome", (BoardFrame((0, 1), GOLD, "7"),)).words(1) == "1  Tu 7  Sa 7"


def test_every_ingredient_of_both_editions_has_a_picture_of_each_size() -> None:
    for name in PACKAGED:
        for one in packaged_edition(name).ingredients:
            assert len(PICTURES.large[one.code]) == LARGE_PICTURE[1]
            assert len(PICTURES.middle[one.code]) == MIDDLE_PICTURE[1]
    assert "cup" in PICTURES.middle


def test_an_ingredient_without_a_picture_shows_its_name_in_the_middle() -> None:
    canvas = board((Square("Xx", "fish", "Novelty"),), LARGE, "omakase")
    assert "Novelty" in canvas.words(3)


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("[palette]\nab = '#000000'", "palette.ab"),
        ("[palette]\na = 'red'", "palette.a"),
        ("[middle.Ri]\nrows = ['.']", "middle.Ri"),
        (f"[middle.Ri]\nrows = {['z' * 9] * 5}", "middle.Ri"),
        ("[middle.rice]\nrows = []", "middle.rice"),
        ("[portrait.builder]\nrows = ['.']", "portrait.builder"),
        (f"[face.Ri]\nrows = {['.' * 7] * 5}", "face.Ri"),
        ("[small]\n", "small"),
        ("x = [", "TOML"),
    ],
)
def test_pictures_that_cannot_be_used_say_where(text: str, where: str) -> None:
    with pytest.raises(PictureError) as error:
        parse_pictures(text)
    assert error.value.where == where


@pytest.mark.parametrize("size", [SMALL_WIDE, MIDDLE])
def test_marks_in_the_corners_hide_no_letter_of_a_name(size: Size) -> None:
    for name, short in (("Scallop", ()), ("Cucumber", ("Cuke",)), ("Tuna", ())):
        for below, author in (((), 2), (("Ri",), 0), (("Ri",), 3)):
            look = Square(name[:2], "fish", name, short=short, below=below, author=author)
            words = square_canvas(look, size, paints("omakase"), 0).words(0)
            assert words.strip(" ≡23") in (name, *short, name[:2]), words
            assert ("≡" in words, str(author) in words) == (bool(below), bool(author))


def test_emoji_lie_on_tiles_and_cups_where_there_is_room_beside_the_name_and_no_picture() -> None:
    theme = paints("omakase").theme
    for glyphs, shown in (("emoji", "🍤"), ("letters", "")):
        mine = Paints(theme, glyphs)
        tile = square_canvas(Square("Sh", "seafood", "Shrimp", "🍤"), MIDDLE, mine, 0)
        assert (tile.words(0).strip(), tile.words(1).strip()) == ("Shrimp", shown)
        cup = square_canvas(Square(cover="cup"), MIDDLE, mine, 0)
        assert cup.words(1).strip() == ("🍵" if shown else "")


@pytest.mark.parametrize("theme", ["omakase", "hinoki", "izakaya", "washi", "high-contrast", "natural"])
def test_little_cards_of_paper_stand_out_from_what_they_lie_on(theme: str) -> None:
    mine = paints(theme)
    paper = f"#{mine.paper:06x}"
    for ground in ("background", "panel"):
        assert contrast(paper, mine.theme.variables[ground]) >= LEAST_EDGE, ground
    assert contrast(f"#{CARD_INK:06x}", paper) >= LEAST_CONTRAST

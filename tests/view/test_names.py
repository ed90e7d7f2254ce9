"""Names of players."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wasabi_tx.engine.editions import RESERVED, packaged_edition
from wasabi_tx.text import Texts
from wasabi_tx.view.names import BOT_NAMES, LONGEST, RIVALS, bot_names, clean_name, people_names


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Ana", "Ana"),
        ("  Ana  Maria ", "Ana Maria"),
        ("Zoë", "Zoë"),
        ("", None),
        (" \t", None),
        ("\u202eana", "ana"),
        ("a\x1b[31mb", "a [31mb"),
        ("x" * 40, "x" * 12),
    ],
)
def test_a_name_is_what_can_be_printed_of_it(text: str, name: str | None) -> None:
    assert clean_name(text) == name


@given(st.text())
def test_a_name_is_short_printable_and_stays_what_it_is(text: str) -> None:
    name = clean_name(text)
    if name is not None:
        assert name.isprintable()
        assert 0 < len(name) <= LONGEST
        assert clean_name(name) == name


def test_bots_take_names_that_nobody_has() -> None:
    assert next(bot_names(["udon", "Ana"])) == "Mochi"
    assert len(list(bot_names(["Udon", "Mochi", "Miso"]))) >= 3


@pytest.mark.parametrize("name", RESERVED)
def test_no_rival_is_called_like_a_tile_or_a_card(name: str) -> None:
    edition = packaged_edition(name)
    printed = [
        *(one.names for one in edition.ingredients),
        *(one.names for one in edition.actions),
        *(one.names for one in edition.recipes),
    ]
    taken = {name.rstrip("!").casefold() for names in printed for name in names.values()}
    assert [bot for bot in {*BOT_NAMES, *RIVALS} if bot.casefold() in taken] == []


@pytest.mark.parametrize(
    ("chosen", "names"),
    [
        (["Ana"], ["Ana", "Player 2", "Player 3"]),
        ([], ["Player 1", "Player 2", "Player 3"]),
        (["Ana", "Bo", "Chiara", "Dario"], ["Ana", "Bo", "Chiara"]),
        (["player 2"], ["player 2", "Player 3", "Player 4"]),
    ],
)
def test_people_without_a_name_are_called_after_their_seat(chosen: list[str], names: list[str]) -> None:
    assert people_names(chosen, 3, Texts("en")) == names

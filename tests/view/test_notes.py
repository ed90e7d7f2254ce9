"""Notes for beginners: each thing is explained the first time it appears, and never again."""

from __future__ import annotations

import pytest

from tests.view.tables import seen
from wasabi_tx.engine.editions import rules_for
from wasabi_tx.engine.observe import observe
from wasabi_tx.engine.position_text import parse_position
from wasabi_tx.games.draft import Draft
from wasabi_tx.games.game import Player
from wasabi_tx.text import LANGUAGES, Texts
from wasabi_tx.turn.notes import new_note, step_note
from wasabi_tx.turn.prompt import ask
from wasabi_tx.view.table.table import describe_table

PLAYERS = (Player("Ana"), Player("Bo", "normal"))
FULL = "1    Sa Ri Oc Ma Sh\n2    Eg Ca Ri Tu Te\n3    Pi Av Ma Ye To\n4    Pi Da Ma Cu Ri\n5    Ee Ri Tu Sc Da\n"


def _note(cards: str = "-", b2: str = ".", wasabi: str = "", rows: str = "", noted: tuple[str, ...] = ()) -> str:
    """Return the note for a table with these things on it."""
    board = rows or f"1    .  .  .  .  .\n2    .  {b2}  .  .  .\n" + "".join(
        f"{row}    .  .  .  .  .\n" for row in range(3, 6)
    )
    text = (
        "position: classic, 2 players\nturn: 9, seat 1, play, first 1\nboard:\n     a  b  c  d  e\n"
        f"{board}6    .  .  .  .  .\n{wasabi}"
        f"seat 1 | tiles Cr Te Sq | cards {cards} | recipes pinch-me | claimed -\n"
        "seat 2 | tiles - | cards - | recipes tekkamaki | claimed -\n"
    )
    rules, position, faces = parse_position(text, rules_for)
    return new_note(describe_table(observe(rules, position, 0, faces), PLAYERS, Texts("en")), noted)


def test_at_an_empty_table_there_is_nothing_to_explain() -> None:
    assert _note() == ""


def test_each_thing_is_explained_once() -> None:
    assert _note("Ch") == "card"
    assert _note("Ch", noted=("card",)) == ""
    assert _note("Ch Sp", noted=("card",)) == "", "a full hand is a matter of the next reward"
    assert _note(b2="Ri/Tu") == "stack"
    assert _note(b2="Ri/Tu", noted=("stack",)) == ""
    assert _note(wasabi="wasabi: c3\n") == "wasabi"
    assert _note(rows=FULL) == "last"


def test_a_teacup_is_explained_too() -> None:
    observation = seen("a1=Ri", edition="master", mine="cards -", theirs="cards -", more="display: Ch Sw St")
    view = describe_table(observation, PLAYERS, Texts("en"))
    assert any(cell.cover == "cup" for cell in view.cells)
    assert new_note(view, ()) == "cup"
    assert new_note(view, ("cup",)) == ""


def test_a_full_hand_of_cards_is_explained_when_there_is_another_card_to_take() -> None:
    mine = "tiles Tu Av Ri | cards {} | recipes tekkamaki"
    for cards, note in (("Ch St", "full"), ("Ch", "")):
        reward = seen(turn="7, seat 1, restock", mine=mine.format(cards), more="this turn: rewards 1")
        prompt = ask(Draft(reward), Texts("en"))
        assert step_note(prompt, ()) == note
        assert step_note(prompt, ("full",)) == ""
    gained = seen(
        edition="master", mine="cards Ch Sp St", theirs="cards -", turn="7, seat 1, discard", more="display: Ch Sw St"
    )
    assert step_note(ask(Draft(gained), Texts("en")), ()) == "full"


def test_of_several_things_one_is_explained_at_a_time() -> None:
    noted: list[str] = []
    while name := _note("Ch Sp", wasabi="wasabi: c3\n", b2="Ri/Tu", noted=tuple(noted)):
        noted.append(name)
    assert noted == ["wasabi", "stack", "card"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_note_fits_into_one_row_of_80(language: str) -> None:
    for sentence in Texts(language).words("note").values():
        assert len(sentence) <= 77

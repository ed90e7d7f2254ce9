"""Saved games, turn by turn, and as much of a damaged one as holds."""

from __future__ import annotations

import io

import pytest

from tests.plain.typist import load, sit_down
from wasabi_tx.engine.editions import rules_for
from wasabi_tx.games.game import Player
from wasabi_tx.plain.console import Console
from wasabi_tx.plain.replay import PlainReplay, pages_of, read_holding
from wasabi_tx.text import LANGUAGES, Texts
from wasabi_tx.view.table.plain_table import WIDTH


@pytest.fixture(scope="module")
def game() -> str:
    return sit_down((Player("Ana"), Player("Bo")), "9").transcript


def walked(text: str, typed: str, language: str = "en") -> str:
    target = io.StringIO()
    PlainReplay(load(text), Console(io.StringIO(typed), target), Texts(language)).walk()
    return target.getvalue()


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_turns_at_once(game: str, language: str) -> None:
    target = io.StringIO()
    PlainReplay(load(game), Console(io.StringIO(), target), Texts(language)).print_all()
    lines = target.getvalue().splitlines()
    heads = [line for line in lines if Texts(language).say("table.turn", turn=1).split()[0] + " " in line]
    assert len(heads) >= load(game).last.turn
    assert max(map(len, lines)) <= WIDTH
    assert any(line.startswith("> Ana ") for line in lines)


def test_forwards_backwards_and_to_a_turn(game: str) -> None:
    last = load(game).last.turn
    shown = walked(game, f"\nb\n{last}\nq\n")
    turns = [line.split(" - ")[1] for line in shown.splitlines() if line.startswith("First edition - ")]
    assert turns == ["setup", "turn 1", "setup", f"turn {last}"]


def test_a_turn_that_is_not_there_and_nonsense_are_answered(game: str) -> None:
    shown = walked(game, "9999\nsoup\nq\n")
    assert "There is no turn 9999; there are 0 to" in shown
    assert "Type Enter, b, a number, t or q." in shown


def test_one_plays_on_from_a_turn_and_comes_back_to_the_replay(game: str) -> None:
    shown = walked(game, "3\nt\nquit\nq\n")
    assert "What if: you play on from turn 3 against bots; nothing of it is saved." in " ".join(shown.split())
    assert "Continue it with" not in shown
    assert shown.count("First edition - turn 3") == 3, "the replay, the game, the replay"
    assert "Nobody can play on" not in shown
    cut = game[: game.index("--- turn 2")].rstrip("\n") + "\n"
    assert "once the game is over" in walked(cut, "1\nt\nq\n")


def test_enter_at_the_end_and_the_end_of_input_leave(game: str) -> None:
    told = walked(game, f"{load(game).last.turn}\n\nnever read\n")
    assert "wins" in told or "A draw" in told
    assert walked(game, "").count("First edition - ") == 1


def test_all_recipes_lie_open_in_a_replay(game: str) -> None:
    transcript = load(game)
    page = pages_of(transcript)[1]
    shown = walked(game, "1\nq\n")
    for seat in page.before.seats:
        for card in seat.recipes:
            assert transcript.rules.edition.recipes[transcript.faces[card]].names["en"] in " ".join(shown.split())


def test_an_unfinished_game_says_so(game: str) -> None:
    cut = game[: game.index("--- turn 2")].rstrip("\n") + "\n"
    assert "it is not finished" in walked(cut, "1\n")


def test_of_a_damaged_game_all_that_holds_is_read(game: str) -> None:
    lines = game.splitlines(keepends=True)
    at = next(n for n, line in enumerate(lines) if line.startswith("--- turn 5"))
    damaged = "".join([*lines[:at], "soup\n", *lines[at:]])
    holding = read_holding(damaged, rules_for)
    assert holding.broken is not None
    assert holding.broken.line == at + 1
    assert holding.transcript is not None
    assert holding.transcript.last.turn == 5


def test_a_game_that_was_cut_within_a_line_names_it(game: str) -> None:
    at = game.index("> ", game.index("--- turn 3")) + 7
    holding = read_holding(game[:at], rules_for)
    assert holding.broken is not None
    assert (holding.broken.problem, holding.broken.line) == ("torn", game[:at].count("\n") + 1)
    assert holding.transcript is not None
    assert holding.transcript.last.turn == 3


def test_what_is_no_game_has_nothing_that_holds() -> None:
    holding = read_holding("soup\n", rules_for)
    assert holding.transcript is None
    assert holding.broken is not None


def test_any_damage_is_named_and_never_raises(game: str) -> None:
    for at in range(0, len(game), len(game) // 25):
        for change in (game[:at] + "?" + game[at + 1 :], game[:at] + game[at + 40 :], game[:at]):
            if change != game:
                holding = read_holding(change, rules_for)
                assert holding.broken is not None or holding.transcript is not None

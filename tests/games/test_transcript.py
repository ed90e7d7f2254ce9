"""Saved games: their contents are checked at every line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wasabi_tx.engine.editions import PACKAGED, rules_for
from wasabi_tx.engine.position import NOBODY
from wasabi_tx.games.arena import play_out
from wasabi_tx.games.game import Player
from wasabi_tx.games.transcript import Broken, read_transcript, write_head, write_steps, write_turn

WHOLE = play_out(rules_for("classic", 2), ("greedy", "random"), "transcript", 0, record=True).transcript


@pytest.mark.parametrize("edition", PACKAGED)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_transcript_read_and_written_again_is_the_same(edition: str, players: int) -> None:
    rules = rules_for(edition, players)
    text = play_out(rules, ("random",) * players, "again", 0, record=True).transcript
    told = read_transcript(text, rules_for)
    again = write_head(rules, told.players, told.first, told.seed, told.faces)
    again += write_turn(rules, told.start, told.faces)
    for move in told.moves:
        again += write_steps(rules, move.seat, move.steps)
        if move.after.turn != move.before.turn or move.after.outcome:
            again += write_turn(rules, move.after, told.faces)
    assert again == text
    assert told.last.outcome is not None
    assert (edition == "classic") == all(move.seat != NOBODY for move in told.moves)


@pytest.mark.parametrize("name", ["Ana\n--- end", "Bo\x1b[31m", "C\u2028D", "\u202eover", "x" * 10_000])
def test_no_name_breaks_a_transcript(name: str) -> None:
    rules = rules_for("classic", 2)
    faces = read_transcript(WHOLE, rules_for).faces
    head = write_head(rules, (Player(name), Player(name, "normal")), 0, "seed", faces)
    assert [player.bot for player in read_transcript(head, rules_for).players] == [None, "normal"]


def broken(text: str) -> Broken:
    with pytest.raises(Broken) as caught:
        read_transcript(text, rules_for)
    return caught.value


def line_of(start: str) -> int:
    return next(n for n, line in enumerate(WHOLE.splitlines(), 1) if line.startswith(start))


def test_something_else_is_no_transcript() -> None:
    assert (broken("").problem, broken("hello\n").line) == ("not-a-transcript", 1)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("transcript 2", "transcript 1", "other-rules"),
        ("edition: classic ", "edition: clasic ", "unknown-edition"),
        ("edition: classic ", "edition: classic 0", "other-edition"),
        ("players: 2", "players: 5", "players"),
        ("first: ", "first: 9", "first"),
        ("seat 1: bot greedy", "seat 1: cat greedy", "seat"),
        ("deal 2: ", "deal 2: no-such-recipe ", "recipe"),
    ],
)
def test_a_broken_head_is_named(old: str, new: str, problem: str) -> None:
    assert broken(WHOLE.replace(old, new, 1)).problem == problem


def test_a_step_that_was_changed_is_found_with_its_line() -> None:
    number = line_of("> 1: place")
    lines = WHOLE.splitlines(keepends=True)
    lines[number - 1] = "> 1: place Zz a1\n"
    fault = broken("".join(lines))
    assert (fault.line, fault.problem) == (number, "step")


def test_a_step_of_another_seat_is_found() -> None:
    number = line_of("> 1: place")
    lines = WHOLE.splitlines(keepends=True)
    lines[number - 1] = lines[number - 1].replace("> 1:", "> 2:")
    assert broken("".join(lines)).problem == "not-their-turn"


def test_a_position_that_does_not_follow_is_found_with_its_line() -> None:
    number = line_of("pantry: ")
    lines = WHOLE.splitlines(keepends=True)
    lines[number - 1] = lines[number - 1].replace("Ri9", "Ri8")
    fault = broken("".join(lines))
    assert (fault.line, fault.problem) == (number, "position")


def test_a_line_of_no_kind_is_found() -> None:
    assert broken(WHOLE + "and so on\n").problem == "line"


@given(st.integers(0, len(WHOLE)))
def test_cut_anywhere_it_holds_up_to_there_or_names_the_place(at: int) -> None:
    text = WHOLE[:at]
    if at < WHOLE.index("\n--- turn 0"):
        assert broken(text).line <= text.count("\n") + 1
        return
    told = read_transcript(text, rules_for)
    kept = "".join(text.splitlines(keepends=True)[: told.lines])
    assert WHOLE.startswith(kept)
    assert told.rules.digest(read_transcript(kept, rules_for).last) == told.rules.digest(told.last)


@given(st.text(max_size=200))
def test_a_line_of_noise_is_named_and_nothing_else_is_raised(noise: str) -> None:
    line = "".join(noise.split()) or "noise"
    head = WHOLE[: WHOLE.index("\n--- turn 0")] + "\n"
    assert broken(f"{head}{line}\n").line == head.count("\n") + 1

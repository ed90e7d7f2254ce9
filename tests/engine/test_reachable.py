"""Positions shown to people could arise in a game, judging by their counts; those of real games all do."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from random import Random

import pytest

import wasabi_tx
from tests.engine.reachable import faults
from wasabi_tx.bots.levels import find_bot
from wasabi_tx.engine.deal import Dealer
from wasabi_tx.engine.editions import rules_for
from wasabi_tx.engine.observe import observe
from wasabi_tx.engine.position import NOBODY
from wasabi_tx.engine.position_text import parse_position
from wasabi_tx.games.local import seeded_shuffle
from wasabi_tx.lessons.course import COURSES
from wasabi_tx.puzzles.puzzle import EDITIONS, count_of, find_puzzle
from wasabi_tx.tui.draw.theme_sample import SQUARES

LESSONS = Path(wasabi_tx.__file__).parent / "lessons"


@pytest.mark.parametrize("name", COURSES)
def test_positions_of_courses_are_reachable(name: str) -> None:
    texts = re.findall(r"'''\n(position:.*?)'''", (LESSONS / f"{name}.toml").read_text(encoding="utf-8"), re.DOTALL)
    assert len(texts) >= 3
    for text in texts:
        rules, position, _ = parse_position(text, rules_for)
        assert faults(rules, position) == [], position.turn


@pytest.mark.parametrize("edition", EDITIONS)
def test_positions_of_puzzles_are_reachable(edition: str) -> None:
    for number in range(1, count_of(edition) + 1):
        puzzle = find_puzzle(edition, number)
        assert faults(puzzle.rules, puzzle.position) == [], puzzle.name


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("edition", ["classic", "master", "master-printed"])
def test_positions_of_games_are_reachable(edition: str, players: int) -> None:
    rules = rules_for(edition, players)
    for level in ("random", "easy"):
        dealer, whims, bot = Dealer(rules, seeded_shuffle(level)), Random(level), find_bot(level)
        position, turn = rules.start(players - 1), 0
        while position.outcome is None:
            if position.mover == NOBODY:
                step = dealer.supply(position)
                assert step is not None
                position = rules.apply(position, step)
                continue
            if position.turn > turn and position.phase == "play":
                turn = position.turn
                assert faults(rules, position) == []
            seen = observe(rules, position, position.mover, dealer.faces)
            position = rules.apply_bundle(position, bot.choose(seen, whims, 200))


def test_the_sample_of_themes_shows_no_more_tiles_than_there_are() -> None:
    """The pictures of help are single squares; this one is a corner of a board."""
    edition = rules_for("classic", 2).edition
    counts = {one.code: one.count for one in edition.ingredients}
    shown = Counter(code for code in SQUARES if code not in ("", "+"))
    assert len(shown) >= 8
    assert all(number <= counts[code] for code, number in shown.items())


def test_counts_that_cannot_arise_are_found() -> None:
    text = """position: classic, 2 players
turn: 3, seat 1, play, first 1
board:
     a  b  c  d  e
1    .  .  Sc .  Sh
2    .  .  Ee .  .
3    .  .  .  .  .
4    .  .  .  .  .
5    .  .  .  .  .
6    .  .  .  .  .
seat 1 | tiles Cr Cu To | cards Sp | recipes i-eel-good california-dreamer rice-rice-baby | claimed - | cubes 1
seat 2 | tiles Av Sa Da | cards - | recipes radish-decision the-odd-couple green-dragon | claimed - | cubes 0
"""
    rules, position, _ = parse_position(text, rules_for)
    assert faults(rules, position) == [
        "seat 1: more cards than recipes completed",
        "seat 1: cubes",
        "more tiles than turns",
    ]

"""Unfinished games in a list: with whom, which turn, whose move, since when."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from wasabi_tx.table.online.keep.situation import KnownGame, Situation
from wasabi_tx.text import Texts
from wasabi_tx.view.online.unfinished import partners, say_situation

NOW = datetime(2026, 3, 10, 9, 30, tzinfo=UTC)
MINE = Situation(("Ana", "Bo"), 9, mine=True)
THEIRS = Situation(("Ana", "Bo"), 9, mine=False, waits_for=("Bo",))
VOTE = Situation(("Ana", "Bo"), 9, mine=True, vote="Bo")


@pytest.mark.parametrize(
    ("situation", "ago", "words"),
    [
        (MINE, timedelta(hours=1), "turn 9 · your move since 08:30"),
        (MINE, timedelta(hours=10), "turn 9 · your move since yesterday 23:30"),
        (THEIRS, timedelta(minutes=1), "turn 9 · waiting for Bo since 09:29"),
        (THEIRS, timedelta(days=3), "turn 9 · waiting for Bo for 3 days"),
        (VOTE, timedelta(minutes=90), "turn 9 · a vote about Bo since 08:00"),
        (MINE, timedelta(hours=-2), "turn 9 · your move since 11:30"),
    ],
)
def test_a_list_says_whose_move_it_is_since_when(situation: Situation, ago: timedelta, words: str) -> None:
    game = KnownGame("abc", situation, (NOW - ago).timestamp())
    assert partners(game, Texts("en")) == "Ana, Bo"
    assert say_situation(game, NOW, Texts("en")) == words

"""Unfinished games in a list: opponents, turn, player to move, since when."""

from __future__ import annotations

import os
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from wasabi_tx.online.saved.disk import FileDisk
from wasabi_tx.online.saved.seat import SavedSeat
from wasabi_tx.online.saved.situation import KnownGame, Situation, known_games
from wasabi_tx.store.seats import SeatLock
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


@pytest.mark.parametrize(
    ("situation", "ago", "words"),
    [
        (THEIRS, timedelta(minutes=7), "turn 9 · Bo's move, seen 09:23"),
        (THEIRS, timedelta(hours=10), "turn 9 · Bo's move, seen yesterday 23:30"),
        (THEIRS, timedelta(days=3), "turn 9 · Bo's move, seen 3 days ago"),
        (
            replace(THEIRS, waits_for=("Ana", "Bo")),
            timedelta(minutes=7),
            "turn 9 · the move of Ana, Bo, seen 09:23",
        ),
        (MINE, timedelta(minutes=7), "turn 9 · your move since 05:30"),
    ],
)
def test_of_a_seat_that_nobody_holds_a_list_says_what_was_last_heard(
    situation: Situation, ago: timedelta, words: str
) -> None:
    began, heard = NOW - timedelta(hours=4), NOW - ago
    game = KnownGame("abc", situation, began.timestamp(), heard.timestamp())
    assert say_situation(game, NOW, Texts("en")) == words


def test_what_is_heard_of_a_seat_is_news_while_somebody_holds_it(tmp_path: Path) -> None:
    disk = FileDisk(tmp_path, "abcdefgh")
    disk.save_seat(SavedSeat("", "Ana", b"", b"", b"", record="x"))
    disk.note(THEIRS)
    os.utime(tmp_path / "seats" / "abcdefgh.situation", (1000, 1000))
    os.utime(tmp_path / "seats" / "abcdefgh.seat", (2000, 2000))
    assert known_games(tmp_path) == [KnownGame("abcdefgh", THEIRS, 1000, 2000)]
    with SeatLock(tmp_path, "abcdefgh"):
        assert known_games(tmp_path) == [KnownGame("abcdefgh", THEIRS, 1000)]
    disk.note(MINE)
    (known,) = known_games(tmp_path)
    assert known.heard is None, "what waits for us goes on to wait"

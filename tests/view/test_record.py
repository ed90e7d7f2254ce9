"""A person's record: the same from the two ends of a file as from the whole game, in whatever order files are read."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

import pytest

from wasabi_tx.engine.editions import PACKAGED, packaged_edition, rules_for
from wasabi_tx.games.arena import play_out
from wasabi_tx.games.finished import Cooked, FinishedGame, FinishedSeat, finished_game
from wasabi_tx.games.transcript import read_transcript
from wasabi_tx.store.transcripts import read_ends
from wasabi_tx.text import LANGUAGES, Texts
from wasabi_tx.view.record import (
    BestScore,
    Opponent,
    PuzzleDays,
    Record,
    after_game_line,
    brief_line,
    record_lines,
    record_of,
)

EDITIONS = {name: packaged_edition(name) for name in PACKAGED}
EN = Texts("en")
NO_DAYS = PuzzleDays()


@cache
def saved(edition: str, seed: str) -> str:
    """Return the transcript of Ana's game against two rivals."""
    text = play_out(rules_for(edition, 3), ("easy", "random", "easy"), seed, 0, record=True).transcript
    text = text.replace("seat 1: bot easy easy", "seat 1: person Ana")
    return text.replace("seat 2: bot random random", "seat 2: bot easy Mochi")


def record(games: list[FinishedGame], days: PuzzleDays = NO_DAYS, texts: Texts = EN) -> Record:
    return record_of(games, EDITIONS, days, texts)


def duel(
    mine: int, theirs: int, other: str = "Mochi", cooked: tuple[Cooked, ...] = (), bot: bool = True
) -> FinishedGame:
    own = FinishedSeat("Ana", False, mine, mine >= theirs, cooked)
    return FinishedGame("classic", (own, FinishedSeat(other, bot, theirs, theirs >= mine, ())), 0)


@pytest.mark.parametrize("edition", PACKAGED)
def test_both_ends_of_a_file_say_what_the_whole_game_says(edition: str, tmp_path: Path) -> None:
    text = saved(edition, "ends")
    whole = read_transcript(text, rules_for)
    file = tmp_path / "game.txt"
    file.write_text(text, encoding="utf-8")
    game = finished_game(*read_ends(file), "Ana")
    assert game is not None
    assert whole.last.outcome is not None
    assert (game.edition, game.you) == (edition, 0)
    assert [seat.name for seat in game.seats] == [player.name for player in whole.players]
    assert [seat.bot for seat in game.seats] == [player.bot is not None for player in whole.players]
    assert tuple(seat.score for seat in game.seats) == whole.last.outcome.scores
    assert tuple(n for n, seat in enumerate(game.seats) if seat.winner) == whole.last.outcome.winners
    recipes = whole.rules.edition.recipes
    for told, seat in zip(game.seats, whole.last.seats, strict=True):
        assert told.cooked == tuple(Cooked(recipes[one.recipe].id, one.cubes > 0) for one in seat.claimed)


def test_a_game_that_is_not_over_or_not_whole_does_not_count() -> None:
    text = saved("classic", "ends")
    begun = text[: text.index("\n--- end\n")]
    no_end, no_seat = text.replace("outcome:", "outcame:"), text.replace("seat 2: bot", "seat 2: cat")
    for damaged in (begun, "", "soup", no_end, no_seat):
        assert finished_game(damaged, damaged, "Ana") is None


def test_whose_record_it_is() -> None:
    text = saved("classic", "ends").replace("seat 3: bot easy easy", "seat 3: person Bo")
    seats = [(game := finished_game(text, text, own)) and game.you for own in ("ana", "Bo", "Chiara")]
    assert seats == [0, 2, None]
    alone = saved("classic", "ends")
    game = finished_game(alone, alone, "Chiara")
    assert game is not None
    assert game.you == 0, "the only person, whatever they called themselves then"


def test_the_order_of_the_files_changes_nothing() -> None:
    games = [
        found
        for edition in PACKAGED
        if (found := finished_game(text := saved(edition, "ends"), text, "Ana")) is not None
    ]
    games += [duel(*points) for points in ((3, 2), (2, 3), (4, 4), (9, 1))] + [duel(1, 2, "Miso"), duel(2, 1, "Udon")]
    expected = record(games)
    assert expected.games == len(games)
    chance = Random(7)
    for _ in range(100):
        assert record(chance.sample(games, len(games))) == expected


def test_sums_against_each_other_player() -> None:
    games = [duel(3, 2), duel(2, 3), duel(4, 4), duel(9, 1), duel(5, 1, "Bea", bot=False), duel(1, 2, "Bea")]
    told = record(games)
    assert told.opponents[0] == Opponent("Mochi", True, 2, 1, 1)
    assert {(one.name, one.bot) for one in told.opponents} == {("Mochi", True), ("Bea", False), ("Bea", True)}
    assert (told.games, told.won) == (6, 4)
    assert told.best == (BestScore("First edition", 2, 9),)
    assert after_game_line(told, games[0], EN) == "You against Mochi 2 – 1"
    assert after_game_line(record(games[:1]), games[0], EN) == "", "they have met for the first time"
    assert after_game_line(told, None, EN) == ""


def test_whoever_is_behind_the_winner_is_compared_by_points() -> None:
    own = FinishedSeat("Ana", False, 8, False, ())
    first, last = FinishedSeat("Miso", True, 5, True, ()), FinishedSeat("Udon", True, 7, False, ())
    told = record([FinishedGame("classic", (own, first, last), 0)])
    assert {one.name: (one.won, one.lost) for one in told.opponents} == {"Miso": (0, 1), "Udon": (1, 0)}


def test_shelves_fill_and_style_counts_only_where_it_is_known() -> None:
    ids = [one.id for one in EDITIONS["classic"].recipes if one.style]
    games = [duel(3, 2, cooked=(Cooked(ids[0], True), Cooked(ids[1], False))), duel(3, 2, cooked=(Cooked(ids[0]),))]
    games.append(duel(1, 2, cooked=(Cooked("soup", True),)))
    told = record(games)
    shelf = told.shelves[0]
    assert (shelf.cooked, shelf.size) == (2, len(EDITIONS["classic"].recipes))
    assert sorted(times for _, row in shelf.rows for _, times in row)[-2:] == [1, 2]
    assert (told.styled, told.could_be_styled) == (1, 2)
    assert told.shelves[1].cooked == 0


def test_a_table_online_does_not_say_who_won_but_tokens_and_points_do() -> None:
    count = sum(token.count for token in EDITIONS["classic"].tokens)
    ids = [one.id for one in EDITIONS["classic"].recipes]
    game = duel(3, 9, "Bea", bot=False)
    unknown = replace(game, seats=tuple(replace(seat, winner=None) for seat in game.seats))
    assert record([unknown]).won == 0
    own = replace(unknown.seats[0], cooked=tuple(Cooked(one) for one in ids[:count]))
    assert record([replace(unknown, seats=(own, unknown.seats[1]))]).won == 1, "all tokens placed"


def test_editions_as_printed_fill_the_same_shelf_and_unknown_ones_none() -> None:
    printed = replace(duel(3, 2), edition="master-printed")
    told = record([printed, replace(duel(9, 2), edition="gone")])
    assert (told.games, [one.edition for one in told.best]) == (1, ["Second edition"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_is_told_in_words(language: str) -> None:
    texts = Texts(language)
    text = saved("classic", "ends")
    game = finished_game(text, text, "Ana")
    assert game is not None
    told = record([game], PuzzleDays(3, "★★☆"), texts)
    words = str(record_lines(told, texts))
    for part in ("Mochi", "★★☆", "52", "3 "):
        assert part in words
    assert brief_line(told, texts)
    assert texts.say("record.empty") in str(record_lines(record([], texts=texts), texts))

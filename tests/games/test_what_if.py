"""Going back: a person's last turn taken back among bots, and other ways for a finished game to go on."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from tests.games.test_local import ANA, BO, KAPPA, Sheet, play_person
from wasabi_tx.engine.editions import PACKAGED, rules_for
from wasabi_tx.engine.errors import Illegal
from wasabi_tx.engine.step import Bundle
from wasabi_tx.games.arena import play_out
from wasabi_tx.games.game import Can, Ended, Game, Player, Rewound
from wasabi_tx.games.local import LocalGame
from wasabi_tx.games.transcript import Transcript, read_transcript
from wasabi_tx.games.what_if import may_branch, turn_start, unsaved, what_if
from wasabi_tx.store.transcripts import TranscriptFile, reopen_transcript


class Erasable(Sheet):
    def erase(self, text: str) -> None:
        assert self.text.endswith(text)
        self.text = self.text[: len(self.text) - len(text)]


async def until_ones_turn(game: Game) -> None:
    """Follow the game to the person's next turn, or to its end."""
    events = game.events()
    while not game.observation.my_turn and game.position.outcome is None:
        await anext(events)


def whole_game(edition: str, seed: str) -> Transcript:
    text = play_out(rules_for(edition, 3), ("easy", "random", "easy"), seed, 0, record=True).transcript
    return read_transcript(text, rules_for)


@pytest.mark.parametrize("edition", PACKAGED)
async def test_a_turn_taken_back_leaves_no_trace_and_can_be_played_again(edition: str) -> None:
    sheet, rules = Erasable(), rules_for(edition, 2)
    game = LocalGame(rules, (ANA, Player("Roe", "random")), "back", sheet.append, quick=True, erase=sheet.erase)
    await until_ones_turn(game)
    for _ in range(4):
        before, text = game.position, sheet.text
        while game.position.turn == before.turn and game.observation.my_turn:
            await play_person(game)
            await until_ones_turn(game)
        after, longer = game.position, sheet.text
        assert Can.TAKE_BACK in game.can
        await game.take_back()
        assert (game.position, sheet.text) == (before, text)
        assert Can.TAKE_BACK not in game.can, "nothing further back than the last turn"
        while game.position.turn == before.turn and game.observation.my_turn:
            await play_person(game)
            await until_ones_turn(game)
        assert (rules.digest(game.position), sheet.text) == (rules.digest(after), longer), "fate is the same"
    await game.close()


async def test_only_somebody_alone_among_bots_takes_turns_back() -> None:
    for players, erases in (((ANA, BO), True), ((ANA, KAPPA), False)):
        sheet = Erasable()
        erase = sheet.erase if erases else None
        game = LocalGame(rules_for("classic", 2), players, "two", sheet.append, quick=True, erase=erase)
        while game.position.turn < 2 and game.players[game.position.mover].bot is None:
            await play_person(game)
        assert Can.TAKE_BACK not in game.can
        with pytest.raises(Illegal):
            await game.take_back()
        await game.close()


async def test_a_reader_of_events_hears_that_a_turn_was_taken_back() -> None:
    sheet = Erasable()
    game = LocalGame(rules_for("classic", 2), (ANA, KAPPA), "x1", sheet.append, quick=True, erase=sheet.erase)
    while game.position.mover:
        await anext(game.events())
    await play_person(game)
    await game.take_back()
    heard = [event for event in [await anext(game.events()) for _ in range(2)] if isinstance(event, Rewound)]
    assert [event.after for event in heard] == [game.position]
    await game.close()


def test_what_is_erased_is_gone_from_the_file(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text("one\n")
    file: TranscriptFile = reopen_transcript(path, 1)
    file.append("tù\nthree\n")
    file.erase("tù\nthree\n")
    file.append("four\n")
    file.close()
    assert path.read_text(encoding="utf-8") == "one\nfour\n"


@pytest.mark.parametrize("edition", PACKAGED)
async def test_after_any_move_it_goes_on_to_an_end_with_the_same_fate(edition: str) -> None:
    game = whole_game(edition, "whole").record
    for at in (0, len(game.moves) // 2, len(game.moves) - 1):
        earlier = what_if(game, at, 1)
        assert [player.bot is None for player in earlier.players] == [False, True, False]
        other = unsaved(earlier)
        assert other.position is game.moves[at].before
        move = game.moves[at]
        if other.observation.my_turn:
            await other.submit(Bundle(move.seat, move.steps))
            assert game.rules.digest(other.position) == game.rules.digest(move.after)
        await other.close()


@pytest.mark.parametrize("edition", PACKAGED)
@pytest.mark.long
async def test_cards_that_nobody_knows_are_dealt_anew(edition: str) -> None:
    """The rest of a game can be played out by a seat that knows its own hand only, always with the same cards."""
    known = whole_game(edition, "unknown").record
    own = {card for move in known.moves for card in move.before.seats[1].recipes}
    game = replace(known, faces={card: face for card, face in known.faces.items() if card in own})
    at = len(game.moves) * 2 // 3
    ends = []
    for _ in range(2):
        other = unsaved(what_if(game, at, 1))
        assert other.observation.faces.items() <= known.faces.items(), "one's own hand stays"

        async def play(other: LocalGame = other) -> None:
            while other.position.outcome is None:
                if other.observation.my_turn:
                    await play_person(other)
                await asyncio.sleep(0)

        playing = asyncio.create_task(play())
        happened = [event async for event in other.events()]
        await playing
        assert isinstance(happened[-1], Ended)
        ends.append(other.rules.digest(other.position))
        await other.close()
    assert ends[0] == ends[1]


def test_nobody_goes_on_where_the_game_or_the_seat_has_ended() -> None:
    game = whole_game("classic", "over").record
    assert not may_branch(game, len(game.moves), 1)
    assert not may_branch(replace(game, moves=()), 0, 1)
    assert may_branch(game, len(game.moves) - 1, 1)
    assert [turn_start(game, turn) for turn in (0, 10_000)] == [0, len(game.moves)]
    for turn in (1, 3):
        assert game.moves[turn_start(game, turn)].before.turn == turn

"""Games on one machine: people, bots, saved and continued."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from tests.games.seeded import SeededGame
from wasabi_tx.engine.editions import PACKAGED, rules_for
from wasabi_tx.engine.errors import Illegal, RulesError, Stale
from wasabi_tx.engine.step import Bundle, Step
from wasabi_tx.games.bot_process import WorkerProcess
from wasabi_tx.games.draft import Draft
from wasabi_tx.games.game import Ended, Game, Played, Player, SeatLeft
from wasabi_tx.games.local import LocalGame
from wasabi_tx.games.transcript import read_transcript

ANA, BO = Player("Ana"), Player("Bo")
KAPPA = Player("Kappa", "normal")


class Sheet:
    """A journal in memory."""

    def __init__(self, text: str = "") -> None:
        self.text = text

    def append(self, text: str) -> None:
        self.text += text


@pytest.fixture
async def opened() -> AsyncIterator[list[LocalGame]]:
    """Yield a list of games that are closed after the test."""
    games: list[LocalGame] = []
    yield games
    for game in games:
        await game.close()


async def play_person(game: LocalGame) -> None:
    """Let the person to move play legal steps until the bundle is complete."""
    draft = Draft(game.observation)
    while not draft.complete:
        draft.add(draft.legal()[-1])
    await game.submit(draft.bundle())


async def play_to_end(game: LocalGame, bundles: int = 10_000) -> None:
    """Let everybody play, for at most that number of bundles."""

    async def people() -> None:
        while game.position.outcome is None:
            if game.observation.my_turn and game.players[game.position.mover].bot is None:
                await play_person(game)
            await asyncio.sleep(0)

    task = asyncio.create_task(people())
    async for event in game.events():
        bundles -= isinstance(event, Played)
        if bundles <= 0:
            break
    task.cancel()


@pytest.mark.parametrize("edition", PACKAGED)
async def test_people_and_bots_play_to_the_end_and_the_transcript_tells_the_same_game(
    edition: str, opened: list[LocalGame]
) -> None:
    sheet = Sheet()
    rules = rules_for(edition, 3)
    game = LocalGame(rules, (ANA, KAPPA, Player("Roe", "random")), "a game", sheet.append)
    opened.append(game)
    followed: Game = game
    await play_to_end(game)
    assert followed.observation.position.outcome is not None
    told = read_transcript(sheet.text, rules_for)
    assert rules.digest(told.last) == rules.digest(game.position)
    assert told.players == game.players
    assert not told.torn


async def test_one_seed_gives_one_game(opened: list[LocalGame]) -> None:
    sheets = [Sheet(), Sheet()]
    for sheet in sheets:
        game = LocalGame(rules_for("classic", 2), (KAPPA, Player("Roe", "easy")), "same", sheet.append)
        opened.append(game)
        events = [event async for event in game.events()]
        assert isinstance(events[-1], Ended)
    assert sheets[0].text == sheets[1].text


async def test_a_game_cut_short_goes_on_as_if_nothing_had_happened(opened: list[LocalGame]) -> None:
    rules = rules_for("classic", 2)
    whole, cut = Sheet(), Sheet()
    game = LocalGame(rules, (ANA, KAPPA), "resume", whole.append)
    opened.append(game)
    await play_to_end(game)
    first = LocalGame(rules, (ANA, KAPPA), "resume", cut.append)
    opened.append(first)
    await play_to_end(first, bundles=9)
    await first.close()
    second = LocalGame.resumed(read_transcript(cut.text, rules_for), cut.append)
    opened.append(second)
    await play_to_end(second)
    assert cut.text == whole.text


async def test_what_is_wrong_changes_nothing(opened: list[LocalGame]) -> None:
    sheet = Sheet()
    game = LocalGame(rules_for("classic", 2), (ANA, BO), "wrong", sheet.append)
    opened.append(game)
    saved, position = sheet.text, game.position
    other = 1 - position.mover
    with pytest.raises(Stale, match="not-your-turn"):
        await game.submit(Bundle(other, (game.observation.legal()[0],)))
    with pytest.raises(RulesError):
        await game.submit(Bundle(position.mover, (Step("place", (1, 0)),)))
    assert (sheet.text, game.position) == (saved, position)


async def test_nobody_plays_for_a_bot(opened: list[LocalGame]) -> None:
    game = LocalGame(rules_for("classic", 2), (KAPPA, KAPPA), "bots", Sheet().append)
    opened.append(game)
    with pytest.raises(Illegal, match="not-your-seat"):
        await game.submit(Bundle(game.position.mover, ()))


async def test_the_screen_looks_through_the_eyes_of_the_person_to_move(opened: list[LocalGame]) -> None:
    game = LocalGame(rules_for("classic", 3), (ANA, KAPPA, BO), "eyes", Sheet().append)
    opened.append(game)
    seen = set()
    for _ in range(30):
        mover = game.position.mover
        if game.players[mover].bot is None:
            assert game.observation.seat == mover
            assert set(game.observation.faces) <= set(game.position.seats[mover].recipes)
            seen.add(mover)
            await play_person(game)
        else:
            assert game.observation.seat in (0, 2)
            await play_one_event(game)
    assert seen == {0, 2}


async def play_one_event(game: LocalGame) -> None:
    moves = game.position
    async for _ in game.events():
        if game.position is not moves:
            return


async def test_leaving_ends_a_game_of_two(opened: list[LocalGame]) -> None:
    sheet = Sheet()
    game = LocalGame(rules_for("classic", 2), (ANA, BO), "leave", sheet.append)
    opened.append(game)
    await game.quit(0)
    events = [event async for event in game.events()]
    assert isinstance(events[0], SeatLeft)
    assert isinstance(events[-1], Ended)
    assert events[-1].outcome.winners == (1,)
    assert read_transcript(sheet.text, rules_for).last.outcome == events[-1].outcome


async def test_closing_ends_the_events_and_the_bots_process(opened: list[LocalGame]) -> None:
    game = LocalGame(rules_for("classic", 2), (ANA, KAPPA), "close", Sheet().append)
    opened.append(game)
    await play_to_end(game, bundles=8)
    worker = game._thinker._worker
    assert isinstance(worker, WorkerProcess)
    await game.close()
    assert worker.process.returncode == 0
    assert [event async for event in game.events()] == []
    with pytest.raises(Stale, match="game-closed"):
        await game.submit(Bundle(0, ()))


def test_seeded_games_reach_an_end() -> None:
    game = SeededGame(rules_for("classic", 4), "end")
    while game.position.outcome is None:
        game.position = game.draft().position
    assert game.position.outcome.ending in game.rules.endings

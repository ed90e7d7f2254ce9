"""People at other machines: the table shows what they are doing, and shows them what the person here does."""

from __future__ import annotations

import pytest

from wasabi_tx.games.game import Can, Overdue, Said, SeatState, SeatStates
from wasabi_tx.text import Texts
from wasabi_tx.tui.screens.curtain import Paused

from .player import keys_for, presses
from .scripted import HERE, ScriptedGame, Seen, at_table

SIZES = [(40, 15), (80, 24), (120, 40), (200, 50)]


def elsewhere() -> ScriptedGame:
    """Return a table at which somebody else is to move."""
    game = ScriptedGame()
    return ScriptedGame(seat=(game.position.mover + 1) % 3)


@pytest.mark.grid
@pytest.mark.parametrize("language", ["en", "it"])
@pytest.mark.parametrize("size", SIZES)
async def test_what_is_done_elsewhere_shows_at_once_at_every_size(size: tuple[int, int], language: str) -> None:
    game, texts = elsewhere(), Texts(language)
    mover = game.position.mover
    name = game.players[mover].name
    async with at_table(game, size=size, language=language) as seen:
        assert texts.say("tui.waits", name=name) in seen.words
        for state in (SeatState.COMPOSING, SeatState.PAUSED, SeatState.RECONNECTING, SeatState.CLOSED):
            await seen.hear(SeatStates(tuple(state if seat == mover else HERE for seat in range(3))))
            assert texts.say(f"news.seat-{state}", name=name)[1:] in seen.words, state
        await seen.hear(Overdue(mover, "reconnecting", 5))
        assert texts.say("news.seat-reconnecting", name=name)[1:] in seen.words
        await seen.hear(Overdue(mover, "reconnecting", 0), SeatStates((HERE,) * 3))
        assert texts.say("tui.waits", name=name) in seen.words


@pytest.mark.parametrize("size", SIZES)
async def test_a_sign_behind_each_name_says_it_too(size: tuple[int, int]) -> None:
    signs = {SeatState.COMPOSING: "…", SeatState.PAUSED: "‖", SeatState.RECONNECTING: "◌", SeatState.CLOSED: "○"}
    async with at_table(ScriptedGame(), size=size) as seen:
        assert "Bo" in seen.panel("players")
        for state, sign in signs.items():
            await seen.hear(SeatStates((HERE, state, HERE)))
            assert f"Bo {sign}" in seen.panel("players"), state
        await seen.hear(SeatStates((HERE,) * 3))
        assert not any(f"Bo {sign}" in seen.panel("players") for sign in signs.values())


async def begin_turn(seen: Seen) -> None:
    """Choose the first step of a turn by keys."""
    plan = seen.table.followed.plan
    assert plan is not None
    for press in presses(plan, plan.draft.legal()[0]):
        await seen.press(*keys_for(plan, press))
    assert plan.draft.steps, "a step is chosen"


async def test_others_see_that_a_turn_is_begun_taken_back_and_begun_again_and_nothing_of_it() -> None:
    game = ScriptedGame()
    game.viewer = game.position.mover
    async with at_table(game) as seen:
        await seen.until(lambda: seen.table.followed.plan is not None)
        await begin_turn(seen)
        await seen.until(lambda: game.doings == [SeatState.COMPOSING])
        await seen.press("backspace")
        await seen.until(lambda: game.doings == [SeatState.COMPOSING, HERE])
        await begin_turn(seen)
        await seen.until(lambda: game.doings == [SeatState.COMPOSING, HERE, SeatState.COMPOSING])
        assert not game.asked


async def test_a_pause_covers_the_table_and_the_others_see_it() -> None:
    async with at_table(ScriptedGame()) as seen:
        await seen.press("f4")
        assert isinstance(seen.app.screen, Paused)
        await seen.until(lambda: seen.game.doings == [SeatState.PAUSED])
        await seen.hear(Said(1, "Bo", "take your time"))
        assert isinstance(seen.app.screen, Paused), "what happens meanwhile uncovers nothing"
        await seen.press("1", "o", "x")
        assert not seen.game.asked, "no key plays"
        await seen.press("enter")
        await seen.until(lambda: seen.game.doings == [SeatState.PAUSED, HERE])
        assert "take your time" in seen.words


async def test_a_watcher_shows_nothing() -> None:
    async with at_table(ScriptedGame(None, Can.CHAT)) as seen:
        await seen.press("enter", "f4")
        assert not seen.game.doings

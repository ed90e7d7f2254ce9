"""Motion: what happens is seen for a moment, one thing at a time; any key ends it, and nothing waits for it."""

from __future__ import annotations

import asyncio
from unittest.mock import patch

import pytest
from textual.pilot import Pilot

from tests.brokers import PATIENCE
from wasabi_tx.app.settings import PACES, Settings
from wasabi_tx.text import LANGUAGES, Texts
from wasabi_tx.tui.app import WasabiApp
from wasabi_tx.tui.beats import SECONDS, move_beats, own_beats, seconds_of
from wasabi_tx.tui.motion import FOR_EVER, Beat, Motion
from wasabi_tx.tui.views.flash import Flash
from wasabi_tx.tui.widgets.painted import Painted
from wasabi_tx.tui.widgets.table.board import Board
from wasabi_tx.view.log.feat import Feat, feat_words
from wasabi_tx.view.log.happening import Happening, happening_of

from .gate import Gate, send_turn
from .memory_games import app_at, played, seats
from .on_screen import shown, squares_on, table_of, table_words

LIVELY = Settings(bell=False)
TURN = 21
"""The turn in which the third tile of the hand completes a recipe on f3."""


def happenings(turn: int = 30) -> list[Happening]:
    """Yield every move of a game."""
    transcript = played(turn, "classic", seats(1, 3), "picture")[1]
    return [
        happening_of(transcript.rules, move.seat, move.before, move.steps)
        for move in transcript.moves
        if move.seat >= 0 and move.before.turn
    ]


def test_a_happening_has_the_points_that_the_seat_got() -> None:
    transcript = played(30, "classic", seats(1, 3), "picture")[1]
    moves = [move for move in transcript.moves if move.seat >= 0 and move.before.turn]
    assert any(one.completed for one in happenings())
    for move, found in zip(moves, happenings(), strict=True):
        assert found.gained == move.after.seats[move.seat].score - move.before.seats[move.seat].score
        for won in found.completed:
            assert len(won.squares) == transcript.rules.edition.recipes[won.recipe].length


@pytest.mark.parametrize("pace", ["fast", "normal", "slow"])
def test_a_move_is_shown_for_as_long_as_the_pace_says_at_most_twelve_pictures_a_second(pace: str) -> None:
    for happening in happenings():
        beats = move_beats(happening, (), seconds_of(pace, reduced=False))
        assert sum(beat.seconds for beat in beats) == pytest.approx(SECONDS[pace])
        assert all(beat.seconds >= 1 / 12 for beat in beats)
        assert beats[0].flash.squares == happening.changed
        counted = [beat.flash.counted for beat in beats]
        assert counted == sorted(counted)
        assert counted[-1] == happening.gained, "in the end the total is what it is"
        for won in happening.completed:
            assert won.squares in [beat.flash.squares for beat in beats]


def test_with_reduced_motion_and_without_pace_nothing_moves() -> None:
    for happening in happenings():
        for pace, reduced in (("none", False), *((one, True) for one in PACES)):
            seconds = seconds_of(pace, reduced)
            assert move_beats(happening, (), seconds) == ()
            assert own_beats(happening, 6, "Ink Positive", Feat(2, 4, 10), Texts("en"), seconds) == ()


FEATS = (Feat(), Feat(in_a_row=2), Feat(first_of=5), Feat(last_token=10))
"""One feat of each grade."""


@pytest.mark.parametrize("pace", ["fast", "normal", "slow"])
def test_a_celebration_grows_with_the_feat_is_short_and_counts_its_points_up(pace: str) -> None:
    happening = next(one for one in happenings() if one.completed)
    won, lasted = happening.completed[-1], []
    for feat in FEATS:
        beats = own_beats(happening, 6, "Ink Positive", feat, Texts("en"), seconds_of(pace, reduced=False))
        counted = [beat.flash.counted for beat in beats]
        assert counted == sorted(counted)
        assert counted[0] > 0
        assert counted[-1] == won.points + won.cubes == beats[-1].flash.gained
        assert beats[-1].flash.sparks == 0, "what stays in the end does not move"
        assert all(beat.seconds >= 1 / 12 for beat in beats)
        lasted.append(sum(beat.seconds for beat in beats))
    assert lasted == sorted(lasted)
    assert lasted[0] < lasted[-1] < 2.5 * SECONDS[pace] / SECONDS["normal"] + 1
    assert [feat.grade for feat in FEATS] == [0, 1, 2, 3]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 50)])
@pytest.mark.parametrize("feat", FEATS[1:])
async def test_a_feat_is_told_beside_its_line(feat: Feat, size: tuple[int, int], language: str) -> None:
    app = app_at(TURN, seed="picture", settings=LIVELY, language=language)
    with patch("wasabi_tx.tui.screens.table.moving.feat_of", lambda *_: feat):
        async with app.run_test(size=size) as pilot:
            gate, table = Gate.at(app, pilot), table_of(app)
            await pilot.press("3", "f", "3", "enter")
            await gate.arrived()
            board, told = table.query_one(Board), []
            while table.moving.motion.flash is not None:
                told.append(board.words)
                if not await gate.next():
                    break
            assert len(told) == 4 + 2 * feat.grade + 1
            assert all(feat_words(feat, app.texts) in words for words in told)


async def test_only_one_thing_moves() -> None:
    drawn = []
    motion = Motion(lambda: drawn.append(motion.flash))
    one, other = Flash(0, told=("one",)), Flash(1, told=("other",))
    motion.begin([Beat(one, FOR_EVER)])
    assert motion.flash == one
    motion.begin([Beat(other, 0), Beat(one, 0)])
    await motion.ended()
    assert drawn == [one, None], "the first beat is drawn by whoever begins it"


async def until_moving(app: WasabiApp, pilot: Pilot[None]) -> None:
    async with asyncio.timeout(PATIENCE):
        while table_of(app).moving.motion.flash is None:
            await pilot.pause()


async def test_bots_move_one_after_the_other_and_each_is_told_and_framed() -> None:
    app = app_at(TURN, seed="picture", settings=LIVELY)
    async with app.run_test(size=(120, 40)) as pilot:
        gate, table = Gate.at(app, pilot), table_of(app)
        await send_turn(app)
        told = []
        for seat in (1, 2, 3):
            await until_moving(app, pilot)
            await gate.arrived()
            flash = table.moving.motion.flash
            assert flash is not None
            assert flash.seat == seat
            assert table.opened.game.position.mover == (seat + 1) % 4, "the next bot has not moved yet"
            told.append(shown(app, "bar"))
            name = table.opened.game.players[seat].name
            assert f"{name} is playing" in shown(app, "header")
            assert "any key skip" in shown(app, "keys")
            view = table.query_one(Board).view
            assert view is not None
            framed = {square for frame in view.frames for square in frame.squares}
            assert framed == set(flash.squares)
            while await gate.next() and (now := table.moving.motion.flash) is not None and now.seat == seat:
                assert table.opened.game.position.mover == (seat + 1) % 4
        assert len(set(told)) == 3
        assert [name in words for name, words in zip(("Udon", "Mochi", "Miso"), told, strict=True)] == [True] * 3
        await table.moving.motion.ended()
        assert table.followed.plan is not None
        assert "YOUR TURN" in shown(app, "header")


async def test_any_key_ends_what_moves_and_does_what_it_does() -> None:
    app = app_at(TURN, bots=1, seed="picture", settings=LIVELY)
    async with app.run_test(size=(120, 40)) as pilot:
        gate, table = Gate.at(app, pilot), table_of(app)
        await send_turn(app)
        await until_moving(app, pilot)
        await gate.arrived()
        assert table.followed.plan is not None, "our turn has begun, though the last move is still shown"
        await pilot.press("1")
        assert table.moving.motion.flash is None
        assert table.followed.plan.begun, "the key has picked up a tile"


async def test_until_a_key_is_pressed_a_move_stays() -> None:
    settings = Settings(bell=False, pace="key")
    app = app_at(TURN, seed="picture", settings=settings)
    async with app.run_test(size=(120, 40)) as pilot:
        table = table_of(app)
        await send_turn(app)
        seen = []
        for _ in range(3):
            await until_moving(app, pilot)
            flash = table.moving.motion.flash
            assert flash is not None
            seen.append(flash.seat)
            await pilot.press("enter")
        assert seen == [1, 2, 3]
        assert table.followed.plan is not None


async def test_a_completed_recipe_is_celebrated_beside_its_line() -> None:
    app = app_at(TURN, seed="picture", settings=LIVELY)
    async with app.run_test(size=(120, 40)) as pilot:
        gate, table = Gate.at(app, pilot), table_of(app)
        board = table.query_one(Board)
        before = shown(app, "players")
        await pilot.press("3", "f", "3")
        await pilot.press("enter")
        await gate.arrived()
        flash = table.moving.motion.flash
        assert flash is not None
        assert flash.recipe == "Salmon Enchanted"
        assert "✓ Salmon Enchanted" in shown(app, "recipes")
        assert "completed!" in shown(app, "recipes")
        assert "+3" in shown(app, "players")
        assert board.view is not None
        assert board.view.banner is not None
        assert "Salmon Enchanted" in board.words
        assert "3 points" in board.words
        lines = {name for name in ("Salmon", "Avocado", "Rice") if name in board.words}
        assert lines == {"Salmon", "Avocado", "Rice"}, "the banner never covers the line"
        while await gate.next():
            pass
        assert board.view.banner is None
        assert "+3" not in shown(app, "players")
        assert shown(app, "players") != before


async def test_enter_during_a_celebration_only_ends_it() -> None:
    app = app_at(TURN, seed="picture", settings=LIVELY)
    async with app.run_test(size=(80, 24)) as pilot:
        gate, table = Gate.at(app, pilot), table_of(app)
        await pilot.press("3", "f", "3", "enter")
        await gate.arrived()
        assert table.moving.celebrates
        plan = table.followed.plan
        assert plan is not None
        before = plan.draft.steps
        await pilot.press("enter")
        assert not table.moving.celebrates
        assert plan.draft.steps == before
        await pilot.press("enter")
        assert plan.draft.steps != before or table.followed.plan is not plan


async def test_a_laid_tile_settles_in_two_pictures() -> None:
    app = app_at(TURN, seed="picture", settings=LIVELY)
    async with app.run_test(size=(120, 40)) as pilot:
        gate, table = Gate.at(app, pilot), table_of(app)
        await pilot.press("1", "a", "6")
        board, settled = table.query_one(Board), []
        await gate.arrived()
        while True:
            settled.append(squares_on(board)[35].settled)
            if not await gate.next():
                break
        assert settled == [0.0, 0.5]
        assert squares_on(board)[35].settled == 1.0
        assert gate.waited == [0.06, 0.06]


async def test_nothing_is_drawn_while_nothing_moves() -> None:
    app = app_at(TURN, seed="picture", settings=LIVELY)
    async with app.run_test(size=(120, 40)) as pilot:
        table = table_of(app)
        await pilot.pause()
        await table.moving.motion.ended()
        assert table.moving.motion._task is None
        painted = [panel.canvas for panel in table.query(Painted)]
        await pilot.pause()
        assert all(panel.canvas is before for panel, before in zip(table.query(Painted), painted, strict=True))


@pytest.mark.long
async def test_everything_that_moves_fits_every_size() -> None:
    app = app_at(TURN, seed="picture", settings=LIVELY)
    async with app.run_test(size=(120, 40)) as pilot:
        gate, table = Gate.at(app, pilot), table_of(app)
        await pilot.press("3", "f", "3", "enter")
        for words in ("+3", "Udon"):
            await until_moving(app, pilot)
            await gate.arrived()
            while (flash := table.moving.motion.flash) is not None and flash.counted < flash.gained:
                assert await gate.next(), "the points are counted up before it ends"
            for size in ((40, 15), (60, 20), (80, 24), (100, 32), (200, 50), (120, 40)):
                await pilot.resize_terminal(*size)
                await pilot.pause()
                seen = table_words(table)
                assert words in seen, size
            if words == "+3":
                await send_turn(app)

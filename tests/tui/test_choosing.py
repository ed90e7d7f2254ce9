"""The table while a turn is chosen: it shows only keys that work, explains cards, and says each thing once."""

from __future__ import annotations

import pytest

from tests.view.tables import seen
from wasabi_tx.app.settings import Settings
from wasabi_tx.engine.observe import Observation
from wasabi_tx.games.game import Can
from wasabi_tx.lessons.progress import Progress
from wasabi_tx.text import Texts
from wasabi_tx.tui.app import WasabiApp
from wasabi_tx.tui.widgets.painted import Painted

from .gate import Gate, send_turn
from .memory_games import MemoryGames, app_at, played, seats
from .on_screen import shown, table_of
from .scripted import ScriptedGame, Seen, at_table

TEXTS = Texts("en")
HAND = "tiles Tu Av Ri | cards {} | recipes tekkamaki crunchy-tuna"


def rewarded(cards: str = "-") -> Observation:
    """Return a position after somebody has completed a recipe and may take a card."""
    return seen(turn="7, seat 1, restock", mine=HAND.format(cards), more="this turn: rewards 1\nwasabi: a5")


def keys(table: Seen) -> str:
    return " ".join(table.panel("keys").split())


def bar(table: Seen) -> str:
    return " ".join(table.panel("bar").replace("▌", " ").split())


async def test_keys_that_would_be_refused_are_not_named() -> None:
    async with at_table(ScriptedGame.at(seen("a6=Pi", mine=HAND.format("Ch")))) as table:
        assert keys(table).startswith("1–3 tile 4 card ")
        await table.press("1")
        assert keys(table).startswith("arrows move a–e 1–6 square ")
        assert "tile" not in keys(table)
        await table.press("d", "3")
        assert keys(table).startswith("Ri a pantry code 4 card "), "a card may still be played after the tile"
        await table.press(*"Cu")
        assert keys(table).startswith("2–5 length ")
        await table.press("2")
        assert "Draw the recipe" in bar(table)
        assert keys(table).startswith("Bksp undo "), keys(table)
    async with at_table(ScriptedGame.at(rewarded())) as table:
        assert keys(table).startswith("Ch card ")
    async with at_table(ScriptedGame.at(rewarded("Ch St"))) as table:
        assert keys(table).startswith("4 5 card ")
    async with at_table(ScriptedGame.at(seen(mine=HAND.format("-")))) as table:
        await table.press("p")
        assert keys(table).startswith("6 7 recipe ")
        assert "arrows" not in keys(table)


@pytest.mark.parametrize("size", [(40, 15), (80, 24), (100, 32), (120, 40), (200, 50)])
@pytest.mark.parametrize("suggested", [0, 1])
async def test_choices_that_are_cut_end_with_a_sign(size: tuple[int, int], suggested: int) -> None:
    game = ScriptedGame.at(seen())
    game.can |= Can.HINT if suggested else Can.NOTHING
    async with at_table(game, size) as table:
        await table.press("1", "d", "3")
        plan = table.table.followed.plan
        assert plan is not None
        there = set(bar(table).split()) & set(plan.offered_codes)
        cut = len(there) < len(plan.offered_codes) - suggested
        assert cut == (size[0] < (200 if suggested else 120)), "all but the one of the button, which needs room"
        assert ("…" in bar(table)) == cut


WHOLE = "Chop!: lift a tile; Spicy!: a second tile; Stack!: onto a tile; Switch!: swap two squares"


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 50)])
@pytest.mark.parametrize("hints", [Can.NOTHING, Can.HINT])
async def test_a_card_to_take_says_what_it_does_at_every_size(size: tuple[int, int], hints: Can) -> None:
    game = ScriptedGame.at(rewarded())
    game.can = Can.PLAY | hints
    async with at_table(game, size) as table:
        story = " ".join(table.panel("story").split())
        if size[0] < 200:
            assert WHOLE in story
        else:
            assert WHOLE not in story
            first = "Enter Chop!" if hints else "take a card: Chop!"
            assert f"{first} lift a tile Spicy! a second tile Stack! onto a tile" in bar(table)
        await table.press("s")
        assert bar(table).startswith("s_ Spicy! a second tile Stack! onto a tile Switch! swap two squares")
        assert (WHOLE in " ".join(table.panel("story").split())) == (size[0] < 200), "nothing jumps"


async def test_half_a_code_and_enter_take_no_card() -> None:
    async with at_table(ScriptedGame.at(rewarded())) as table:
        await table.press("s", "enter")
        plan = table.table.followed.plan
        assert plan is not None
        assert not plan.draft.steps
        assert "not complete" in bar(table)


async def test_where_talk_leaves_one_row_the_card_that_enter_takes_says_what_it_does() -> None:
    async with at_table(ScriptedGame.at(rewarded())) as table:
        assert table.panel("story").splitlines()[0].strip() == "Chop!: lift a tile"


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 50)])
async def test_a_note_for_beginners_is_told_once_and_whole(size: tuple[int, int]) -> None:
    settings = Settings(reduced_motion=True, bell=False, notes=True)
    app = app_at(21, bots=1, seed="picture", settings=settings)
    app.progress = Progress(noted=frozenset({"wasabi", "stack", "last"}))
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        table_of(app)._moved()
        await pilot.pause()
        note = TEXTS.say("note.card", key="v")
        places = [" ".join(shown(app, panel).split()) for panel in ("asked", "story")]
        assert [note in words for words in places].count(True) == 1
        assert sum(words.count(note[:20]) for words in places) == 1, "nor is half of it told"


async def test_a_full_hand_is_explained_in_the_step_in_which_it_matters() -> None:
    async with at_table(ScriptedGame.at(rewarded("Ch St"))) as table:
        table.app.settings = Settings(reduced_motion=True, bell=False, notes=True)
        table.table.draw()
        await table.pilot.pause()
        assert TEXTS.say("note.full", key="v") in " ".join(table.panel("asked").split())


async def test_where_there_is_little_room_a_move_that_is_shown_is_told_once() -> None:
    app = app_at(21, bots=1, seed="picture", settings=Settings(bell=False))
    async with app.run_test(size=(80, 24)) as pilot:
        gate = Gate.at(app, pilot)
        await send_turn(app)
        await gate.arrived()
        flash = table_of(app).moving.motion.flash
        assert flash is not None
        name = table_of(app).opened.game.players[flash.seat].name
        assert name in shown(app, "bar")
        assert name not in shown(app, "story")
        while await gate.next():
            pass
        await table_of(app).moving.motion.ended()
        assert name in shown(app, "story"), "afterwards all of it can be read"


async def test_no_key_swaps_recipes_in_a_replay_or_at_a_finished_table() -> None:
    text, earlier = played(10_000, "classic", seats(1, 1), "over")
    games = MemoryGames()
    app = WasabiApp(games, opened=games.take_up(text, earlier), language="en")
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        await pilot.press("b")
        await pilot.pause()
        words = " ".join(shown(app, "recipes").split())
        app.open_replay(earlier)
        await pilot.press("end")
        await pilot.pause()
        replayed = " ".join(app.screen.query_one("#recipes", Painted).words.split())
        for recipes in (words, replayed):
            assert "No free line" in recipes, "the example must have a recipe without a line"
            assert "swaps it" not in recipes


async def test_on_a_recipe_card_a_status_begins_with_a_capital_also_where_it_is_short() -> None:
    mine = "tiles Tu Av Ri | recipes tekkamaki kelp-wanted hanami-picnic"
    async with at_table(ScriptedGame.at(seen(mine=mine, players=3)), (113, 40)) as table:
        assert "Not begun" in table.panel("recipes")
        assert "not begun" not in table.panel("recipes")

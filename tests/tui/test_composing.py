"""While others move at a table online, a person can plan a later turn and leave it, see it and take it back."""

from __future__ import annotations

import re

import pytest

from wasabi_tx.games.game import CardsArrived, PlanDropped, PlanPlayed, Ready, SeatState, SeatStates
from wasabi_tx.games.plans import NO_PLANS, NotPlayed, PlannedTurn, Plans
from wasabi_tx.text import LANGUAGES, Texts
from wasabi_tx.view.log.phrases import planned

from .on_screen import every_word
from .scripted import TALKING, ScriptedGame, Seen, at_table, others_move, waiting_game


async def compose(seen: Seen) -> None:
    """Plan a whole turn with the first offer of each moment, since a table without hints suggests nothing."""
    for _ in range(30):
        plan = seen.table.followed.plan
        assert plan is not None
        if plan.ready:
            return
        if plan.begun and plan.squares:
            if plan.message or plan.cursor not in plan.squares:
                plan.cursor = min(plan.squares)
            await seen.press("enter")
        elif plan.offered_codes:
            await seen.press(*min(plan.offered_codes))
        else:
            await seen.press("1" if plan.moment.prompt.slot == "place" else "enter")
    raise AssertionError("this plan does not end")


async def test_a_turn_is_planned_left_seen_and_taken_back() -> None:
    game = waiting_game()
    async with at_table(game, (120, 40)) as seen:
        assert "n plan your next turn" in seen.words
        await seen.press("n")
        assert "planning ahead" in seen.panel("header")
        assert "Your turn" not in seen.panel("header")
        await compose(seen)
        turn = game.position.turn + 1
        assert f"This is for turn {turn}." in seen.panel("bar")
        await seen.press("space")
        assert game.asked == [("save_plans", 1)]
        (one,) = game.plans.turns
        assert one.turn == turn
        assert seen.table.followed.plan is None
        assert f"▸ turn {turn}:" in seen.words
        assert "Bksp undo the last" in seen.words
        await seen.press("backspace")
        assert game.plans == NO_PLANS
        assert "▸ turn" not in seen.words
        steps = ", ".join(planned(Texts("en"), game.rules, game.rules.parse(one.steps)))
        assert f"Taken back: turn {turn}, {steps}." in seen.told


async def test_enter_saves_a_whole_plan_too_and_the_next_one_is_for_the_turn_after() -> None:
    game = waiting_game(2)
    async with at_table(game, (120, 40)) as seen:
        await seen.press("n")
        await compose(seen)
        await seen.press("enter")
        await seen.press("escape")
        (one,) = game.plans.turns
        await seen.press("n")
        plan = seen.table.followed.plan
        assert plan is not None
        assert plan.draft.base.position.turn == one.turn + 3


PLANS = ("place Ri f4; done; tile Tu", "place Ye f4; done; tile Tu", "place Sa e4; done; tile Sa")


def three_plans(game: ScriptedGame) -> Plans:
    """Return a plan for each of the next three turns."""
    squares = (("e4", "."), ("f4", "."))
    turns = (game.position.turn + 1 + 3 * number for number in range(3))
    return Plans(tuple(PlannedTurn(turn, steps, "play", squares) for turn, steps in zip(turns, PLANS, strict=True)))


@pytest.mark.grid
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", [(40, 15), (80, 24), (120, 40), (200, 50)])
async def test_every_plan_can_be_read_in_words_and_the_keys_for_them_are_offered(
    size: tuple[int, int], language: str
) -> None:
    game, texts = waiting_game(), Texts(language)
    async with at_table(game, size, language) as seen:
        assert re.search(r"\bn \w+", seen.panel("keys"))
        game.plans = three_plans(game)
        await seen.hear(SeatStates((SeatState.CLOSED,) * 3))
        keys = seen.panel("keys")
        assert all(re.search(rf"(^| ){key} \w+", keys) for key in ("n", "Bksp")), keys
        if size[0] >= 120:
            assert all(forms[1] in seen.words for forms in seen.table.followed.plans)
        await seen.press("o")
        page = " ".join(every_word(seen.app).split())
        for one in game.plans.turns:
            assert page.count(", ".join(planned(texts, game.rules, game.rules.parse(one.steps)))) == 1


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_plans_leave_room_for_what_happened_and_none_is_told_twice(size: tuple[int, int]) -> None:
    game = waiting_game(2)
    async with at_table(game, size) as seen:
        game.plans = three_plans(game)
        await seen.hear(others_move(game))
        assert seen.words.count("put Rice on f4, take Tuna") == 1
        assert "Ana put Maki" in seen.words
        assert seen.words.count("put Salmon on e4, take Salmon") == (1 if size[0] == 120 else 0)
        assert ("▸ 2 more plans: o" in seen.words) == (size[0] == 80)


async def test_what_is_planned_ahead_is_at_hand_when_the_turn_comes() -> None:
    game = waiting_game()
    async with at_table(game, (120, 40)) as seen:
        await seen.press("n", "1", "enter")
        steps = seen.table.followed.plan and seen.table.followed.plan.draft.steps
        assert steps
        await seen.hear(others_move(game))
        while game.position.mover != game.viewer:
            await seen.hear(others_move(game))
        now = seen.table.followed
        assert now.plan is not None
        assert not now.composing
        assert now.plan.draft.steps == steps or now.plan.message, "it is kept, or told why not"


async def test_it_is_told_that_it_was_played_and_why_it_was_not() -> None:
    game = waiting_game()
    async with at_table(game, (120, 40)) as seen:
        await seen.hear(PlanPlayed(9))
        assert "Your plan for turn 9 was played." in seen.told
        await seen.hear(others_move(game))
        while game.position.mover != game.viewer:
            await seen.hear(others_move(game))
        why = NotPlayed(game.position.turn, "square", "d3")
        game.plans = Plans((), why)
        await seen.hear(PlanDropped(why))
        assert "Your plan was not played: d3 has changed." in seen.words


async def test_the_log_says_which_turns_were_played_as_planned() -> None:
    game = waiting_game()
    async with at_table(game, (120, 40)) as seen:
        game.plans = Plans(played=(game.position.turn + 1,))
        for _ in range(2):
            await seen.hear(others_move(game))
        await seen.press("o")
        assert "You (as planned) put" in every_word(seen.app)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_why_it_was_not_played_and_what_went_with_it_is_told_to_the_last_word(language: str) -> None:
    game = waiting_game()
    while game.position.mover != game.viewer:
        game.position = others_move(game).after
    game.plans = Plans((), NotPlayed(game.position.turn, "gone", "", "draw 3", (13, 16)))
    async with at_table(game, (80, 24), language) as seen:
        why, dropped = seen.table.followed.unplayed
        assert why in seen.words
        assert dropped in seen.words


@pytest.mark.parametrize("size", [(80, 24), (40, 20)])
async def test_the_key_is_offered_at_every_size_and_does_nothing_where_nothing_can_be_left(
    size: tuple[int, int],
) -> None:
    game = waiting_game()
    async with at_table(game, size) as seen:
        await seen.press("n")
        assert seen.table.followed.composing
        await seen.press("escape")
        assert not seen.table.followed.composing
    alone = ScriptedGame(waiting_game().viewer, can=TALKING)
    async with at_table(alone, size) as seen:
        await seen.press("n")
        assert seen.table.followed.plan is None
        assert alone.asked == []


async def test_before_the_first_turn_nothing_is_offered_that_would_be_refused() -> None:
    game = waiting_game()
    game.position = game.position.evolve()
    game.position.turn = 0
    async with at_table(game, (120, 40)) as seen:
        assert "plan your next turn" not in seen.words
        await seen.press("n")
        assert not seen.table.followed.composing


async def test_a_card_that_was_known_before_it_was_heard_takes_nothing_out_of_the_hand() -> None:
    game = ScriptedGame(ScriptedGame(0).position.mover)
    async with at_table(game) as seen:
        await seen.press("1")
        plan = seen.table.followed.plan
        assert plan is not None
        assert plan.begun
        await seen.hear(CardsArrived((0,)), Ready())
        assert seen.table.followed.plan is plan

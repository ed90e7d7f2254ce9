"""Plans are described in the words of the log, in every language, and in a row of any width."""

from __future__ import annotations

import pytest

from tests.games.test_plans import EDITIONS, in_play, turn_of, waiting
from wasabi_tx.games.plans import NO_PLANS, PlannedTurn, Plans
from wasabi_tx.text import LANGUAGES, Texts
from wasabi_tx.turn.plan_lines import plan_forms, plan_lines
from wasabi_tx.view.log.phrases import planned


@pytest.mark.grid
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("edition", EDITIONS)
def test_every_plan_of_a_game_is_told_without_notation(edition: str, language: str) -> None:
    texts, verbs = Texts(language), set()
    for seed in range(12):
        game = in_play(edition, f"told {seed}", 4 + seed)
        now = waiting(game)
        foreseen = NO_PLANS.foreseen(now)
        assert foreseen is not None
        steps = turn_of(foreseen)
        verbs |= {step.verb for step in steps}
        plans = NO_PLANS.with_turn(foreseen, steps)
        (line,) = plan_lines(plans, now.rules, texts)
        ((*forms,),) = plan_forms(plans, now.rules, texts)
        assert ", ".join(planned(texts, now.rules, steps)) in line
        assert plans.turns[0].steps not in line
        assert [len(form) for form in forms] == sorted(map(len, forms), reverse=True)
        assert all(form.startswith(forms[-1].removesuffix(", …")) for form in forms)
    assert len(verbs) > 3


@pytest.mark.parametrize("edition", EDITIONS)
def test_there_are_words_for_every_step_that_a_turn_can_have(edition: str) -> None:
    rules = in_play(edition, "verbs", 1).rules
    for language in LANGUAGES:
        known = Texts(language).words("advice")
        assert set(rules.slots) - {"give"} <= set(known)


def test_what_cannot_be_read_is_said() -> None:
    rules, texts = in_play("classic", "unreadable", 1).rules, Texts("en")
    for one in (PlannedTurn(3, "place Xx a1", "play", ()), PlannedTurn(3, "place Tu a1", "play", (("z9", "."),))):
        assert plan_lines(Plans((one,)), rules, texts) == (texts.say("plans.unreadable"),)
        assert plan_forms(Plans((one,)), rules, texts) == ((texts.say("plans.unreadable"),),)


def test_the_condition_names_squares_and_says_that_what_is_taken_has_to_be_there() -> None:
    rules, texts = in_play("classic", "row", 1).rules, Texts("en")
    taking = PlannedTurn(5, "place Te d4; done; tile Ri", "play", (("d4", "."),))
    assert plan_lines(Plans((taking,)), rules, texts) == (
        "Your plan for turn 5: put Tempura on d4, take Rice."
        " Played then if nothing has changed at d4 and what it takes is still there.",
    )
    ending = PlannedTurn(5, "place Te d4; done", "play", (("d4", "."),))
    assert plan_lines(Plans((ending,)), rules, texts)[0].endswith("if nothing has changed at d4.")


def test_a_row_has_the_turn_the_steps_and_the_squares() -> None:
    rules, texts = in_play("classic", "row", 1).rules, Texts("en")
    one = PlannedTurn(5, "place Te d4; done; tile Ri", "play", (("d4", "."),), (("e4", "Tu"),))
    assert plan_forms(Plans((one,)), rules, texts) == (
        (
            "turn 5: put Tempura on d4, take Rice · if d4, e4 stay",
            "turn 5: put Tempura on d4, take Rice",
            "turn 5: put Tempura on d4, …",
        ),
    )

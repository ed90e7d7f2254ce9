"""Advice in words."""

from __future__ import annotations

import pytest

from tests.view.tables import PLAYERS, seen
from wasabi_tx.bots.reason import CODES, Number, Reason
from wasabi_tx.engine.editions import rules_for
from wasabi_tx.engine.step import Bundle
from wasabi_tx.text import LANGUAGES, Texts, load_sentences
from wasabi_tx.turn.hint import MOST, Hint, advise, hint_sentence, introduction
from wasabi_tx.view.reason import say_reason


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_of_a_bot_has_a_sentence(language: str) -> None:
    rules = seen().rules
    for code, about in CODES.items():
        numbers: dict[str, Number] = {name: (1, 2) if name.endswith("s") and name == "recipes" else 1 for name in about}
        assert say_reason(Texts(language), rules, Reason(code, numbers)).endswith((".", "!"))


def test_no_sentence_is_for_a_reason_that_no_bot_gives() -> None:
    keys = {key.removeprefix("reason.") for key in load_sentences("en") if key.startswith("reason.")}
    assert keys == set(CODES)


@pytest.mark.parametrize(
    ("language", "code", "about", "words"),
    [
        ("en", "completes", {"recipe": 0, "points": 3, "cubes": 1}, ": 3 points and 1 cube."),
        ("en", "completes", {"recipe": 0, "points": 2, "cubes": 0}, ": 2 points."),
        ("it", "completes", {"recipe": 0, "points": 3, "cubes": 1}, ": 3 punti e 1 Cubetto."),
        ("en", "takes-pool", {"cubes": 1}, " 1 cube."),
        ("it", "takes-pool", {"cubes": 4}, " 4 Cubetti."),
        ("en", "stocks", {"tile": 13}, "Carrot will be useful later."),
        ("it", "spare-tile", {"tile": 13, "square": 7}, "Carota non ti serve, e c2 non ti costa nulla."),
        ("en", "plays-card", {"card": 0}, "Chop! is worth playing now."),
        ("it", "plays-card", {"card": 0}, "Conviene giocare Chop! (Taglio!) adesso."),
    ],
)
def test_reasons_count_and_name_as_people_do(language: str, code: str, about: dict[str, Number], words: str) -> None:
    assert say_reason(Texts(language), seen().rules, Reason(code, about)).endswith(words)


def test_a_hint_completes_what_can_be_completed() -> None:
    observation = seen("b3=Te c3=Ma", mine="tiles Tu Av Ri | recipes crunchy-tuna green-dragon")
    hint = advise(observation, Texts("en"))[0]
    assert observation.rules.grammar.format(hint.steps[0]) == "place Tu d3"
    assert any("Crunchy Tuna" in reason for reason in hint.reasons)


def test_whoever_is_not_to_move_gets_no_hint() -> None:
    assert advise(seen(seat=1), Texts("en")) == []


def test_hints_differ_in_what_they_are_for_and_are_all_legal() -> None:
    observation = seen("b3=Te", mine="tiles Tu Av Ri | recipes crunchy-tuna green-dragon i-eel-good")
    hints = advise(observation, Texts("en"))
    assert 1 < len(hints) <= MOST
    assert len({hint.reasons for hint in hints}) == len(hints)
    for hint in hints:
        observation.rules.apply_bundle(observation.position, Bundle(0, hint.steps))


def test_hints_after_the_first_say_that_they_are_second_choice() -> None:
    english = Texts("en")
    assert introduction(english, 0, 3, "x") == "I would play: x."
    assert introduction(english, 1, 3, "x") == "Nearly as good (2 of 3): x."


def _told(steps: str, mine: str, language: str = "en", number: int = 0) -> str:
    observation = seen("b3=Te c3=Ma", mine=mine)
    hint = Hint(tuple(observation.rules.parse(steps)), ())
    return hint_sentence(hint, number, 3, observation, PLAYERS, Texts(language))


@pytest.mark.parametrize(
    ("language", "number", "told"),
    [
        ("en", 0, "Suggestion: cover four squares from a5 with Wasabi! and put Tuna on d3."),
        ("it", 0, "Proposta: coprire quattro caselle da a5 con Wasabi! e piazzare Tonno in d3."),
        ("en", 1, "Nearly as good (2 of 3): cover four squares from a5 with Wasabi! and put Tuna on d3."),
    ],
)
def test_a_hint_is_said_as_people_speak_without_what_only_fills_up_a_hand(
    language: str, number: int, told: str
) -> None:
    assert _told("wasabi a5; place Tu d3; done; tile Cu", "tiles Tu Av Ri | cards Wa", language, number) == told


def test_what_to_take_is_told_if_nothing_else_is_left() -> None:
    observation = seen(turn="7, seat 1, restock", mine="tiles Tu Av | recipes crunchy-tuna")
    hint = Hint(tuple(observation.rules.parse("tile Cu; draw 3")), ())
    words = hint_sentence(hint, 0, 1, observation, PLAYERS, Texts("en"))
    assert words == "Suggestion: take Cucumber and draw a recipe of 3 tiles."


def test_a_hint_that_ends_with_a_card_has_one_mark_at_its_end() -> None:
    assert _told("wasabi a5", "tiles Tu Av Ri | cards Wa") == "Suggestion: cover four squares from a5 with Wasabi!"


@pytest.mark.parametrize("edition", ["classic", "master"])
def test_what_is_advised_has_a_phrase_for_every_step_of_the_log(edition: str) -> None:
    verbs, sentences = rules_for(edition, 2).slots, load_sentences("en")
    for key, _ in sentences.below("log"):
        verb = key.removeprefix("log.").split("-")[0]
        if verb in verbs and not key.endswith("-brief"):
            assert key.replace("log.", "advice.") in sentences

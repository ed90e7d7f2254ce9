"""Advice in words."""

from __future__ import annotations

import pytest

from tests.view.tables import seen
from wasabi_tx.bots.reason import CODES, Number, Reason
from wasabi_tx.engine.step import Bundle
from wasabi_tx.text import LANGUAGES, Texts, load_sentences
from wasabi_tx.view.turn.hint import MOST, advise, introduction, say_reason


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
        ("it", "spare-tile", {"tile": 13, "square": 7}, "Carota non serve, e in c2 non fa danni."),
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

"""Answers: everybody gets what they lack, seats first, and a flood of asks causes few messages."""

from __future__ import annotations

from itertools import pairwise

from wasabi_protocol.game.catch_up import ASK_PAUSE, IN_SECONDS, NOBODY, NOTHING, OTHERS_WAIT, TO_STRANGERS, Answers
from wasabi_protocol.signed.envelope import Item
from wasabi_protocol.signed.messages import Answer, Ask

from tests.protocol.sessions import secret

TABLE = "a" * 26
ME, SEAT, OTHER = (secret("seat", number) for number in range(3))
LOG = [(OTHER, bytes([number]) * 200) for number in range(100)]


def answers_of(log: list[Item] = LOG) -> Answers:
    return Answers(ME, TABLE, lambda slot: log[slot:], lambda: 0.5, (ME, SEAT, OTHER))


def ask(after: int, key: bytes = SEAT, whom: bytes = ME) -> Ask:
    return Ask(TABLE, key, whom, after)


def flood(
    answers: Answers, after: int, whom: bytes = ME, since: float = 0.0, until: float = 60.0
) -> list[tuple[float, Answer]]:
    """Let strangers ask forty times a second, each once; return their answers with times."""
    said = []
    for number in range(int(40 * since), int(40 * until)):
        now = number / 40
        asked = answers.asked(ask(after, secret("stranger", number), whom), now)
        said += [(now, answer) for answer in [*asked, *answers.tick(now)]]
    return said


def test_having_nothing_more_is_an_answer_to_a_seat_and_none_to_a_stranger() -> None:
    answers = answers_of()
    assert answers.asked(ask(NOTHING), 0.0) == [Answer(TABLE, ME, ())]
    assert flood(answers_of(), NOTHING) == []
    assert flood(answers_of(), NOTHING, NOBODY) == []


def test_strangers_together_get_few_answers_however_short_they_are() -> None:
    said = flood(answers_of(), 99)
    assert len(said) >= 6 * TO_STRANGERS, "as many as there may be"
    for first, last in zip(said, said[TO_STRANGERS:], strict=False):
        assert last[0] - first[0] >= IN_SECONDS


def test_what_strangers_ask_of_anybody_is_answered_once_in_a_while() -> None:
    said = flood(answers_of(), 99, NOBODY)
    assert said
    assert all(last[0] - first[0] >= OTHERS_WAIT for first, last in pairwise(said))


def test_a_few_watchers_are_answered_at_once() -> None:
    answers = answers_of()
    for number in range(TO_STRANGERS):
        (answer,) = answers.asked(ask(97, secret("watcher", number)), 0.1 * number)
        assert answer.items == tuple(LOG[97:])


def test_whoever_lacks_most_gets_it_from_the_answer_to_all_strangers() -> None:
    """Everybody hears an answer, so one that begins early enough serves all."""
    answers = answers_of()
    said = flood(answers, 99, until=5.0)
    assert len(said) == TO_STRANGERS
    assert answers.asked(ask(0, secret("a late watcher")), 5.0) == []
    assert flood(answers, 99, since=5.0, until=IN_SECONDS) == []
    (answer,) = answers.tick(IN_SECONDS)
    assert answer.items[:50] == tuple(LOG[:50])


def test_seats_are_answered_while_strangers_flood() -> None:
    answers = answers_of()
    flood(answers, 0, until=4.0)
    flood(answers, 0, NOBODY, since=4.0, until=5.0)
    said = answers.asked(ask(0), 5.0)
    assert [item for answer in said for item in answer.items] == LOG
    assert answers.asked(ask(98, OTHER, NOBODY), 5.0) == []
    assert [answer.items for answer in answers.tick(5.0 + OTHERS_WAIT + 0.5)] == [tuple(LOG[98:])]


def test_an_ask_that_a_broker_delivers_twice_is_answered_once() -> None:
    for key in (SEAT, secret("stranger")):
        answers = answers_of()
        assert answers.asked(ask(98, key), 0.0)
        assert answers.asked(ask(98, key), 0.1) == []
        assert answers.tick(OTHERS_WAIT + 1) == []
        assert answers.asked(ask(98, key), ASK_PAUSE)

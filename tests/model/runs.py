"""Runs of the model: states, bounds and the notation of steps."""

from __future__ import annotations

from dataclasses import dataclass

from tests.model.table import Entry, Heard, Message, Vote

State = tuple[Heard, ...]


@dataclass(frozen=True)
class Bounds:
    """Limits on the events of a run."""

    lies: int = 2
    """Most different messages of the liar."""
    calls: int = 1
    """Most votes that honest people call on their own."""
    rounds: int = 2
    """The last round in which the liar speaks."""
    leaves: int = 1
    """Most honest people who leave in their turn."""
    states: int = 10**9


WIDE = Bounds(lies=99, calls=99, rounds=6, leaves=99)


@dataclass(frozen=True)
class Failure:
    """A violated property, and the run that shows it."""

    law: str
    run: tuple[str, ...]


def author(message: Message) -> int:
    return message.word.seat if isinstance(message, Vote) else message.seat


def put(state: State, index: int, message: Message) -> State:
    return (*state[:index], state[index] | {message}, *state[index + 1 :])


def show(message: Message) -> str:
    if isinstance(message, Entry):
        return f"entry {message.content} of {message.seat} in slot {message.slot} of epoch {message.epoch}"
    assert isinstance(message, Vote), "nobody hears of another's clock"
    word = message.word
    what = "that all stay" if word.choice.stay else f"without {word.choice.out} on slot {word.choice.base}"
    kind = "pledge" if word.pledge else "ballot"
    return f"{kind} of {word.seat} in round {word.round}: {what}"

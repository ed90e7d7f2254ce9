"""A call to a person who does not look at a game: what waits for them, in values and in a sentence.

A call says who plays and which turn it is. What only our seat knows, a hand or an invite, is never part of it.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...table.online.keep.situation import Situation
from ...text import Texts


@dataclass(frozen=True)
class Call:
    """Something that our person is to decide."""

    kind: str
    """`turn`, `vote` or `guest`."""
    table: str
    """The beginning of the table's name, with which `resume` finds it."""
    names: tuple[str, ...]
    """The others at the table; of a guest its own name."""
    turn: int = 0
    about: str = ""
    """About whom a vote is open."""


def call_of(seat: str, situation: Situation) -> Call | None:
    """The call for a situation; None if nothing in it waits for us."""
    if not situation.mine:
        return None
    kind = "vote" if situation.vote else "turn"
    return Call(kind, seat[:6], situation.names, situation.turn, situation.vote)


def say_call(call: Call, texts: Texts) -> str:
    """The sentence for a call."""
    names = ", ".join(call.names)
    return texts.say(f"call.{call.kind}", names=names, turn=call.turn, about=call.about)

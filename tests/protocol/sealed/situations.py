"""One honest message of every kind, with the decks and place it was made for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from wasabi_protocol.sealed.decks import Checked, check
from wasabi_protocol.sealed.errors import SealRefused
from wasabi_protocol.sealed.player import Draw, Reshuffle, Return, Reveal, Seal, SealedPlayer, TurnUp

from tests.protocol.sealed.table import Table, deal, new_table, ready_table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wasabi_protocol.sealed.player import Payload
    from wasabi_protocol.sealed.state import Decks, Place

SIZES = (3, 3, 2)
NAMES = (
    "keys",
    "shuffle",
    "shares of one",
    "shares of many",
    "reveal",
    "return",
    "reshuffle",
    "leave",
    "open",
    "epoch keys",
    "epoch carry",
    "epoch shuffle",
    "epoch multiply",
    "epoch tags",
    "epoch shares",
)
HONEST = object()
"""Placeholder for the message that was really sent."""


@dataclass(frozen=True)
class Situation:
    """A message that is valid here."""

    decks: Decks
    place: Place
    seat: int
    kind: str
    payload: Payload
    player: SealedPlayer

    def check(self, payload: object = HONEST) -> Checked:
        """Verify this message, or another in its place."""
        told = self.payload if payload is HONEST else payload
        return check(self.decks, self.place, self.seat, self.kind, told)

    def moved(self, **changes: object) -> Situation:
        """Return the same message elsewhere."""
        return replace(self, **changes)  # type: ignore[arg-type]


def _owed(table: Table) -> Situation:
    seat = table.decks.owed.seats[-1]
    payload = table.players[seat].answer(table.decks, table.place)
    assert payload is not None
    return Situation(table.decks, table.place, seat, table.decks.kind, payload, table.players[seat])


def _free(table: Table, seat: int, kind: str, payload: Payload) -> Situation:
    return Situation(table.decks, table.place, seat, kind, payload, table.players[seat])


@cache
def situations() -> dict[str, Situation]:
    """Return each kind of message by name, with each seal separately."""
    found: dict[str, Situation] = {}
    table = new_table(3, SIZES)
    found["keys"] = _owed(table)
    table.until("shuffle", 1)
    found["shuffle"] = _owed(table)
    table.answer()
    table.write([(0, "seals", table.players[0].seals(table.decks, table.place, [Draw(0)]))])
    found["shares of one"] = _owed(table)
    table.answer()
    draws: list[Seal] = [Draw(0, seat=1), Draw(1, seat=1), TurnUp(2), TurnUp(2), Draw(1)]
    table.write([(0, "seals", table.players[0].seals(table.decks, table.place, draws))])
    found["shares of many"] = _owed(table)
    table.answer()
    player, place, hand = table.players[1], table.place, table.decks.hand(1)
    opened = tuple(table.decks.faces)
    found["reveal"] = _free(table, 1, "seals", player.seals(table.decks, place, [Reveal(hand[0])]))
    found["return"] = _free(table, 1, "seals", player.seals(table.decks, place, [Return(hand[1])]))
    found["reshuffle"] = _free(table, 1, "seals", player.seals(table.decks, place, [Reshuffle(2, opened)]))
    found["leave"] = _free(table, 1, "leave", player.give_up_hand(table.decks, place))
    found["open"] = _free(table, 1, "open", player.open(table.decks, place))
    table.exclude(2)
    for name in ("keys", "carry", "shuffle", "multiply", "tags", "shares"):
        table.until(name)
        found[f"epoch {name}"] = _owed(table)
    assert tuple(found) == NAMES
    return found


def verdict(situation: Situation, payload: object = HONEST) -> str:
    """Return the code with which the message is refused."""
    try:
        situation.check(payload)
    except SealRefused as refused:
        return refused.code
    return "accepted"


def dealt() -> Table:
    """Return a table in mid-game, with two cards in every hand."""
    table = ready_table(3, SIZES)
    deal(table)
    return table


def leaves(value: object, path: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], object]]:
    """Yield every non-list value of a message, with its path."""
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from leaves(item, (*path, index))
    else:
        yield path, value


def put(value: object, path: tuple[int, ...], leaf: object) -> object:
    """Return the message with another value at this path."""
    if not path:
        return leaf
    assert isinstance(value, list)
    first, *rest = path
    return [put(item, tuple(rest), leaf) if index == first else item for index, item in enumerate(value)]

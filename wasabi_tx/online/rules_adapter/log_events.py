"""Log entries as events of `games/game.py`: seats are places of the game, in their order around the table."""

from __future__ import annotations

from wasabi_protocol.game.chain import Slot
from wasabi_protocol.game.state import GameState
from wasabi_protocol.signed.codec import parse
from wasabi_protocol.signed.messages import Bundle as BundleEntry
from wasabi_protocol.signed.messages import Leave
from wasabi_protocol.verdicts import Refused

from ...engine.position import Position
from ...engine.step import Bundle, Step
from ...games import game
from ..client.talk import shown_name
from .sealed_position import SealedPosition

GameSlot = Slot[GameState[SealedPosition]]
"""A closed slot of one of our games."""


def sealed_of(slot: GameSlot) -> SealedPosition | None:
    """Return the game after a slot; None while its seats are still being drawn."""
    return slot.state.position


class LogEvents:
    """The closed slots, for the events between them; a vote may cut some away."""

    def __init__(self, first: GameSlot) -> None:
        self._slots = [first]

    def closed(self, slot: GameSlot) -> list[game.Event]:
        """Return the events of this slot after the one before it."""
        before = self._slots[slot.number - 1]
        self._slots[slot.number :] = [slot]
        progress = progress_of(slot, len(slot.state.seats))
        return [*slot_events(before, slot), *cards_arrived(before, slot), *([] if progress is None else [progress])]

    def cut(self, base: int) -> list[game.Event]:
        """Return the events of a log that continues from an earlier slot."""
        last, kept = sealed_of(self._slots[-1]), sealed_of(self._slots[base])
        del self._slots[base + 1 :]
        if kept is None or last is None or kept.position is last.position:
            return []
        return [game.Rewound(kept.position)]


def slot_events(before: GameSlot, slot: GameSlot) -> list[game.Event]:
    """Return the events of a closed slot for those who follow the game."""
    sealed, earlier = sealed_of(slot), sealed_of(before)
    if sealed is None or earlier is None:
        return []
    if slot.out is not None:
        if slot.out not in sealed.order:
            return []
        places = tuple(sealed.order.index(voter) for voter in slot.voters if voter in sealed.order)
        return [game.Excluded(sealed.order.index(slot.out), places, sealed.position)]
    try:
        message = parse(slot.bodies[0].body)
    except Refused:
        return []
    match message:
        case BundleEntry() if message.steps:
            place = sealed.order.index(message.seat)
            steps = tuple(sealed.rules.grammar.parse(step) for step in message.steps)
            return [game.Played(Bundle(place, steps), earlier.position, sealed.position)]
        case Leave():
            return [game.SeatLeft(sealed.order.index(message.seat), sealed.position)]
    return _turned_up(earlier, sealed)


def cards_arrived(before: GameSlot, slot: GameSlot) -> list[game.Event]:
    """Return the event that all drawn cards have arrived, if this slot brought the last of them."""
    sealed, earlier, state = sealed_of(slot), before.state, slot.state
    if sealed is None or not earlier.automatic or state.automatic:
        return []
    drew = {pending.seat for pending in earlier.decks.pending}
    return [game.CardsArrived(tuple(place for place, seat in enumerate(sealed.order) if seat in drew))]


def _turned_up(earlier: SealedPosition, sealed: SealedPosition) -> list[game.Event]:
    """Return the events for cards turned up for everybody, in the order in which the rules took them."""
    events: list[game.Event] = []
    position: Position = earlier.position
    for card in [card for card in sealed.open if card not in earlier.open]:
        awaited = sealed.rules.awaited(position)
        if awaited is None:
            break
        step = Step("turn", (awaited, sealed.open[card]))
        position = sealed.rules.apply(position, step)
        events.append(game.Dealt(step, position))
    if events:
        # Screens compare by identity: they wait for the very object that is now the game's position.
        events[-1] = game.Dealt(step, sealed.position)
    return events


def progress_of(slot: GameSlot, seats: int) -> game.SetupProgress | None:
    """Return the progress of the sealed setup: the kind of work in the slot that just closed."""
    state = slot.state
    kind = state.decks.kind
    if kind in ("shuffle", "multiply"):
        join = state.founded.joins[state.decks.owed.seats[0]]
        return game.SetupProgress(kind, state.decks.turns, seats, shown_name(join.name, join.key))
    if kind in ("keys", "carry", "tags", "shares"):
        return game.SetupProgress(kind, 0, 1)
    return None

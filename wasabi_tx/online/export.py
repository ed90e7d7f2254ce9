"""Export of a verified game: its entries for other programs, and its signed positions for a page."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from wasabi_protocol.game.session import Session
from wasabi_protocol.signed.codec import parse
from wasabi_protocol.signed.identity import fingerprint
from wasabi_protocol.signed.messages import Ballot, Bundle, End, Leave, Pledge

from .client.talk import player_of
from .rules_adapter.log_events import sealed_of
from .rules_adapter.sealed_position import SealedPosition


def export_slots(session: Session[SealedPosition]) -> Iterator[dict[str, Any]]:
    """Yield one object for each entry, in the order of the log, after one that describes the game."""
    founded = session.founded
    terms = founded.genesis.terms
    seats = [
        {"seat": number, "name": player_of(join).name, "key": fingerprint(join.key), "bot": bool(join.runner)}
        for number, join in enumerate(founded.joins)
    ]
    order = list(session.state.order)
    yield {
        "table": founded.genesis.table,
        "gid": founded.gid.hex(),
        "edition": terms.edition,
        "seats": seats,
        "order": order,
    }
    for before, slot in pairwise(session.log.slots):
        # The turn in which the entry was written, not the one it led to.
        sealed = sealed_of(before) or sealed_of(slot)
        for seat, signed in zip(slot.seats, slot.bodies, strict=True):
            message = parse(signed.body)
            line: dict[str, Any] = {"slot": slot.number, "epoch": slot.epoch, "seat": seat, "type": message.t}
            match message:
                case Bundle():
                    line["steps"] = list(message.steps)
                    line["digest"] = message.digest.hex()
                case Leave():
                    line["digest"] = message.digest.hex()
                case End():
                    line |= {"digest": message.digest.hex(), "scores": list(message.scores)}
                case Ballot():
                    line |= {"out": message.out, "round": message.round, "by": message.by}
                case Pledge():
                    line |= {"out": message.out, "round": message.round}
            if sealed is not None:
                line["turn"] = sealed.position.turn
            yield line


def export_lines(session: Session[SealedPosition]) -> Iterator[str]:
    """Yield the same for people: a head, then a line for each bundle, leave, vote and end."""
    head, *entries = export_slots(session)
    yield f"table {head['table']}, edition {head['edition']}"
    names = {seat["seat"]: seat["name"] for seat in head["seats"]}
    for place, seat in enumerate(head["order"], start=1):
        yield f"seat {place}: {names[seat]}, {head['seats'][seat]['key']}"
    for entry in entries:
        if entry["type"] == "bundle" and entry["steps"]:
            yield f"{entry['slot']} turn {entry.get('turn', 0)} {names[entry['seat']]}: {'; '.join(entry['steps'])}"
        elif entry["type"] == "ballot":
            yield f"{entry['slot']} {names[entry['seat']]}: go on without {names[entry['out']]}"
        elif entry["type"] == "leave":
            yield f"{entry['slot']} {names[entry['seat']]}: leave"
        elif entry["type"] == "end":
            yield f"{entry['slot']} {names[entry['seat']]}: end {' '.join(map(str, entry['scores']))}"


def signed_positions(session: Session[SealedPosition]) -> Iterator[bytes]:
    """Yield the position after each bundle and each leave, in the order of the log."""
    for slot in session.log.slots[1:]:
        sealed = sealed_of(slot)
        if sealed is not None and any(isinstance(parse(signed.body), Bundle | Leave) for signed in slot.bodies):
            yield sealed.rules.canonical(sealed.position)

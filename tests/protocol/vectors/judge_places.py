"""Our code's verdicts on topics, invites, private tables, the lobby and everything up to the start."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import fields

from wasabi_protocol.signed.codec import open_as, parse
from wasabi_protocol.signed.envelope import open_envelope
from wasabi_protocol.signed.messages import Accept, Join, Offer, Start
from wasabi_protocol.table.genesis import Founded, check_accept, check_genesis, check_join, check_offer, check_start
from wasabi_protocol.table.invite import Carrier, broker_password, host_key_hash
from wasabi_protocol.table.invite_text import format_invite, parse_invite
from wasabi_protocol.table.lobby import Lobby, Presence
from wasabi_protocol.table.private import PrivateTable, door_identity, read_key
from wasabi_protocol.table.topics import (
    check_message,
    lobby_filters,
    log_filters,
    parse_topic,
    room_filters,
    table_filters,
)
from wasabi_protocol.table.waiting_room import HostContradicted, RoomEvent, WaitingRoom
from wasabi_protocol.verdicts import Code, Refused

from tests.protocol.vectors.vector import Input, Output, from_pairs, hexed


def _raw(given: Input, name: str) -> bytes:
    return bytes.fromhex(given[name])


def judge_topic(given: Input) -> Output:
    topic = parse_topic(given["topic"])
    return {part.name: getattr(topic, part.name) for part in fields(topic)}


def judge_placed(given: Input) -> Output:
    message = parse(_raw(given, "body"))
    check_message(parse_topic(given["topic"]), _raw(given, "key"), message)
    return {"t": message.t}


def judge_filters(given: Input) -> Output:
    realm, table = given["realm"], given["table"]
    authors = given["authors"] or None
    return {
        "lobby": lobby_filters(realm),
        "room": room_filters(realm, table, private=authors is None),
        "table": table_filters(realm, table, authors),
        "log": log_filters(realm, table, authors),
    }


def judge_invite(given: Input) -> Output:
    invite = parse_invite(given["text"])
    return {"text": format_invite(invite), "carriers": [_carrier(one) for one in invite.carriers]} | {
        part.name: hexed(getattr(invite, part.name))
        for part in fields(invite)
        if part.name != "carriers" and getattr(invite, part.name)
    }


def _carrier(carrier: Carrier) -> Output:
    found = {part.name: getattr(carrier, part.name) for part in fields(carrier) if getattr(carrier, part.name)}
    return found | {"hosts": [list(host) for host in carrier.hosts]}


def judge_host(given: Input) -> Output:
    return {"h": host_key_hash(_raw(given, "key"))}


def judge_private(given: Input) -> Output:
    play = _raw(given, "play")
    private = PrivateTable(read_key(play))
    return {
        "read": read_key(play).hex(),
        "table": private.table,
        "password": broker_password(play),
        "door": door_identity(play).key.hex(),
        "author": private.author(_raw(given, "key")),
    }


def judge_payload(given: Input) -> Output:
    return {"envelope": PrivateTable(_raw(given, "read")).open(_raw(given, "payload")).hex()}


def judge_lobby(given: Input) -> Output:
    lobby = Lobby()
    *before, last = given["then"]
    for heard in before:
        with suppress(Refused):
            _hear(lobby, heard)
    _hear(lobby, last)
    return {"offers": [[listed.offer.table, listed.fresh] for listed in lobby.offers(given["now"])]}


def _hear(lobby: Lobby, heard: Input) -> None:
    lobby.receive(_raw(heard, "key"), _raw(heard, "payload"), heard["retained"], heard["now"])


def judge_presence(given: Input) -> Output:
    presence = Presence(_raw(given, "me"), bytes(16))
    repeat = False
    for heard in given["then"]:
        repeat = presence.receive(_raw(heard, "key"), _raw(heard, "payload"), heard["now"])
    return {"here": [[key.hex(), name] for key, name in presence.names.items()], "repeat": repeat}


def judge_offer(given: Input) -> Output:
    signed, offer = open_as(Offer, _raw(given, "key"), _raw(given, "envelope"))
    check_offer(signed, offer, given["table"])
    return {"table": offer.table, "n": offer.n}


def judge_join(given: Input) -> Output:
    signed, join = open_as(Join, _raw(given, "key"), _raw(given, "envelope"))
    needs_ticket = not given.get("open", False)
    check_join(signed, join, given["table"], _raw(given, "terms"), _raw(given, "door"), needs_ticket)
    return {"commit": join.commit.hex()}


def _founded(given: Input) -> Founded:
    return check_genesis(open_envelope(_raw(given, "key"), _raw(given, "envelope")), given["table"])


def judge_genesis(given: Input) -> Output:
    founded = _founded(given)
    return {"gid": founded.gid.hex(), "keys": [key.hex() for key in founded.keys]}


def judge_accept(given: Input) -> Output:
    signed, accept = open_as(Accept, _raw(given, "key"), _raw(given, "envelope"))
    check_accept(_founded(given["genesis"]), signed, accept)
    return {"seat": accept.seat}


def judge_start(given: Input) -> Output:
    check_start(_founded(given["genesis"]), *open_as(Start, _raw(given, "key"), _raw(given, "envelope")))
    return {}


def judge_room(given: Input) -> Output:
    room = WaitingRoom(given["table"], _raw(given, "host"))
    *before, last = from_pairs(given["then"])
    for item in before:
        with suppress(Refused):
            room.receive(*item)
    events: list[RoomEvent] = room.receive(*last)
    if any(isinstance(event, HostContradicted) for event in events):
        raise Refused(Code.TWO_STATEMENTS)
    game = "" if room.game is None else room.game.gid.hex()
    return {"events": [type(event).__name__ for event in events], "game": game}


JUDGES: dict[str, Callable[[Input], Output]] = {
    "topic": judge_topic,
    "placed": judge_placed,
    "filters": judge_filters,
    "invite": judge_invite,
    "host": judge_host,
    "private": judge_private,
    "payload": judge_payload,
    "lobby": judge_lobby,
    "presence": judge_presence,
    "offer": judge_offer,
    "join": judge_join,
    "genesis": judge_genesis,
    "accept": judge_accept,
    "start": judge_start,
    "room": judge_room,
}

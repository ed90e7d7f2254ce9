"""Our code's verdicts on knocks, as a host and as a guest."""

from __future__ import annotations

from collections.abc import Callable

from wasabi_protocol.signed.identity import Identity
from wasabi_protocol.table.knocking import Doorkeeper, GuestAtTheDoor
from wasabi_protocol.table.private import Box
from wasabi_protocol.table.seeking import Seekers
from wasabi_protocol.table.topics import knock_topic, knocked_topic, seek_topic

from tests.protocol.vectors.vector import Input, Output


def judge_knock(given: Input) -> Output:
    door = Doorkeeper(Identity(bytes.fromhex(given["host"])), given["table"])
    for heard in given["then"]:
        door.receive(bytes.fromhex(heard["payload"]), heard["now"])
    door.expire(given["now"])
    return {
        "topic": knock_topic(given["table"]),
        "waiting": [[one.key.hex(), one.name, one.box.hex()] for one in door.waiting],
    }


def judge_knocked(given: Input) -> Output:
    me, box = Identity(bytes.fromhex(given["me"])), Box(bytes.fromhex(given["box"]))
    guest = GuestAtTheDoor(me, "Ana", given["table"], bytes.fromhex(given["host"]), 0, box)
    guest.receive(bytes.fromhex(given["payload"]))
    return {"topic": knocked_topic(me.key), "invite": guest.invite or "", "turned_away": guest.turned_away}


def judge_seek(given: Input) -> Output:
    reader = Seekers(bytes.fromhex(given["me"]), bytes.fromhex(given["terms"]))
    heard = [reader.receive(bytes.fromhex(one["payload"]), one["day"], one["now"]) for one in given["then"]]
    return {
        "topic": seek_topic("main", given["then"][-1]["day"]),
        "heard": [[seek.key.hex(), seek.table, seek.n] for seek in heard if seek is not None],
    }


JUDGES: dict[str, Callable[[Input], Output]] = {"knock": judge_knock, "knocked": judge_knocked, "seek": judge_seek}

"""Knocking over real brokers: a guest asks a table's host for the invite, and a host hears who knocks."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Collection
from dataclasses import replace

from wasabi_protocol.signed.identity import Identity
from wasabi_protocol.table.knocking import KNOCK_EVERY, DoorAnswer, Doorkeeper, GuestAtTheDoor
from wasabi_protocol.table.topics import knock_topic, knocked_topic
from wasabi_protocol.verdicts import Refused

from ..net.address import KNOCKER, Address
from ..net.transport import Arrived, Connected, Lost, Publication, Transport
from .client.events import KnockEnded, Knocking
from .invites import BadInvite, read_invite

LOOK_EVERY = 1.0
"""Seconds after which a host checks for guests who have gone silently."""
FIRST_CONNECTION = 10.0
"""Seconds that a broker may be out of reach before a guest gives up."""
HOPELESS = ("password", "certificate", "refused")


class BadKnock(Exception):
    """A knock that did not lead to an invite.

    | reason      | what happened                                       |
    | turned-away | the host does not want us here                      |
    | password    | the broker lets nobody knock                        |
    | unreachable | the broker cannot be reached                        |
    | elsewhere   | the answer leads to another table                   |
    | closed      | the table is not offered any more                   |
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


# The host


class DoorListener:
    """Listens for knocks at a host's table, over a separate connection: a crowd there delays nobody at the table."""

    def __init__(
        self,
        transport: Transport,
        me: Identity,
        table: str,
        known: Collection[bytes],
        report: Callable[[Knocking | KnockEnded], None],
    ) -> None:
        self._transport = transport
        self._topic = knock_topic(table)
        self._door = Doorkeeper(me, table, known)
        self._report = report
        self._told: dict[bytes, str] = {}

    async def run(self) -> None:
        """Listen until cancelled, then close the connection."""
        self._transport.subscribe([self._topic])
        self._transport.open()
        looking = asyncio.create_task(self._look())
        try:
            async for item in self._transport.events():
                if isinstance(item, Arrived):
                    self._hear(item)
                    # Key presses are handled however many knock.
                    await asyncio.sleep(0)
        finally:
            looking.cancel()
            await asyncio.gather(looking, return_exceptions=True)
            await self._transport.close()

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(LOOK_EVERY)
            self._door.expire(self._now)
            self._tell_changes()

    def _hear(self, item: Arrived) -> None:
        if item.retained:
            # Knocks are never retained; a retained one is abuse.
            self._transport.publish(Publication(self._topic, b"", 1, True))
            return
        with contextlib.suppress(Refused):
            self._say(self._door.receive(item.payload, self._now))
        self._tell_changes()

    def _tell_changes(self) -> None:
        waiting = {one.key: one.name for one in self._door.waiting}
        for key in [key for key in self._told if key not in waiting]:
            del self._told[key]
            self._report(KnockEnded(key))
        for key, name in waiting.items():
            if key not in self._told:
                self._told[key] = name
                self._report(Knocking(key, name))

    def knocks(self, key: bytes) -> bool:
        """Return whether this key is knocking now."""
        return key in self._told

    def admit(self, key: bytes, invite: str) -> None:
        """Give the invite to somebody who knocks."""
        self._say(self._door.admit(key, invite, self._now))
        self._tell_changes()

    def turn_away(self, key: bytes) -> None:
        """Refuse somebody who knocks."""
        self._say(self._door.turn_away(key, self._now))
        self._tell_changes()

    def _say(self, answer: DoorAnswer | None) -> None:
        if answer is not None:
            self._transport.publish(Publication(knocked_topic(answer.guest), answer.envelope))

    @property
    def _now(self) -> float:
        return asyncio.get_running_loop().time()


# The guest


def knocking_address(address: Address) -> Address:
    """Return the broker's address for somebody who may only knock there; an address with a user keeps it."""
    return address if address.user else replace(address, user=KNOCKER, password=KNOCKER)


async def knock(transport: Transport, guest: GuestAtTheDoor) -> str:
    """Knock until the host answers, and return the invite; raise `BadKnock` with the reason if there is none.

    A guest who is cancelled while waiting has gone, and the host sees that.
    """
    topic = knock_topic(guest.table)
    transport.subscribe([knocked_topic(guest.key)])
    transport.open()
    try:
        async with asyncio.timeout(FIRST_CONNECTION) as patience:
            knocking: asyncio.Task[None] | None = None
            try:
                async for item in transport.events():
                    if isinstance(item, Connected) and knocking is None:
                        patience.reschedule(None)
                        knocking = asyncio.create_task(_repeat(transport, guest, topic))
                    elif isinstance(item, Lost) and item.reason in HOPELESS:
                        raise BadKnock("password")
                    elif isinstance(item, Arrived):
                        with contextlib.suppress(Refused):
                            guest.receive(item.payload)
                    if guest.turned_away:
                        raise BadKnock("turned-away")
                    if guest.invite is not None:
                        return _checked(guest.invite, guest.table)
            finally:
                if knocking is not None:
                    knocking.cancel()
                    await asyncio.gather(knocking, return_exceptions=True)
                if guest.invite is None and not guest.turned_away:
                    transport.publish(Publication(topic, guest.knock(gone=True)))
    except TimeoutError:
        raise BadKnock("unreachable") from None
    finally:
        await transport.close()
    raise BadKnock("unreachable")


async def _repeat(transport: Transport, guest: GuestAtTheDoor, topic: str) -> None:
    while True:
        transport.publish(Publication(topic, guest.knock()))
        await asyncio.sleep(KNOCK_EVERY)


def _checked(invite: str, table: str) -> str:
    """Return the invite if it leads to the table at which we knocked."""
    try:
        if read_invite(invite).table == table:
            return invite
    except BadInvite:
        pass
    raise BadKnock("elsewhere")

"""Clients that break one rule each: they sign what they publish with their own key, as a cheat would."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from wasabi_protocol.signed.codec import parse, parse_as, signed_message, write
from wasabi_protocol.signed.envelope import sign
from wasabi_protocol.signed.messages import Bundle, Entry, Head, Message, Shares

from wasabi_tx.net.transport import Publication

from .world import Person, World

M = TypeVar("M", bound=Entry)


def publish(world: World, author: Person, envelope: bytes, kind: str = "mv", name: str = "cheat") -> None:
    """Publish under the author's topic, from any connection."""
    if name not in world.broker._clients:
        world.broker.connect(name, None, world.now)
    channel = author.client.channel
    topic = channel.topic(kind, author.me.key)
    world.broker.publish(name, Publication(topic, channel.payload(envelope), 1, kind == "head"), world.now)


def said_before(world: World, author: Person, kind: str) -> list[bytes]:
    """Return everything heard under the author's topic until now."""
    topic = author.client.channel.topic(kind, author.me.key)
    return [publication.payload for publication in world.broker.log if publication.topic == topic]


def give(world: World, reader: Person, author: Person, envelope: bytes, kind: str = "mv") -> None:
    """Deliver a message to one reader only, as a lying broker would."""
    channel = author.client.channel
    reader.client.receive(channel.topic(kind, author.me.key), channel.payload(envelope), False, world.now)
    world._settle(reader)


def mute(person: Person) -> None:
    """Stop a person's client from writing anything by itself; it still listens."""
    duties = person.client.duties
    assert duties is not None
    duties.work = lambda *_: None  # type: ignore[method-assign]
    person.asleep = True


def bundle_of(person: Person, steps: Sequence[str] = ()) -> Bundle:
    """Return a bundle in the open slot, with these steps, no seals and no digest."""
    session = person.game.session
    return Bundle(*session._header(), tuple(steps), [], (), bytes(32))


def signed(person: Person, message: Message) -> bytes:
    return signed_message(person.me, message)


def signed_badly(person: Person, message: Message) -> bytes:
    """Sign without the check that our own client makes first."""
    return sign(person.me, write(message))


def last_own(person: Person, kind: type[M]) -> M:
    """Return the last entry of a kind that this person wrote."""
    for envelope in reversed(person.game.own):
        message = parse(envelope[64:])
        if isinstance(message, kind):
            return message
    raise LookupError(kind)


def other_share(person: Person) -> bytes:
    """Return a person's share of the card being dealt, with the bytes of another card."""
    session = person.game.session
    answer = session.answer()
    assert answer is not None
    share = parse_as(Shares, answer[64:])
    work = share.work
    assert isinstance(work, list)
    points = work[0]
    assert isinstance(points, bytes)
    base = session.state.decks.joint.of(person.game.me.player.seat).point  # type: ignore[union-attr]
    return signed_badly(person, replace(share, work=[bytes(base) * (len(points) // 32), *work[1:]]))


def fake_head(person: Person, n: int) -> bytes:
    """Return a head far ahead of everybody's log, a different one each time."""
    seat = person.game.me.player.seat if person.game.me is not None else 0
    return signed(
        person, Head(person.game.founded.gid, seat, 5_000 + n, bytes([n % 256]) * 32, bytes(16), n, bytes(16))
    )

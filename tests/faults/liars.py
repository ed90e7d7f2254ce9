"""Liars at real tables: `python -m tests.lab.soaks.liars --games N --seed S`.

Bots in separate processes play over a real broker with one seat that signs anything. The honest ones reach one settled
game and blame only the liar; in a game of two, the other stops with proof or waits.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from random import Random

from wasabi_protocol.signed.codec import write
from wasabi_protocol.signed.envelope import sign
from wasabi_protocol.signed.identity import fingerprint
from wasabi_protocol.signed.messages import Ballot
from wasabi_protocol.voting.poll import NOBODY, PERSON

from tests.brokers import RealBroker
from tests.faults.harness import Broken
from tests.faults.peer import Peer
from tests.net.proxy import Proxy
from tests.online.byzantine import FalseWords
from wasabi_tx.engine.editions import rules_for
from wasabi_tx.net.mqtt import MqttTransport
from wasabi_tx.net.transport import Publication
from wasabi_tx.online.client.client import Client
from wasabi_tx.online.headless import Habits, play_bot
from wasabi_tx.online.invites import read_invite
from wasabi_tx.online.machine import Machine
from wasabi_tx.online.online_table import OnlineTable
from wasabi_tx.online.result import check_record
from wasabi_tx.online.tables import join_table

GAME_LIMIT = 420.0
LIES = 150
LONG = (28_000, 28_001, 31_000, 31_960)
"""Sizes of messages in bytes: around the limit of an entry, and of any message."""


class Liar:
    """Our own seat, which plays like a bot until it lies."""

    def __init__(self, table: OnlineTable, rng: Random) -> None:
        self.table = table
        self._rng = rng
        self._heard: list[bytes] = []
        self.client = table.driver._client
        self._words = FalseWords(table.me, self.client, rng, lambda: self._heard)
        self._listen()
        self.play_on()

    def play_on(self) -> None:
        """Start to move like a bot."""
        self._playing = asyncio.create_task(play_bot(self.table, Habits("easy")))

    def _listen(self) -> None:
        """Remember others' messages, in order to repeat them."""
        take = self.client.receive

        def receive(topic: str, payload: bytes, retained: bool, now: float) -> None:
            private = self.client.channel.private
            with suppress(Exception):
                body = (payload if private is None else private.open(payload))[64:]
                self._heard = [*self._heard[-119:], body] if body else self._heard
            take(topic, payload, retained, now)

        self.client.receive = receive  # type: ignore[method-assign]

    def publish(self, envelope: bytes, kind: str = "mv") -> None:
        """Publish any envelope under its own name."""
        channel = self.client.channel
        topic = channel.topic(kind, self.table.me.key)
        self.table.driver.transport.publish(Publication(topic, channel.payload(envelope), 1, kind == "head"))

    async def say(self, say: Callable[[Client], object]) -> None:
        """Run an action in the client's own thread, which alone may read the game."""
        await self.table.driver.do(lambda client, _now: say(client))

    async def stop(self) -> None:
        """Stop moving, while the client stays alive."""
        self._playing.cancel()
        await asyncio.gather(self._playing, return_exceptions=True)

    # The deeds

    async def anything(self) -> None:
        """Send mutated messages, others' messages in its name, and invented ones; then vanish."""
        if self._rng.random() < 0.5:
            await self.stop()
        for _ in range(LIES):
            kind = self._rng.choice(("mv", "mv", "mv", "head", "ask", "ans", "say"))
            await self.say(lambda _client, kind=kind: self.publish(self._words.envelope(), kind))  # type: ignore[misc]
            await asyncio.sleep(self._rng.random() / 10)
        await self.gone()

    async def long_words(self) -> None:
        """Send contradictions as long as a message may be, and longer."""

        def say(client: Client) -> None:
            assert client.playing is not None
            own = client.playing.own[-1][64:]
            for filling in (b"a", b"b"):
                for size in LONG:
                    self.publish(sign(self.table.me, own + filling * (size - 64 - len(own))))

        await self.stop()
        await self.say(self.contradict)
        await self.say(say)

    async def two_ballots(self) -> None:
        """Cast two contradictory ballots on the slot before, then write the entries that it owes."""
        await self.table.until(lambda now: now.my_turn or now.over)
        await self.say(self.contradict)

    def contradict(self, client: Client, back: int = 2) -> None:
        """Cast two ballots for one round, that many slots before the open one."""
        assert client.playing is not None
        log, seat = client.playing.session.log, client.playing.founded.seat_of(self.table.me.key)
        assert seat is not None
        base = log.slots[-back]
        out = next((other for other in log.state.seats if other != seat), NOBODY)
        for link in (base.link, self._rng.randbytes(32)):
            ballot = Ballot(log.gid, log.state.epoch, base.number, seat, link, 1, out, PERSON)
            self.publish(sign(self.table.me, write(ballot)))

    async def gone(self) -> None:
        """Vanish."""
        await self.stop()
        await self.table.driver.close()


DEEDS: dict[str, Callable[[Liar], Awaitable[None]]] = {
    "anything": Liar.anything,
    "long words": Liar.long_words,
    "two ballots": Liar.two_ballots,
    "gone": Liar.gone,
}


async def play(seed: str, folder: Path, broker: RealBroker) -> str:
    """Play one game and return how it ended; raise `Broken` if it did not end as promised."""
    rng = Random(seed)
    deed, seats, edition = rng.choice(sorted(DEEDS)), rng.choice((2, 3, 3, 4)), rng.choice(("classic", "master"))
    private = ["--private"] if rng.random() < 0.3 else []
    what = f"seed {seed}: {deed}, {edition}, {seats} seats"
    async with AsyncExitStack() as stack:
        honest = []
        for number in range(seats - 1):
            proxy = await stack.enter_async_context(Proxy(broker.address))
            peer = Peer(folder / f"peer-{number}", proxy, ["--patience", "20", "--level", "easy"])
            honest.append(peer)
            stack.push_async_callback(peer.end)
        honest[0].begin(["--new", "--seats", str(seats), "--edition", edition, *private])
        invite = await honest[0].invite
        for peer in honest[1:]:
            peer.begin([], invite)
        machine = Machine(folder / "liar", rng.randbytes(32), "liar", rules_for, MqttTransport)
        table = join_table(machine, read_invite(invite), "easy")
        stack.push_async_callback(table.close)
        await table.connect()
        liar = Liar(table, rng)
        stack.push_async_callback(liar.stop)
        slot = rng.randrange(12, 40)
        try:
            async with asyncio.timeout(GAME_LIMIT):
                await table.until(lambda now: now.slot >= slot or now.over)
                await DEEDS[deed](liar)
                if seats == 2 and deed == "gone":
                    return f"{deed} of two: waits"
                await asyncio.gather(*(peer.finished() for peer in honest))
        except TimeoutError:
            if seats > 2:
                raise Broken(f"{what}: did not end in time ({folder})") from None
            return f"{deed} of two: waits"
        return f"{deed}: {_judge(what, honest, table)}"


def _judge(what: str, honest: list[Peer], table: OnlineTable) -> str:
    me = fingerprint(table.me.key)
    heads, settled = set(), True
    for peer in honest:
        if peer.result is None or peer.record is None or peer.starts > 1:
            raise Broken(f"{what}: an honest program gave up ({peer.home})")
        checked = check_record(peer.record.read_bytes(), rules_for)
        if checked.fault is not None and checked.fault.author != me:
            raise Broken(f"{what}: {checked.fault} is not by the liar, {me} ({peer.home})")
        heads.add(peer.result["head"])
        settled = settled and peer.result["settled"]
    if len(heads) > 1:
        raise Broken(f"{what}: they disagree")
    if not settled and len(honest) > 1:
        raise Broken(f"{what}: it is not settled")
    return "settled" if settled else "broken off with proof"

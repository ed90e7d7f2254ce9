"""Play a seat with a bot: join by an invite, shuffle and deal with the others, play to the end that everyone signs.

    python protocol/examples/play_a_seat.py INVITE FOLDER

FOLDER stores the secrets of the seat and everything it has signed. After a crash, run the same command again and the
bot continues. It must never sign two different things for one slot: the two signatures would prove it a cheat.

When the others want to exclude a seat, it agrees if that seat has kept it waiting for long, and otherwise votes no.
It never calls a vote itself.
"""

from __future__ import annotations

import asyncio
import os
import random
import sys
from contextlib import suppress
from functools import partial
from pathlib import Path
from time import monotonic

import aiomqtt
from wasabi_protocol import (
    Answers,
    Asking,
    Channel,
    Forbidden,
    Identity,
    Letter,
    Me,
    Refused,
    SealedPlayer,
    Session,
    Verdict,
    WaitingRoom,
    find_room,
    known_after,
    log_chunks,
    messages,
    parse_invite,
    poll,
    record,
    signed_message,
    waiting_room,
)

from wasabi_tx.bots.levels import find_bot
from wasabi_tx.engine.editions import rules_for
from wasabi_tx.engine.observe import observe
from wasabi_tx.online.rules_adapter.sealed_position import SealedPosition
from wasabi_tx.online.rules_adapter.umpire import Umpire, sealed_bundle
from wasabi_tx.online.terms import FindRules, rules_of

HEAD_EVERY = 10.0
LOG_EVERY = 5.0
SEND_AGAIN = 2.0
END_WAIT = 60.0
PATIENCE = 300.0
"""Seconds to wait for a seat before we agree to continue without it."""
BALLOT_PAUSE = 0.5
"""Seconds between two of our ballots, so that the others' votes in one round arrive before our next."""
WITHDRAW_AFTER = 60.0
"""Seconds until we withdraw a ballot that nobody has answered, because it keeps us from playing."""


class BotSeat:
    """A bot at one table: bytes and time in, publications out. It uses no socket; `play` below drives it."""

    def __init__(self, line: str, folder: Path, find: FindRules) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.invite = parse_invite(line)
        self.channel = Channel.for_invite(self.invite)
        # These must be on disk before the join that commits to them.
        seed, self.secret, self.nonce = (_kept(folder / name) for name in ("key", "secret", "nonce"))
        self.me = Identity(seed)
        self.channel.learn(self.me.key)
        self.file = folder / "said.wasabi"
        self.said = self._read()
        self.find = find
        self.outgoing: list[tuple[str, bytes, bool]] = []
        # After a crash, our last envelopes may not have been heard.
        self.unheard = dict.fromkeys(self.said[-2:], 0.0)
        self.head_due = self.log_due = 0.0
        self.logged: list[messages.Chunk] = []
        self.ended: float | None = None
        self.head = b""
        self.head_since = self.ballot_due = 0.0
        self.bound_since: float | None = None
        self.room: WaitingRoom | None = None
        self.session: Session[SealedPosition] | None = None
        self.asking: Asking[SealedPosition] = Asking(self.me.key, self.channel.table)

    def _read(self) -> list[bytes]:
        """Read the envelopes we signed before; if a crash cut the last one, nobody has heard it."""
        if not self.file.exists():
            return []
        items, whole = record.read_record(self.file.read_bytes())
        if not whole:
            os.truncate(self.file, len(record.write_record(items)))
        return [envelope for _, envelope in items]

    def write(self, envelope: bytes) -> None:
        """Save an envelope, then send it, and again until the broker echoes it."""
        if envelope not in self.said:
            self.said.append(envelope)
            with self.file.open("ab") as file:
                file.write((b"" if file.tell() else record.MAGIC) + record.write_item(self.me.key, envelope))
                file.flush()
                os.fsync(file.fileno())
        self.unheard[envelope] = monotonic() + SEND_AGAIN
        self.publish("mv", envelope)

    def publish(self, kind: str, envelope: bytes, n: int | None = None) -> None:
        """Queue a message; heads and logs are retained."""
        topic = self.channel.topic(kind, self.me.key, n)
        self.outgoing.append((topic, self.channel.payload(envelope), kind in ("head", "log")))

    @property
    def filters(self) -> list[str]:
        """The filters to subscribe to now."""
        if self.session is None:
            return self.channel.room_filters()
        return self.channel.game_filters(self.session.founded.keys, logs=False)

    def receive(self, topic: str, payload: bytes, retained: bool, now: float) -> None:
        """Receive one message; an invalid one changes nothing."""
        with suppress(Refused):
            letter = self.channel.read(topic, payload)
            self.unheard.pop(letter.envelope, None)
            if self.session is not None:
                self._in_game(self.session, letter, retained, now)
                return
            for key, envelope in letter.items:
                with suppress(Verdict):
                    self._before(key, envelope)

    # Before the game

    def _before(self, key: bytes, envelope: bytes) -> None:
        if self.room is None:
            self.room = find_room(self.channel, key, envelope, self.me, self.invite.names_host)
        for event in self.room.receive(key, envelope):
            match event:
                case waiting_room.OfferSeen():
                    self._say(self.room.join(self.nonce, "example bot", door=self.invite.door))
                case waiting_room.GenesisSeen(mine=True):
                    self._say(self.room.accept())
                case waiting_room.Started():
                    self._begin(event)

    def _say(self, envelope: bytes) -> None:
        assert self.room is not None
        self.write(envelope)
        self.room.receive(self.me.key, envelope)

    def _begin(self, started: waiting_room.Started) -> None:
        founded, start = started.founded, started.start
        seat = founded.seat_of(self.me.key)
        if seat is None:
            raise SystemExit("the host started without us")
        rules = Umpire(rules_of(founded.genesis.terms, self.find))
        session = Session(founded, rules, Me(self.me, SealedPlayer(seat, self.secret), self.nonce), os.urandom(16))
        for key in founded.keys:
            self.channel.learn(key)
        entries = 0
        for envelope in self.said:
            with suppress(Refused):
                entries += len(session.receive(self.me.key, envelope, live=False))
        # With entries of an earlier run, nothing is signed before the others have reported how far the game is.
        self.asking = Asking(self.me.key, self.channel.table, session, catching_up=entries > 0)
        after = partial(known_after, session, (start.key, start.envelope))
        self.answers = Answers(self.me.key, self.channel.table, after, random.random, founded.keys)
        self.session = session

    # In the game

    def _in_game(self, session: Session[SealedPosition], letter: Letter, retained: bool, now: float) -> None:
        message = letter.message
        if isinstance(message, messages.Ask):
            self._answer(self.answers.asked(message, now) if not retained else [])
            return
        if isinstance(message, messages.Answer) and letter.key != self.me.key:
            self.answers.answered(message)
            self.asking.answered(letter.key)
        if isinstance(message, messages.Head) and letter.key == self.me.key:
            self.asking.own_head(message)
        with suppress(Refused):
            session.receive_signed(letter.signed, live=not retained)
        self._work(session)

    def _answer(self, answers: list[messages.Answer]) -> None:
        for answer in answers:
            self.publish("ans", signed_message(self.me, answer))

    def _work(self, session: Session[SealedPosition]) -> None:
        """Sign everything we owe now: the cards' messages are automatic, and the bot chooses the moves."""
        with suppress(Forbidden):
            while not self.asking.catching_up and (envelope := self._owed(session)) is not None:
                self.write(envelope)
                session.wrote(envelope)

    def _owed(self, session: Session[SealedPosition]) -> bytes | None:
        state, position = session.state, session.state.position
        if session.owes and state.automatic:
            return session.answer()
        if "end" in session.owes:
            return session.end(open_keys=True, show_hand=True)
        if "bundle" not in session.owes or position is None:
            return None
        if position.owed:
            return session.bundle([], position.owed)
        (seat,) = state.owed
        view = observe(position.rules, position.position, position.order.index(seat), position.known(session.hand()))
        bundle = find_bot("normal").choose(view, random.Random(session.place.slot), 100_000)
        return session.bundle(*sealed_bundle(position, bundle))

    # Votes

    def _vote(self, session: Session[SealedPosition], now: float) -> None:
        """Cast our vote: what follows from the others' votes, and our answer if we are asked."""
        if session.log.head.link != self.head:
            self.head, self.head_since = session.log.head.link, now
        self.bound_since = (self.bound_since or now) if session.ballots.bound() else None
        if self.asking.catching_up or session.over or now < self.ballot_due:
            return
        with suppress(Forbidden):
            word = session.word() or self._opinion(session, now)
            if word is None and self.bound_since is not None and now >= self.bound_since + WITHDRAW_AFTER:
                word = session.withdraw()
            if word is not None:
                self.ballot_due = now + BALLOT_PAUSE
                self.write(word)
                session.wrote(word)

    def _opinion(self, session: Session[SealedPosition], now: float) -> bytes | None:
        out = session.ballots.question()
        if out is None:
            return None
        waited = out in session.log.missing and now >= self.head_since + PATIENCE
        return session.vote(out if waited else poll.NOBODY, poll.BOT)

    # Time

    def connected(self, now: float) -> None:
        """Ask for what we missed and resend what nobody heard, now that everything is subscribed."""
        self.unheard = dict.fromkeys(self.unheard, now)
        self.logged = []
        self._ask(self.asking.connected(now))

    def _ask(self, asks: list[messages.Ask]) -> None:
        for ask in asks:
            self.publish("ask", signed_message(self.me, ask))

    def tick(self, now: float) -> None:
        """Do what is due; call this about every second."""
        for envelope, due in self.unheard.items():
            if now >= due:
                self.unheard[envelope] = now + SEND_AGAIN
                self.publish("mv", envelope)
        self._ask(self.asking.tick(now))
        if now >= self.log_due:
            self.log_due = now + LOG_EVERY
            self._log()
        if self.session is None:
            return
        self._answer(self.answers.tick(now))
        self._vote(self.session, now)
        self._work(self.session)
        if self.session.over and self.ended is None:
            # Send a last head, or the others wait for a sign that their last messages arrived.
            self.ended = self.head_due = now
            self._log()
        if now >= self.head_due:
            self.head_due = now + HEAD_EVERY
            self.publish("head", self.session.head())

    def _log(self) -> None:
        """Retain our own log at the broker for late joiners: the chunks that are new or have grown."""
        chunks = log_chunks(self.channel.table, self.me.key, self.said)
        for chunk in chunks:
            if chunk not in self.logged:
                self.publish("log", signed_message(self.me, chunk), chunk.n)
        self.logged = chunks

    def done(self, now: float) -> bool:
        """Return whether the game is over and every other seat has confirmed it, or had a minute to do so."""
        if self.session is None or self.ended is None:
            return False
        return self.session.heads.confirmed() >= self.session.log.head.number or now >= self.ended + END_WAIT


def _kept(path: Path) -> bytes:
    """Return a secret of 32 bytes, created and saved on first use."""
    if not path.exists():
        with path.open("xb") as file:
            file.write(os.urandom(32))
            file.flush()
            os.fsync(file.fileno())
    return path.read_bytes()


async def play(line: str, folder: Path, find: FindRules = rules_for) -> Session[SealedPosition]:
    """Play the seat to the end, over as many connections as it takes."""
    seat = BotSeat(line, folder, find)
    while not seat.done(monotonic()):
        with suppress(aiomqtt.MqttError):
            await _connect(seat)
        await asyncio.sleep(1)
    assert seat.session is not None
    return seat.session


async def _connect(seat: BotSeat) -> None:
    carrier = seat.invite.carriers[0]
    (host, port), user, password = carrier.hosts[0], carrier.user or None, carrier.password or None
    async with aiomqtt.Client(host, port, username=user, password=password) as broker:
        listening = asyncio.create_task(_listen(seat, broker))
        subscribed: list[str] = []
        try:
            while not seat.done(monotonic()) and not listening.done():
                if seat.filters != subscribed:
                    subscribed = seat.filters
                    await broker.subscribe([(pattern, 0) for pattern in subscribed])
                    seat.connected(monotonic())
                seat.tick(monotonic())
                await _send(seat, broker)
                await asyncio.wait([listening], timeout=0.5)
            if listening.done():
                listening.result()
        finally:
            listening.cancel()
            await asyncio.gather(listening, return_exceptions=True)


async def _listen(seat: BotSeat, broker: aiomqtt.Client) -> None:
    async for message in broker.messages:
        if isinstance(message.payload, bytes):
            seat.receive(str(message.topic), message.payload, bool(message.retain), monotonic())
            await _send(seat, broker)


async def _send(seat: BotSeat, broker: aiomqtt.Client) -> None:
    while seat.outgoing:
        topic, payload, retain = seat.outgoing.pop(0)
        await broker.publish(topic, payload, qos=1, retain=retain)


if __name__ == "__main__":
    game = asyncio.run(play(sys.argv[1], Path(sys.argv[2])))
    print("scores by seat:", game.state.outcome and game.state.outcome.scores)

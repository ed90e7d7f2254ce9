"""What a client does without being asked: answers that the cards need, ballots that proof calls for, heads, asks."""

from __future__ import annotations

from dataclasses import dataclass

from wasabi_protocol.verdicts import Forbidden
from wasabi_protocol.voter import BOT_PATIENCE, Duty

from .. import game
from .playing import Playing

HEAD_EVERY = 10.0
HEAD_PAUSE = 1.0
FLUSH_EVERY = 2.0
END_WAIT = 60.0
WATCHER_LIFE = 120.0
TELL_WAITING = 2.0


@dataclass
class Duties:
    """The part of a client that keeps a game going. A bot's also votes, after its patience; a person's asks first."""

    playing: Playing
    bot: bool = False
    patience: float = BOT_PATIENCE
    share_hand: bool = True

    def __post_init__(self) -> None:
        now = self.playing.now
        self._head_due = now
        self._head_told = -1
        self._flush_due = now + FLUSH_EVERY
        self._told: dict[str, game.Event] = {}
        self.secret: bytes | None = None
        """What replaces the game secret on disk, once it has changed."""

    def work(self, now: float) -> None:
        """Everything that an honest client owes now."""
        playing = self.playing
        if playing.me is None or playing.out:
            return
        while self._one(now):
            pass
        self.secret = playing.session.forget() or self.secret

    def _one(self, now: float) -> bool:
        playing = self.playing
        session = playing.session
        if playing.over or playing.out or playing.asking.catching_up or session.heads.other_run is not None:
            return False
        try:
            envelope = self._ballot(now) or (None if session.ballots.bound() else self._entry())
        except Forbidden:
            return False
        if envelope is None:
            return False
        playing.write(envelope, now)
        return True

    def _ballot(self, now: float) -> bytes | None:
        playing, session = self.playing, self.playing.session
        wanted = session.ballots.wanted()
        if wanted is not None:
            return session.vote(*wanted, yes=True)
        for ballot in session.ballots.unanswered():
            duty = session.ballots.duty(ballot)
            if duty is not Duty.FREE:
                return session.reply(ballot, duty is Duty.YES)
            if self.bot:
                return session.reply(ballot, playing.patience.waited(now) >= self.patience)
        return self._call_vote(now) if self.bot else None

    def _call_vote(self, now: float) -> bytes | None:
        """A bot that waited long enough goes on without whoever is gone; if only one other is left, it says so."""
        playing, session = self.playing, self.playing.session
        if playing.patience.waited(now) < self.patience or session.ballots.bound() or playing.me is None:
            return None
        mine = playing.me.player.seat
        absent = [seat for seat in session.log.missing if seat != mine and playing.patience.may_vote(seat, now)]
        if not absent:
            return None
        if len(session.state.seats) == 2:
            return session.abandon()
        return session.vote(session.log.head.number, absent[0], yes=True)

    def _entry(self) -> bytes | None:
        playing, session = self.playing, self.playing.session
        owes, laid = session.owes, playing.laid
        if session.state.automatic:
            return session.answer()
        if owes == ("leave",) or (playing.leaving and "leave" in owes):
            return session.leave(open_keys=self.share_hand)
        if "end" in owes:
            return session.end(open_keys=self.share_hand, show_hand=self.share_hand)
        if "bundle" in owes and laid is not None and laid.owed:
            return session.bundle([], laid.owed)
        return None

    # Time

    def connected(self, now: float) -> None:
        playing = self.playing
        playing.patience.resumed(now)
        playing.ask(playing.asking.connected(now))
        self._head_due = now

    def tick(self, now: float) -> None:
        playing = self.playing
        playing.patience.tick(now)
        if now >= self._flush_due:
            playing.ledger.flush()
            self._flush_due = now + FLUSH_EVERY
        playing.ask(playing.asking.tick(now))
        if playing.me is not None:
            playing.answer(playing.answers.tick(now))
            self.work(now)
            self._tell_head(now)
            playing.mail.stand(self._standing(), now)
            playing.mail.relog([*self._host_words(), *playing.own])
        self._tell(now)

    def _tell_head(self, now: float) -> None:
        """Every ten seconds, and soon after the log has grown: only heads tell others that their moves are safe."""
        number = self.playing.session.log.head.number
        if now >= self._head_due or (number != self._head_told and now >= self._head_due - HEAD_EVERY + HEAD_PAUSE):
            self.playing.mail.say("head", self.playing.session.head(), retain=True)
            self._head_due, self._head_told = now + HEAD_EVERY, number

    def _standing(self) -> list[bytes]:
        """Our own words that others may still lack: of the last slot and the open one, and ballots on them."""
        session, me = self.playing.session, self.playing.me
        assert me is not None
        head = session.log.head.number
        written = [session.log.written(session.state.epoch, number, me.player.seat) for number in (head, head + 1)]
        entries = [signed.envelope for signed in written if signed is not None]
        return [*(self._host_words() if head == 0 else ()), *entries, *session.ballots.standing()]

    def _host_words(self) -> list[bytes]:
        playing = self.playing
        hosts = playing.mail.me.key == playing.founded.genesis.key
        return [envelope for _, envelope in playing.head_items] if hosts else []

    # What is shown quietly, each time it has changed

    def _tell(self, now: float) -> None:
        playing = self.playing
        laid, me = playing.laid, playing.me
        if laid is None:
            return
        mine = None if me is None else me.player.seat
        here = tuple(seat == mine or playing.patience.here(seat, now) for seat in laid.order)
        self._once("presence", game.Presence(here))
        playing.watchers = {key: seen for key, seen in playing.watchers.items() if now - seen < WATCHER_LIFE}
        self._once("watchers", game.Watchers(len(playing.watchers)))
        if me is not None:
            self._once("delivery", self._delivery())
        waited = playing.patience.waited(now)
        if playing.patience.automatic and waited >= TELL_WAITING and not playing.over:
            for place in playing.places(playing.session.log.missing):
                self._once("waiting", game.Waiting(place, playing.session.state.kinds[0], int(waited)))

    def _once(self, what: str, event: game.Event) -> None:
        if self._told.get(what) != event:
            self._told[what] = event
            self.playing.events.append(event)

    def _delivery(self) -> game.Delivery:
        """Counts our own entries: on disk, echoed by the broker, signed for by everybody."""
        session, me = self.playing.session, self.playing.me
        assert me is not None
        slots = session.log.slots
        mine = [slot for slot in slots if me.player.seat in slot.seats]
        confirmed = session.heads.confirmed()
        sent = len(mine) + (me.player.seat in session.log.open)
        return game.Delivery(sent, sent - self.playing.mail.unechoed, sum(slot.number <= confirmed for slot in mine))

    def stay(self, now: float) -> bool:
        """Whether others may still need us: until all have signed for the end, or nobody came for a minute."""
        playing = self.playing
        if playing.ended_at is None:
            return True
        session = playing.session
        settled = session.state.outcome is not None and session.heads.confirmed() >= session.log.head.number
        return not settled and now - playing.ended_at < END_WAIT

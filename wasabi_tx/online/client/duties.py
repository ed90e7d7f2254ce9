"""The duties of a client without its person: answers that the cards need, ballots after proof, heads, asks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from wasabi_protocol.game import doings
from wasabi_protocol.verdicts import Forbidden
from wasabi_protocol.voting.blame import Evidence
from wasabi_protocol.voting.poll import BOT, CLIENT, NOBODY
from wasabi_protocol.voting.voter import ROUND_PATIENCE

from ...engine.position import NOBODY as NO_SEAT
from ...games import game
from .own_doing import OwnDoing
from .patience import ANSWER_WITHIN, CALL_PAUSE, SETUP_PATIENCE
from .playing import Playing

HEAD_EVERY = 10.0
"""Seconds between two heads of an idle client."""
RARE_HEADS = 30.0
"""Seconds between two heads on relays, which belong to others, and where a turn may last for hours."""
HEAD_PAUSE = 1.0
"""Least seconds between two heads, whatever happens."""
FLUSH_EVERY = 2.0
"""Seconds that others' messages may wait before they are on disk; our own are written at once."""
END_WAIT = 60.0
WATCHER_LIFE = 120.0
TELL_WAITING = 2.0
BALLOT_PAUSE = 0.5
"""Seconds between two of our ballots: the others' ballots in one round arrive before we cast the next."""
PAUSE_ROUNDS = 8
"""Rounds after which the pause doubles, up to 64 times its length: then endless calls cost us little."""


_STATES = {
    doings.NOTHING: game.SeatState.HERE,
    doings.COMPOSING: game.SeatState.COMPOSING,
    doings.PAUSED: game.SeatState.PAUSED,
    doings.LOST: game.SeatState.RECONNECTING,
}


class Duties:
    """The part of a client that keeps a game going.

    In votes, a person is asked. A bot votes yes where people do, a keeper where its person said so in advance, and both
    only if their own clock and log agree.
    """

    def __init__(
        self,
        *,
        playing: Playing,
        bot: bool,
        patience: float,
        share_hand: bool,
        now: float,
        head_every: float = HEAD_EVERY,
        keeping: bool = False,
        votes_yes: bool = False,
    ) -> None:
        self.playing = playing
        self.bot = bot
        self.patience = patience
        self.share_hand = share_hand
        self.keeping = keeping
        self.votes_yes = votes_yes
        self._head_every = head_every
        self._head_due = now
        self._head_told = (-1, b"", b"")
        self._flush_due = now + FLUSH_EVERY
        self._call_due = now
        self._ballot_due = now
        self._bound_since: float | None = None
        self._asked: tuple[bytes, int, float] | None = None
        """The question in the open vote (which slot, which seat) and the time it was asked."""
        self._told: dict[str, game.Event] = {}
        self.doing = None if playing.me is None else OwnDoing(playing.session, playing.outgoing, now)
        self._blames: dict[Evidence, list[bytes]] = {}
        self.secret: bytes | None = None
        """The replacement for the game secret on disk, once it has changed."""

    def work(self, now: float) -> None:
        """Write everything that an honest client owes now."""
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
        for make in (self._ballot, self._wish, self._entry):
            try:
                envelope = make(now)
            except Forbidden:
                continue
            if envelope is not None:
                playing.write(envelope, now)
                return True
        return False

    # Votes

    def _ballot(self, now: float) -> bytes | None:
        """Return our next ballot: one that we owe, an answer, a call, or the withdrawal of an unanswered call."""
        session = self.playing.session
        self._bound_since = (self._bound_since or now) if session.ballots.bound() else None
        if now < self._ballot_due:
            return None
        word = session.word() or self._answer(now) or self._call_vote(now)
        since = self._bound_since
        if word is None and since is not None and (now - since >= ROUND_PATIENCE or self._returned(since, now)):
            word = session.withdraw()
        if word is not None:
            self._ballot_due = now + BALLOT_PAUSE * 2 ** min(session.ballots.view.spoken // PAUSE_ROUNDS, 6)
            self._pass_on(now)
        return word

    def _returned(self, since: float, now: float) -> bool:
        """Return whether a seat that we voted to go on without has come back, and still has time."""
        patience, view = self.playing.patience, self.playing.session.ballots.view
        outs = [word.choice.out for word in view.mine if word.round == view.spoken and not word.choice.stay]
        return any(
            out not in view.proved and patience.heard_since(out, since) and not patience.may_vote(out, now)
            for out in outs
        )

    def _pass_on(self, now: float) -> None:
        """Send our entries after the slot of a vote: a seat that wants to go on without another may lack them."""
        playing, log = self.playing, self.playing.session.log
        wanted = [choice.base for choices in log.poll.ballots.values() for choice in choices if not choice.stay]
        if wanted and min(wanted) < log.head.number + bool(log.open):
            playing.answer(playing.answers.answers_after(min(wanted), now))

    def _answer(self, now: float) -> bytes | None:
        """Return our answer in an open vote, if no person here has to be asked."""
        playing, session = self.playing, self.playing.session
        out = session.ballots.question()
        if out is None:
            self._asked = None
            return None
        if self._asked is None or self._asked[:2] != (session.log.head.link, out):
            self._asked = (session.log.head.link, out, now)
        if playing.sealed is None:
            return session.vote(out if self._gave_up(out, now) else NOBODY, CLIENT)
        if playing.patience.heard_since(out, self._asked[2]) and not playing.patience.may_vote(out, now):
            # The seat is alive: our person need not be asked.
            return session.vote(NOBODY, CLIENT)
        if not self.keeping and not self.bot:
            return None
        wanted = self.votes_yes if self.keeping else self._people_say(out)
        if wanted is None:
            if self._people(out, now):
                return None
            wanted = self._among_bots(out) and self._gave_up(out, now)
        yes = wanted and playing.patience.may_vote(out, now)
        if wanted and not yes and now - self._asked[2] < ANSWER_WITHIN:
            return None
        return session.vote(out if yes else NOBODY, CLIENT if wanted and not yes else BOT)

    def _people(self, out: int, now: float) -> list[int]:
        """Return the seats whose people are here, without our own and the one in question."""
        playing = self.playing
        mine = None if playing.me is None else playing.me.player.seat
        seats = [seat for seat in playing.session.state.seats if seat not in (out, mine)]
        return [seat for seat in seats if not self._runs_itself(seat) and playing.patience.here(seat, now)]

    def _people_say(self, out: int) -> bool | None:
        """Return the people's vote so far: one no is enough; None while nobody has voted."""
        ballots = self.playing.session.ballots
        wants = ballots.tally(ballots.view.round())
        said = [choice.out == out for seat, choice in wants.items() if seat != out and not self._runs_itself(seat)]
        return all(said) if said else None

    def _among_bots(self, out: int) -> bool:
        """Return whether a vote about this seat concerns no person."""
        return all(self._runs_itself(seat) for seat in (out, *self.playing.session.state.seats))

    def _runs_itself(self, seat: int) -> bool:
        return bool(self.playing.founded.joins[seat].runner)

    def _gave_up(self, seat: int, now: float) -> bool:
        patience = self.playing.patience
        longest = self.patience if self.bot else SETUP_PATIENCE
        if not patience.automatic and patience.here(seat, now) and not self._runs_itself(seat):
            # This person is present and thinking: only people may judge that.
            return False
        return patience.waited(now) >= longest and patience.may_vote(seat, now)

    def _call_vote(self, now: float) -> bytes | None:
        """Call a vote without our person, after a long wait: before the game, or as a bot among bots.

        Where a person has a seat, bots let people decide.
        """
        playing, session = self.playing, self.playing.session
        if not (self.bot or playing.sealed is None) or playing.me is None or now < self._call_due:
            return None
        if len(session.state.seats) == 2 or session.ballots.bound():
            return None
        for seat in session.log.missing:
            if seat == playing.me.player.seat or not self._gave_up(seat, now):
                continue
            if playing.sealed is not None and not self._among_bots(seat):
                continue
            self._call_due = now + CALL_PAUSE
            return session.vote(seat, CLIENT if playing.sealed is None else BOT)
        return None

    def _wish(self, _now: float) -> bytes | None:
        """Return a wish to leave for a seat that cannot leave yet: a vote may have taken its turn away."""
        playing, session = self.playing, self.playing.session
        me = playing.me
        if me is None or not playing.leaving or "leave" in session.owes:
            return None
        return None if me.player.seat in session.wishes.leavers() else session.wish("leave")

    def _entry(self, _now: float) -> bytes | None:
        playing, session = self.playing, self.playing.session
        owes, sealed = session.owes, playing.sealed
        if session.state.automatic:
            return session.answer()
        if owes == ("leave",) or (playing.leaving and "leave" in owes):
            return session.quit(open_keys=self.share_hand)
        if "end" in owes:
            return session.end(open_keys=self.share_hand, show_hand=self.share_hand)
        if "bundle" in owes and sealed is not None and sealed.owed:
            return session.bundle([], sealed.owed)
        return None

    # Time

    def connected(self, now: float) -> None:
        playing = self.playing
        playing.patience.resumed(now)
        playing.doings.forget()
        playing.ask(playing.asking.connected(now))
        self._head_due = now

    @property
    def parts(self) -> tuple[Callable[[float], None], ...]:
        """Everything that is due by time, in parts: if a disk stops one, the others go on."""
        return (self._flush, self._ask, self.work, self._speak)

    def _flush(self, now: float) -> None:
        self.playing.patience.tick(now)
        if now >= self._flush_due:
            self.playing.ledger.flush()
            self._flush_due = now + FLUSH_EVERY

    def _ask(self, now: float) -> None:
        playing = self.playing
        playing.ask(playing.asking.tick(now))
        playing.look_for_lost(now)
        if playing.me is not None:
            playing.answer(playing.answers.tick(now))

    def _speak(self, now: float) -> None:
        playing = self.playing
        if playing.me is not None:
            self._tell_head(now)
            if self.doing is not None:
                self.doing.tick(now)
            playing.outgoing.stand(self._standing(), now)
            playing.outgoing.relog([*playing.words, *playing.own])
        self._tell(now)

    @property
    def _head(self) -> tuple[int, bytes, bytes]:
        """The content of our head now."""
        session = self.playing.session
        return session.log.head.number, session.heads.run, session.heads.met

    def _tell_head(self, now: float) -> None:
        """Publish our head regularly, and soon after it changes: only heads show others that their moves are safe."""
        soon = self._head_due - self._head_every + HEAD_PAUSE
        beat = now >= self._head_due
        if beat or ((self._head != self._head_told or self.playing.asked_here) and now >= soon):
            self._say_head(now)
        if beat and self.doing is not None:
            self.doing.beat()

    def _say_head(self, now: float) -> None:
        self.playing.outgoing.post("head", self.playing.session.head(), retain=True)
        self._head_due, self._head_told = now + self._head_every, self._head
        self.playing.asked_here = False

    def _standing(self) -> list[bytes]:
        """Return our messages that others may still lack: of the last and the open slot, ballots on them, proofs."""
        session, me = self.playing.session, self.playing.me
        assert me is not None
        head, seat = session.log.head.number, me.player.seat
        written = [session.log.written(session.state.epoch, number, seat) for number in (head, head + 1)]
        said = [signed for signed in (*written, session.abandoned.get(seat)) if signed is not None]
        said += [signed for signed in session.wishes.held() if signed.key == me.identity.key and not self.playing.out]
        words = [*(self._host_words() if head == 0 else ()), *(signed.envelope for signed in said)]
        return [*words, *session.ballots.standing(), *self._proofs()]

    def _proofs(self) -> list[bytes]:
        """Return our proofs against seats that are still here: without them others cannot vote as they must."""
        session = self.playing.session
        accused = [evidence for evidence in session.log.evidence if evidence.seat in session.state.seats]
        for evidence in accused:
            if evidence not in self._blames:
                self._blames[evidence] = self._records(evidence)
                for record in self._blames[evidence]:
                    self.playing.outgoing.post("mv", record)
        return [record for evidence in accused for record in self._blames[evidence]]

    def _records(self, evidence: Evidence) -> list[bytes]:
        """Return the messages that carry a proof; empty if none can, which must not stop other messages."""
        try:
            return self.playing.session.blame(evidence)
        except Forbidden:
            return []

    def _host_words(self) -> list[bytes]:
        playing = self.playing
        hosts = playing.outgoing.me.key == playing.founded.genesis.key
        return [envelope for _, envelope in playing.head_items] if hosts else []

    # Status events, each emitted when it has changed

    def _tell(self, now: float) -> None:
        playing = self.playing
        sealed, me = playing.sealed, playing.me
        if sealed is None:
            return
        self._once("presence", game.SeatStates(tuple(self._state_of(seat, now) for seat in sealed.order)))
        playing.watchers = {key: seen for key, seen in playing.watchers.items() if now - seen < WATCHER_LIFE}
        self._once("watchers", game.Watchers(len(playing.watchers)))
        if me is not None:
            self._once("delivery", self._delivery())
            if playing.leaving and not playing.out and sealed.position.mover not in (playing.seat, NO_SEAT):
                self._once("leaving", game.Leaving(sealed.position.mover))
        self._tell_waiting(now)

    def _state_of(self, seat: int, now: float) -> game.SeatState:
        """Return the state of a seat; our own is always HERE."""
        playing, patience = self.playing, self.playing.patience
        if playing.me is not None and seat == playing.me.player.seat:
            return game.SeatState.HERE
        if seat in patience.closed:
            return game.SeatState.CLOSED
        if not patience.here(seat, now):
            return game.SeatState.AWAY
        return _STATES[playing.doings.word(seat, playing.session.place.slot, now)]

    def _tell_waiting(self, now: float) -> None:
        """Announce the seat the game waits for, unless it is just thinking on its turn; and the end of the wait."""
        owing, told = self._waited_for(now), self._told.get("waiting")
        if owing is not None:
            self._once("waiting", owing)
        elif isinstance(told, game.Overdue) and told.seconds:
            self._once("waiting", replace(told, seconds=0, votable=False))

    def _waited_for(self, now: float) -> game.Overdue | None:
        """Return the wait for another seat, preferring one that may be voted on."""
        playing, patience = self.playing, self.playing.patience
        waited = patience.waited(now)
        if playing.over or not playing.outgoing.up:
            return None
        mine = None if playing.me is None else playing.me.player.seat
        found = []
        for seat in [seat for seat in playing.session.log.missing if seat != mine]:
            votable = patience.may_vote(seat, now)
            state = self._state_of(seat, now)
            if state in (game.SeatState.CLOSED, game.SeatState.RECONNECTING):
                kind = str(state)
            elif waited < TELL_WAITING:
                continue
            elif state is game.SeatState.AWAY:
                kind = str(state)
            elif patience.automatic:
                kind = playing.session.state.kinds[0]
            elif votable:
                kind = "clock"
            else:
                continue
            found += [game.Overdue(place, kind, max(1, int(waited)), votable) for place in playing.places((seat,))]
        return max(found, key=lambda one: one.votable, default=None)

    def _once(self, what: str, event: game.Event) -> None:
        if self._told.get(what) != event:
            self._told[what] = event
            self.playing.events.append(event)

    def _delivery(self) -> game.Delivery:
        """Count our own entries: on disk, echoed by the broker, signed for by everybody."""
        session, me = self.playing.session, self.playing.me
        assert me is not None
        seat, log = me.player.seat, session.log
        own = [slot for slot in log.slots if seat in slot.seats and not slot.voted]
        mine = [(slot.number, slot.bodies[slot.seats.index(seat)]) for slot in own]
        mine += [(log.head.number + 1, log.open[seat].signed)] if seat in log.open else []
        reached, confirmed = session.heads.reached(), session.heads.confirmed()
        for number, signed in mine:
            if number <= reached:
                self.playing.outgoing.arrived(signed.body_hash)
        carried = sum(self.playing.outgoing.carried(signed.body_hash) for _, signed in mine)
        return game.Delivery(len(mine), carried, sum(number <= confirmed for number, _ in mine))

    def stay(self, now: float) -> bool:
        """Return whether others may still need us: until all have signed past our last entry, or nobody came for a
        minute.

        Leavers who are still here need the end too. In a game of two, a leaver waits for it.

        A game that was given up or broken off has no such end: a seat that comes back learns of it in that minute, and
        later from the retained log.
        """
        playing, session = self.playing, self.playing.session
        if playing.ended_at is None:
            return True
        if playing.me is None:
            return False
        goes_on = playing.out and not playing.over and len(session.state.seats) > 1
        ended = session.state.outcome is not None or goes_on
        last = session.log.head.number if playing.over else session.log.last_written(playing.me.player.seat)
        safe = ended and session.heads.reached() >= last and (goes_on or self._leavers_have(last, now))
        if safe and self._head_told != self._head:
            # Without this head the others would keep waiting for it.
            self._say_head(now)
        return not safe and now - playing.ended_at < END_WAIT

    def _leavers_have(self, last: int, now: float) -> bool:
        """Return whether everybody who lost or left their seat and is still here has the log up to that slot."""
        session, patience, me = self.playing.session, self.playing.patience, self.playing.me
        there = {*session.state.seats, *(() if me is None else (me.player.seat,))}
        gone = [seat for seat in range(len(session.founded.keys)) if seat not in there]
        return all(session.heads.covered(seat) >= last for seat in gone if patience.here(seat, now))

"""One client in a running game, as a seat or as a watcher.

Nothing here waits, sleeps or reads a clock: time comes with every call, messages go out through `Outgoing`.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property
from random import Random

from wasabi_protocol.game.catch_up import NOTHING, Answers, Asking, known_after
from wasabi_protocol.game.doings import GONE, Doings
from wasabi_protocol.game.events import (
    Abandoned,
    Blamed,
    Event,
    HeadSeen,
    OtherRun,
    SlotClosed,
    SlotsUndone,
    WishHeard,
    WordSaid,
)
from wasabi_protocol.game.session import Me, Session
from wasabi_protocol.game.state import GameState
from wasabi_protocol.sealed.state import Card as Sealed
from wasabi_protocol.signed.codec import signed_message
from wasabi_protocol.signed.envelope import Item
from wasabi_protocol.signed.identity import fingerprint
from wasabi_protocol.signed.messages import Answer, Ask, Ballot, Doing, Head
from wasabi_protocol.table.channel import Letter
from wasabi_protocol.table.genesis import Founded
from wasabi_protocol.verdicts import Forbidden, Verdict
from wasabi_protocol.voting.blame import Evidence
from wasabi_protocol.voting.poll import NOBODY, PERSON

from ...engine.errors import Illegal, Stale
from ...engine.observe import Observation, observe
from ...engine.position import Outcome
from ...engine.scores import all_scores
from ...engine.step import Bundle
from ...games import game
from ..carry.outgoing import Outgoing
from ..result import OnlineResult, result_of
from ..rules_adapter.history import History, changes_of
from ..rules_adapter.log_events import LogEvents
from ..rules_adapter.sealed_position import SealedPosition
from ..rules_adapter.umpire import Umpire, sealed_bundle
from ..saved.disk import Disk, Ledger
from ..saved.situation import Situation
from ..terms import QUICK_START
from .patience import Patience
from .talk import player_of

_logger = logging.getLogger(__name__)

MOST_WATCHERS = 1000
BRIEF = 2.0
"""Seconds that a program usually takes to answer: shorter waits are not worth reporting."""


class Playing:
    """One client's game; a watcher's without `me`. Entries written without its person are in `Duties`."""

    def __init__(
        self,
        *,
        founded: Founded,
        start: Item,
        umpire: Umpire,
        outgoing: Outgoing,
        disk: Disk,
        now: float,
        me: Me | None,
        rng: Random,
        run: bytes,
        resumed: bool,
        record: str,
        words: list[bytes],
    ) -> None:
        """Set up the game: `record` names its file, with all evidence; `words` are our messages before the start."""
        key, table = outgoing.me.key, outgoing.channel.table
        self.founded = founded
        self.start = start
        self.outgoing = outgoing
        self.me = me
        self.record = record
        self.words = words
        self.events: list[game.Event] = []
        self.session: Session[SealedPosition] = Session(founded, umpire, me, run)
        self.head_items: list[Item] = [(founded.signed.key, founded.signed.envelope), start]
        self.ledger = Ledger(disk)
        self.asking = Asking(key, table, self.session, catching_up=resumed and me is not None)
        self._rng = rng
        self.answers = Answers(key, table, self._items_after, self._chance, founded.keys)
        self.patience = Patience(self.session, now, disk.slot_age)
        self.doings = Doings(table, founded.keys)
        self.asked_here = False
        """True if another seat asks whether we are here, and has no answer yet."""
        self.own: list[bytes] = []
        """Every message that we wrote in this game, in order."""
        self.watchers: dict[bytes, float] = {}
        self.restored = 0
        """The last slot on our own disk when we came."""
        self.leaving = False
        self.void = False
        """True if the host contradicted itself before we wrote anything in this game."""
        self.ended_at: float | None = None
        self._ended = False
        self._held = self.held
        self._hand: dict[Sealed, int] = {}
        self._log_events = LogEvents(self.session.log.head)
        self._result: tuple[bytes, OnlineResult] | None = None
        self._situation: Situation | None = None

    # State

    @property
    def sealed(self) -> SealedPosition | None:
        return self.session.state.position

    @property
    def seat(self) -> int | None:
        """Our own seat in the game's order; None for a watcher, and before the seats are drawn."""
        places = () if self.me is None else self.places((self.me.player.seat,))
        return places[0] if places else None

    @property
    def out(self) -> bool:
        """True if we had a seat and no longer have it."""
        return self.me is not None and self.me.player.seat not in self.session.state.seats

    @property
    def excluded_by(self) -> tuple[int, ...]:
        """The protocol seats whose vote took ours away."""
        if self.me is None or not self.out:
            return ()
        mine = self.me.player.seat
        return next((slot.voters for slot in self.session.log.slots if slot.voted and slot.out == mine), ())

    def places(self, seats: tuple[int, ...]) -> tuple[int, ...]:
        """Return the places of protocol seats; a seat voted out before the game has none."""
        order = () if self.sealed is None else self.sealed.order
        return tuple(order.index(seat) for seat in seats if seat in order)

    @property
    def closed_by_host(self) -> int | None:
        """The host's place in the game, if they have closed the table for now."""
        host = self.founded.genesis.key
        closed = tuple(seat for seat in self.patience.closed if self.founded.keys[seat] == host)
        return next(iter(self.places(closed)), None)

    def observation(self) -> Observation:
        """Return everything this client may know now; only once there is a position."""
        sealed = self.sealed
        assert sealed is not None, "nothing can be seen before the seats are drawn"
        return observe(sealed.rules, sealed.position, self.seat, sealed.known(self._hand))

    @property
    def players(self) -> tuple[game.Player, ...]:
        """All players around the table; only once there is a position."""
        assert self.sealed is not None, "nobody has a place before the seats are drawn"
        return tuple(self._players[seat] for seat in self.sealed.order)

    @cached_property
    def _players(self) -> tuple[game.Player, ...]:
        """All players who joined, in the protocol's order."""
        return tuple(player_of(join) for join in self.founded.joins)

    @property
    def outcome(self) -> Outcome:
        """The game's outcome: by the rules, or how it stopped without an end by them."""
        sealed, session = self.sealed, self.session
        assert sealed is not None, "a game without a position has no outcome"
        position = sealed.position
        if position.outcome is not None:
            return position.outcome
        ending = game.BROKEN if session.broken is not None else game.GIVEN_UP if session.abandoned else game.STOPPED
        return Outcome(ending, (), all_scores(position))

    def history(self) -> History:
        """Return the game up to now; only once there is a position."""
        start, changes, known = changes_of(self.session, self.restored)
        return History(
            terms=self.founded.genesis.terms,
            players=self.players,
            start=start,
            changes=tuple(changes),
            known=known,
            outcome=self.outcome if self.over else None,
        )

    @property
    def result(self) -> OnlineResult | None:
        """The result of the game, once it or our part in it is over."""
        if not self.over and not self.out:
            return None
        head = self.session.log.head.link
        if self._result is None or self._result[0] != head:
            self._result = head, result_of(self.session)
        return self._result[1]

    def situation(self, now: float) -> Situation | None:
        """Return our game's situation for the list of unfinished games; None if it does not belong there."""
        sealed = self.sealed
        if sealed is None or self.seat is None or self.over or self.out:
            return None
        if self.asking.catching_up:
            # Our client cannot do its own duties yet.
            return self._situation
        out = self.session.ballots.question()
        asked = self.places(() if out is None else (out,))
        programs = self.patience.automatic
        if programs and not asked and self.patience.waited(now) < BRIEF:
            # This is usually over before anybody could read it.
            return self._situation
        awaited = self.places(self.session.log.missing) if programs else (sealed.position.mover,)
        names = {place: player.name for place, player in enumerate(self.players)}
        others = tuple(names[place] for place in sealed.position.playing if place != self.seat)
        mine = (self.seat in awaited and not programs and not self._dealt) or bool(asked)
        waits_for = () if mine else tuple(names[place] for place in awaited if place in names and place != self.seat)
        if mine or waits_for:
            vote = names[asked[0]] if asked else ""
            self._situation = Situation(others, sealed.position.turn, mine, waits_for, vote)
        return self._situation

    @property
    def _dealt(self) -> bool:
        """True while the setup is chosen at random for everybody."""
        sealed, terms = self.sealed, self.founded.genesis.terms
        return sealed is not None and not sealed.position.turn and QUICK_START in terms.options

    @property
    def held(self) -> bool:
        """True if our own past, a vote or another run of our key forbids signing."""
        session = self.session
        return self.asking.catching_up or session.ballots.bound() or session.heads.other_run is not None

    @property
    def may_move(self) -> bool:
        """True if our person may send a bundle now."""
        sealed = self.sealed
        mine = "bundle" in self.session.owes and sealed is not None and not sealed.owed
        return mine and not self.leaving and not self.held

    @property
    def rematch_seats(self) -> tuple[int, ...]:
        """The seats that a rematch is for: whoever wishes for it, or is still here and may; bots go with their person.

        Who has closed the table or is away does not hold up the others. A wish outlasts its author, who may only be
        ahead at the next table.
        """
        wishes, keys = self.session.wishes.rematch(), self.founded.keys
        mine = None if self.me is None else self.me.player.seat
        unheard = self.patience.unheard if self.outgoing.up else frozenset()
        there = [seat for seat in self.session.state.seats if seat in {*wishes, mine} or seat not in unheard]
        gone = [keys[seat] for seat in self.session.state.seats if seat not in there]
        return tuple(seat for seat in there if self.founded.joins[seat].runner not in gone)

    @property
    def people_wish_rematch(self) -> bool:
        """True if every person whom a rematch is for wishes for it."""
        people = {seat for seat in self.rematch_seats if not self.founded.joins[seat].runner}
        return bool(people) and people <= set(self.session.wishes.rematch())

    @property
    def all_wish_rematch(self) -> bool:
        """True if everybody whom a rematch is for wishes for it."""
        seats = self.rematch_seats
        return len(seats) >= 2 and set(seats) <= set(self.session.wishes.rematch()) and not self._betrayed

    @property
    def _betrayed(self) -> bool:
        """True if somebody voted out knows the secret from which a private table's next one is derived."""
        return self.outgoing.channel.private is not None and any(slot.voted for slot in self.session.log.slots)

    def _learn_hand(self) -> None:
        """Read the faces of new cards in our hand; not while it is carried over to new keys."""
        decks, me = self.session.state.decks, self.me
        if me is None or self.out:
            return
        for held in decks.held:
            if held.seat == me.player.seat and held.card not in self._hand and held.key.epoch == decks.epoch:
                self._hand[held.card] = me.player.face(decks, held.card)

    def _chance(self) -> float:
        return self._rng.random()

    def _items_after(self, slot: int) -> list[Item]:
        return known_after(self.session, self.start, slot)

    # Incoming

    def restore(self, items: Sequence[Item], now: float) -> None:
        """Restore this game from the items on our own disk."""
        self.ledger.known(items)
        self.session.expect(items)
        for key, envelope in items:
            try:
                self._tell(self.session.receive(key, envelope, live=False))
            except Verdict:
                continue
            if key == self.outgoing.me.key:
                self.own.append(envelope)
        me = self.me
        self.leaving = me is not None and me.player.seat in self.session.wishes.leavers()
        self.restored = self.session.log.head.number
        self._notice_hand_and_end(now)
        self.events.clear()

    def receive(self, letter: Letter, retained: bool, now: float) -> None:
        """Receive one message; a refused one changes nothing."""
        key, message = letter.key, letter.message
        own = key == self.outgoing.me.key
        if isinstance(message, Ask):
            if not retained:
                self._asked(message, now)
            return
        if isinstance(message, Answer):
            if own:
                return
            self.answers.answered(message)
        if isinstance(message, Doing) and message.what == GONE:
            seat = self.founded.seat_of(key)
            if seat is not None and not own and not retained and self.session.heads.is_goodbye(seat, message.run):
                self.patience.closed.add(seat)
            return
        if isinstance(message, Doing):
            if not own and not retained:
                with suppress(Verdict):
                    self.doings.receive(key, message)
                self.look_for_lost(now)
            return
        try:
            events = self.session.receive_signed(letter.signed, live=not retained)
        except Verdict as verdict:
            level = logging.INFO if key in self.founded.keys else logging.DEBUG
            _logger.log(level, "refused %s of %s: %s", letter.topic.kind, fingerprint(key), verdict.code)
            events = []
        if own and letter.topic.kind == "mv":
            self.outgoing.arrived(letter.signed.body_hash)
        if own and isinstance(message, Head) and message.gid == self.founded.gid:
            self.asking.own_head(message)
        if events and not own and not retained and key in self.founded.keys:
            self.patience.heard(self.founded.keys.index(key), now)
            self.doings.alive(self.founded.keys.index(key))
        self._follow_log(events, now)
        if isinstance(message, Answer):
            self.asking.answered(key)

    def look_for_lost(self, now: float) -> None:
        """Ask seats whose connection is lost whether another broker reaches them; watchers only wait."""
        keys = [self.founded.keys[seat] for seat in self.doings.questions(now)]
        if self.me is not None:
            me = self.outgoing.me.key
            self.ask([Ask(self.founded.genesis.table, me, key, NOTHING) for key in keys])

    def _asked(self, ask: Ask, now: float) -> None:
        mine, seated = ask.whom == self.outgoing.me.key, ask.key in self.founded.keys
        self.asked_here |= mine and seated and ask.after == NOTHING
        if ask.key not in self.founded.keys and len(self.watchers) < MOST_WATCHERS:
            self.watchers[ask.key] = now
        if self.me is not None:
            self.answer(self.answers.asked(ask, now))

    def answer(self, answers: list[Answer]) -> None:
        for answer in answers:
            _logger.info("answering with %d entries", len(answer.items))
            self.outgoing.post("ans", signed_message(self.outgoing.me, answer))

    def ask(self, asks: list[Ask]) -> None:
        for ask in asks:
            _logger.info("asking for the log after slot %d", ask.after)
            self.outgoing.post("ask", signed_message(self.outgoing.me, ask))

    def _follow_log(self, events: list[Event[GameState[SealedPosition]]], now: float) -> None:
        self._tell(events)
        self._notice_hand_and_end(now)

    def _tell(self, events: list[Event[GameState[SealedPosition]]]) -> None:
        """Save what the log accepted, and emit it as events of the game."""
        self.ledger.note_events(events)
        for event in events:
            match event:
                case SlotClosed(slot):
                    _logger.info("slot %d, epoch %d, by seats %s", slot.number, slot.epoch, slot.seats)
                    self.events += self._log_events.closed(slot)
                case HeadSeen(head):
                    self.doings.head(head.seat, head.run)
                case SlotsUndone(base, _):
                    self.events += self._log_events.cut(base)
                case Blamed(evidence):
                    self._blamed(evidence)
                case OtherRun():
                    self.events.append(game.OtherRun())
                case WishHeard(wish):
                    self.ledger.said(self.session.wishes.held())
                    if wish.want == "rematch":
                        self.events.append(game.RematchWished(self.places(self.session.wishes.rematch())))
                case Abandoned():
                    self.ledger.said(self.session.abandoned.values())
                case WordSaid(Ballot() as ballot):
                    self._tell_vote(ballot)
                case _:
                    pass

    def _notice_hand_and_end(self, now: float) -> None:
        """Update our hand and notice the end, once a whole message is received."""
        self._learn_hand()
        if (self.over or self.out) and self.ended_at is None:
            self.ended_at = now
        if self.over and not self._ended and self.sealed is not None:
            self._ended = True
            self.events.append(game.Ended(self.outcome))

    def tell_ready(self) -> None:
        """Announce that it is our turn and nothing holds us up any more; the slot announces arriving cards."""
        before, self._held = self._held, self.held
        if before and self.may_move:
            self.events.append(game.Ready())

    @property
    def over(self) -> bool:
        """True if nothing more will happen in this game."""
        return self.session.over or self.void or bool(self.session.abandoned)

    def goes_on(self, now: float) -> bool:
        """Return whether more may happen in this game; for a leaver, only while somebody who plays is here."""
        if self.over or not self.out or not self.outgoing.up:
            return not self.over
        return any(self.patience.here(seat, now) for seat in self.session.state.seats)

    def _blamed(self, evidence: Evidence) -> None:
        for place in self.places((evidence.seat,)):
            self.events.append(game.InvalidEntry(place, evidence.slot, str(evidence.code), self.record))

    def _tell_vote(self, ballot: Ballot) -> None:
        """Emit the state of a vote. After a no, all vote to go on together, which is reported once.

        Only who pressed it is against it: programs say no as well, when whom it is about is here again.
        """
        if ballot.epoch != self.session.state.epoch:
            return
        wants = self.session.ballots.tally(ballot.round)
        for out in dict.fromkeys(choice.out for choice in wants.values() if not choice.stay):
            yes = tuple(seat for seat, choice in wants.items() if choice.out == out)
            no = self.session.ballots.pressed_no(ballot.round)
            going_on = any(choice.stay for seat, choice in wants.items() if seat != out)
            mine = None if self.me is None else wants.get(self.me.player.seat)
            said = None if mine is None else mine.out == out
            for place in self.places((out,)):
                self.events.append(game.Vote(place, self.places(yes), self.places(no), said, open=not going_on))

    # Our person's actions

    def write(self, envelope: bytes, now: float) -> None:
        """Save an entry, send it, then apply it: others need not wait while we work out its consequences."""
        self.ledger.own(self.outgoing.me.key, envelope)
        self.own.append(envelope)
        self.outgoing.send(envelope, now)
        self.outgoing.hurry()
        self._follow_log(self.session.wrote(envelope), now)

    def may_sign(self) -> None:
        """Raise `Stale` while another run of our key, or our own past, might contradict us."""
        if self.asking.catching_up:
            raise Stale("catching-up")
        if self.session.heads.other_run is not None:
            raise Stale("other-run")

    def play(self, bundle: Bundle, now: float) -> None:
        """Play a bundle; raise a `RulesError` and change nothing if it cannot be played now.

        The rules judge it three times: here, so that a person gets the engine's own error and the seals follow from the
        steps; in `session.bundle`, as the others will, for the digest; and in `session.wrote`, because our own log
        accepts our entries the same way as anybody's.
        """
        sealed, me = self.sealed, self.me
        if self.over:
            raise Stale("game-over")
        if me is None or sealed is None or self.seat != bundle.seat or "bundle" not in self.session.owes or sealed.owed:
            raise Stale("not-your-turn", seat=bundle.seat + 1)
        self.may_sign()
        steps, seals = sealed_bundle(sealed, bundle)
        try:
            envelope = self.session.bundle(steps, seals)
        except Forbidden as reason:
            raise Stale("not-now", reason=str(reason.code)) from None
        self.write(envelope, now)

    def quit(self, now: float) -> None:
        """Leave the game: at once on our turn, otherwise as soon as the next bundle has heard our wish."""
        if self.me is None or self.out or self.over or self.leaving:
            return
        if "bundle" not in self.session.owes:
            self.write(self.session.wish("leave"), now)
        self.leaving = True

    def wish_rematch(self, now: float) -> None:
        if self._betrayed:
            raise Illegal("rematch-betrayed")
        if self.me is not None:
            self.write(self.session.wish("rematch"), now)

    def abandon(self, now: float) -> None:
        """Give up a game of two because the other does not come back."""
        if self.me is None or self.over or len(self.session.state.seats) != 2:
            raise Illegal("not-here")
        self.may_sign()
        self.write(self.session.abandon(), now)

    def vote(self, place: int, yes: bool, now: float) -> None:
        """Cast our person's vote about a seat, or call one; yes only when our own clock allows it."""
        sealed = self.sealed
        if self.me is None or sealed is None or place not in range(len(sealed.order)):
            raise Illegal("not-here")
        self.may_sign()
        out = sealed.order[place]
        if not (self.patience.may_vote(out, now) if yes else self.session.ballots.question() == out):
            raise Illegal("vote-too-early", seat=place + 1)
        if len(self.session.state.seats) == 2:
            # In a game of two nobody can be outvoted: going on without the other means giving up the game.
            self.abandon(now)
            return
        try:
            envelope = self.session.vote(out if yes else NOBODY, PERSON)
        except Forbidden as reason:
            raise Stale("not-now", reason=str(reason.code)) from None
        self.write(envelope, now)

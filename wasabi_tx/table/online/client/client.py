"""One client at one table, from the waiting room to the end: bytes and time in, publications and events out.

Its driver calls `receive` for each message, `tick` a few times a second and after `receive`, and publishes
what `take_outgoing` gives. Everything that it promises is on its disk before it is in that list.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import count
from random import Random, SystemRandom

from wasabi_protocol.game.catch_up import Answers, Asking
from wasabi_protocol.game.record import found_record, write_record
from wasabi_protocol.game.session import Me
from wasabi_protocol.sealed.player import SealedPlayer as SealedPlayer
from wasabi_protocol.sealed.secrets import SECRET_SIZE
from wasabi_protocol.signed.codec import signed_message
from wasabi_protocol.signed.envelope import Item
from wasabi_protocol.signed.identity import Identity
from wasabi_protocol.signed.messages import Answer, Ask, Doing, Genesis, Off, Say, Start
from wasabi_protocol.table.channel import Channel, Letter
from wasabi_protocol.table.genesis import Founded
from wasabi_protocol.verdicts import Verdict

from ....engine.errors import RulesError, Stale
from ....engine.step import Bundle
from ....net.transport import Publication, Will
from ....text.foreign import NAME, clean
from ... import game
from ...ahead import MOST, UNREADABLE, Ahead, Unfit
from ...quick_start import in_setup, setup_bundle
from ..carry.budget import Budget
from ..carry.outgoing import Outgoing
from ..keep.disk import Disk
from ..keep.seat import SavedSeat
from ..keep.situation import Situation
from ..rules.history import History
from ..rules.sealed_position import SealedPosition
from ..rules.umpire import Umpire
from ..terms import BY_CORRESPONDENCE, QUICK_START, WATCHERS_TALK, FindRules, rules_of
from . import events as table_events
from .duties import HEAD_EVERY, RARE_HEADS, Duties
from .own_doing import last_will
from .patience import BOT_PATIENCE
from .playing import Playing
from .talk import TalkFilter
from .waiting_room import Hosting, WaitingRoomClient

# Without a handler of its own a warning would be printed across the screen.
_logger = logging.getLogger(__name__)
_logger.addHandler(logging.NullHandler())

Event = game.Event | table_events.TableEvent
MOST_EARLY = 8
"""Logs that are kept until the start says whose they are; more only have to be fetched again."""
WITH_ITS_HOST = ("closed", "timeout", "unreachable")
"""How a broker goes that ends with its host's program."""
LOGS_FOR = 20.0
"""Seconds for which a seat reads the retained logs after it has connected or was left behind."""
BEHIND_FOR = 3.0
"""Seconds within which a seat that lacks something should get an answer."""


@dataclass(frozen=True)
class Manner:
    """How a client behaves where the protocol leaves it free."""

    bot: bool = False
    patience: float = BOT_PATIENCE
    share_hand: bool = True
    runner: bytes = b""
    head_every: float = HEAD_EVERY
    """Seconds between heartbeats; whoever is not heard for two and a half of them is away."""
    keeping: bool = False
    """Whether this is a keeper: nobody here can be asked."""
    votes_yes: bool = False
    """What a keeper says in a vote about somebody whose time is over."""


USUAL = Manner()


class Client:
    """One person, bot or watcher at one table."""

    def __init__(
        self,
        *,
        channel: Channel,
        me: Identity,
        disk: Disk,
        find: FindRules,
        now: float,
        seat: SavedSeat | None = None,
        hosting: Hosting | None = None,
        door: Identity | None = None,
        names_host: Callable[[bytes], bool] = lambda _key: True,
        manner: Manner = USUAL,
        rng: Random | None = None,
        record: list[Item] | None = None,
    ) -> None:
        """`seat` is None for a watcher, `hosting` for everybody but the host; `door` opens a private table.

        `record` is the game's file so far, after a restart: genesis, start, then everything else.
        """
        self.channel = channel
        self.me = me
        self.disk = disk
        self.find = find
        self.seat = seat
        self.hosting = hosting
        self.manner = manner
        self.rng = rng or SystemRandom()
        self.record = record = record or []
        self.outgoing = Outgoing(channel, me)
        self.budget = Budget(self._comes_first)
        self.channel.learn(me.key)
        self.run = self.rng.randbytes(16)
        """Names this run of our key in its heads."""
        self._wills = count(1)
        self.events: list[Event] = []
        self.waiting_room = WaitingRoomClient(
            outgoing=self.outgoing,
            disk=disk,
            find=find,
            names_host=names_host,
            seat=seat,
            hosting=hosting,
            door=door,
            runner=manner.runner,
        )
        self.playing: Playing | None = None
        self.duties: Duties | None = None
        self.talk = TalkFilter(() if seat is None else seat.heard)
        # Our own last line is remembered too: a clock that was ahead, and is right again, must not silence us.
        self._said = self.talk.last(me.key)
        self._noted: Situation | None = None
        self.ahead = disk.ahead()
        """What our person has left for later turns, as it was last read or written."""
        self._looked_ahead = b""
        """The head of the log for which it was last judged."""
        self._told_ahead = 0
        """The last turn of which it was told that it was played."""
        self._logs_until = math.inf
        self._behind_since: float | None = None
        self._reads_logs = True
        self._early: dict[bytes, Letter] = {}
        """The first parts of logs that arrived before we knew who plays, by author."""
        self._asking = Asking[SealedPosition](me.key, channel.table)
        self._answers = Answers(me.key, channel.table, lambda _: self.waiting_room.items(), self.rng.random)
        self.waiting_room.restore(now)
        if record:
            self._found_again(record)
        if hosting is not None and self.waiting_room.started is None:
            self.waiting_room.open(now)
        self._begin_if_started(now, fresh=False)
        if self.playing is not None:
            self.playing.restore(record[2:], now)
        if seat is not None and not manner.bot:
            self._notice_absence()

    def _found_again(self, record: list[Item]) -> None:
        """The game that our own disk holds; `Refused` or `Unplayable` if that cannot be gone on with."""
        founded = found_record(record)
        self.waiting_room.rules_for = rules_of(founded.genesis.terms, self.find)
        self.waiting_room.started = (founded, record[1][1])

    def _notice_absence(self) -> None:
        """Our person has seen what was on the disk, except for what a keeper has put there."""
        playing = self.playing
        if self.manner.keeping:
            self.disk.away(0 if playing is None else playing.restored)
        else:
            seen = self.disk.back()
            if playing is not None and seen is not None:
                playing.restored = min(playing.restored, seen)

    # What goes out

    @property
    def will(self) -> Will | None:
        """Makes what a broker is to say when it loses us; watchers vanish without a word."""
        # The transport calls it in its own thread, where nothing of the client is touched.
        outgoing, run, wills = self.outgoing, self.run, self._wills
        return None if self.seat is None else lambda: last_will(outgoing, run, next(wills))

    def take_outgoing(self) -> list[Publication]:
        """Takes what is to be published, in order."""
        return self.outgoing.take()

    @property
    def situation(self) -> Situation | None:
        """How our person's game stands, as it was last noted."""
        return self._noted

    @property
    def filters(self) -> list[str]:
        """What this client wants to hear now."""
        if self.playing is None:
            return self.channel.room_filters()
        return self.channel.game_filters(self.playing.founded.keys, self._reads_logs)

    def history(self) -> History:
        """The game up to now; only once its seats are drawn."""
        return self._in_game().history()

    @property
    def options(self) -> tuple[str, ...]:
        """What the table has agreed on besides the rules; only once its seats are drawn."""
        return self._in_game().founded.genesis.terms.options

    def take_events(self) -> list[Event]:
        self.events += self.waiting_room.events
        self.waiting_room.events.clear()
        if self.playing is not None:
            self.events += self.playing.events
            self.playing.events.clear()
        taken, self.events = self.events, []
        return taken

    # What comes in

    def connected(self, now: float) -> None:
        """The connection is up, and all subscriptions are made."""
        self.events.append(game.Link(True))
        self._logs_until = now + LOGS_FOR
        if self.duties is not None:
            self.duties.connected(now)
        else:
            for ask in self._asking.connected(now):
                self.outgoing.say("ask", signed_message(self.me, ask))
        self.outgoing.connected(now)
        self.waiting_room.connected(now)

    def lost(self, reason: str, now: float) -> None:
        del now
        self.outgoing.lost()
        self._logs_until = math.inf
        if self.playing is not None:
            self.playing.asking.lost()
        game_there = self.playing if reason in WITH_ITS_HOST else None
        self.events.append(game.Link(False, reason, game_there.closed_by_host if game_there is not None else None))

    def receive(self, topic: str, payload: bytes, retained: bool, now: float) -> None:
        """Takes in one message from the broker; a wrong one changes nothing."""
        try:
            letter = self._read(topic, payload, now)
            if letter is not None:
                self._take(letter, retained, now)
        except Verdict as verdict:
            _logger.info("dropped a message under %s: %s", topic, verdict)

    def _read(self, topic: str, payload: bytes, now: float) -> Letter | None:
        """Size, then signature, then parse, each within its author's budget; None beyond it."""
        place = self.channel.place(topic, payload)
        author, size = place.author, len(payload)
        if not self.budget.check(author, size, now):
            return None
        signed = self.channel.verify(place, payload)
        if not self.budget.parse(author, size, now):
            return None
        letter = self.channel.parse(place, signed)
        return letter if self.budget.quote(author, letter.message, now) else None

    def _comes_first(self, author: str) -> bool:
        """Whether a name in topics is ours, the host's or that of somebody with a seat."""
        if self.playing is not None:
            keys = (self.me.key, *self.playing.founded.keys)
        else:
            keys = (self.me.key, *self.waiting_room.seated)
        return any(self.channel.author(key) == author for key in keys)

    def _take(self, letter: Letter, retained: bool, now: float) -> None:
        if isinstance(letter.message, Say):
            self._heard(letter, letter.message, now)
            return
        if self.playing is not None:
            if isinstance(letter.message, Genesis | Start) and not self.playing.own:
                self.playing.void |= self.waiting_room.contradicted(letter, now)
            self.playing.receive(letter, retained, now)
            self._work(now)
            return
        self._receive_before(letter, retained, now)

    def _receive_before(self, letter: Letter, retained: bool, now: float) -> None:
        if isinstance(letter.message, Doing):
            return
        if isinstance(letter.message, Off):
            if not retained and letter.key != self.me.key:
                self.waiting_room.withdraw(letter.key, now)
            return
        if isinstance(letter.message, Ask):
            if self.seat is not None and not retained:
                self._answer(self._answers.asked(letter.message, now))
            return
        if isinstance(letter.message, Answer):
            self._answers.answered(letter.message)
        if letter.key == self.me.key and letter.topic.kind == "mv":
            self.outgoing.arrived(letter.signed.body_hash)
        self.waiting_room.receive(letter, now)
        if letter.topic.kind == "log" and (letter.key in self._early or len(self._early) < MOST_EARLY):
            self._early[letter.key] = letter
        fresh = not retained and letter.topic.kind == "mv"
        if self._begin_if_started(now, fresh) and self.playing is not None:
            # The same letter may hold more than the start, and so may those before it.
            early = [known for known in self._early.values() if known is not letter]
            self._early.clear()
            self.playing.receive(letter, retained, now)
            for known in early:
                self.playing.receive(known, True, now)
            self._work(now)

    def _answer(self, answers: list[Answer]) -> None:
        for answer in answers:
            self.outgoing.say("ans", signed_message(self.me, answer))

    def _begin_if_started(self, now: float, fresh: bool) -> bool:
        if self.playing is not None or self.waiting_room.started is None or self.waiting_room.rules_for is None:
            return False
        founded, start = self.waiting_room.started
        host = founded.genesis.key
        if self.seat is not None and founded.seat_of(self.me.key) is None:
            self.waiting_room.tell_once(table_events.CannotPlay("not-seated"))
            return False
        umpire = Umpire(self.waiting_room.rules_for)
        head = [(host, founded.signed.envelope), (host, start)]
        known = bool(self.record)
        me = None if self.waiting_room.seat is None else self._me(founded, self.waiting_room.seat)
        if not known:
            self.waiting_room.begun(self.disk.begin(write_record(head)))
        name = "" if self.waiting_room.seat is None else self.waiting_room.seat.record
        resumed = known or not fresh
        words = self.waiting_room.own_words()
        self.playing = Playing(
            founded=founded,
            start=head[1],
            umpire=umpire,
            outgoing=self.outgoing,
            disk=self.disk,
            now=now,
            me=me,
            rng=self.rng,
            run=self.run,
            resumed=resumed,
            record=name,
            words=words,
        )
        manner = self.manner
        by_correspondence = founded.genesis.terms.clock >= BY_CORRESPONDENCE
        head_every = RARE_HEADS if by_correspondence else manner.head_every
        self.playing.patience.away_after = 2.5 * head_every
        self.duties = Duties(
            playing=self.playing,
            bot=manner.bot,
            patience=manner.patience,
            share_hand=manner.share_hand,
            now=now,
            head_every=head_every,
            keeping=manner.keeping,
            votes_yes=manner.votes_yes,
        )
        for key in founded.keys:
            self.channel.learn(key)
        self.events.append(table_events.GameBegun(tuple(clean(join.name, NAME) for join in founded.joins)))
        if self.outgoing.up:
            self.duties.connected(now)
        return True

    def _me(self, founded: Founded, seat: SavedSeat) -> Me:
        number = founded.seat_of(self.me.key)
        assert number is not None
        if len(seat.secret) == SECRET_SIZE:
            player = SealedPlayer(number, seat.secret)
        else:
            player = SealedPlayer.load(seat.secret)
        return Me(self.me, player, seat.nonce)

    def _work(self, now: float) -> None:
        assert self.duties is not None
        self.duties.work(now)
        self.duties.playing.tell_ready()
        if self.duties.secret is not None and self.waiting_room.seat is not None:
            self.waiting_room.seat = replace(self.waiting_room.seat, secret=self.duties.secret)
            self.disk.keep(self.waiting_room.seat)
            self.duties.secret = None
        self._start_quickly(now)
        self._play_ahead(now)

    def _start_quickly(self, now: float) -> None:
        """Chooses before the first turn by lot, where the table has agreed on that: nobody has to be here for it."""
        playing = self.playing
        if playing is None or self.seat is None or self.manner.bot or not playing.may_move:
            return
        known = playing.observation()
        if QUICK_START in self.options and in_setup(known):
            with suppress(RulesError):
                playing.play(setup_bundle(known, self.rng), now)
                self._work(now)

    # What was left for later turns

    def leave_ahead(self, ahead: Ahead, now: float) -> None:
        """Our person leaves this for later turns, in the place of what was left before."""
        self._in_game()
        self._keep_ahead(ahead)
        self._looked_ahead = b""
        self._work(now)

    def _keep_ahead(self, ahead: Ahead, played: tuple[int, ...] = ()) -> None:
        """Whatever is left now, on which turns something was played is still known."""
        self.ahead = replace(ahead, played=(*self.ahead.played, *played)[-MOST:])
        self.disk.leave(self.ahead)

    def _play_ahead(self, now: float) -> None:
        """Plays what was left for this turn, if it still fits; each moment of our turn is judged once."""
        playing = self.playing
        if playing is None or self.seat is None or self.manner.bot or not playing.may_move:
            return
        head, turn = playing.session.log.head.link, playing.observation().position.turn
        if head == self._looked_ahead or not turn:
            return
        self._looked_ahead = head
        self.ahead = left = self.disk.ahead()
        if not left.turns and left != UNREADABLE:
            return
        try:
            bundle, rest = left.fitting(playing.observation())
            # Before it is signed: a program that dies between the two has played nothing, and our person is called.
            if rest != left:
                self._keep_ahead(rest)
            if bundle is None:
                return
            playing.play(bundle, now)
        except Unfit as unfit:
            self._drop_ahead(left.dropped(turn, unfit))
        except RulesError:
            self._drop_ahead(left.dropped(turn, Unfit("illegal")))
        else:
            # A turn has several bundles if something is drawn in it.
            if turn != self._told_ahead:
                self._told_ahead = turn
                self._keep_ahead(self.ahead, (turn,))
                self.events.append(game.PlayedAhead(turn))
            self._work(now)

    def _drop_ahead(self, nothing: Ahead) -> None:
        self._keep_ahead(nothing)
        assert nothing.not_played is not None, "it says why"
        self.events.append(game.AheadUnfit(nothing.not_played))

    # Talk

    def _heard(self, letter: Letter, line: Say, now: float) -> None:
        founded = None if self.playing is None else self.playing.founded
        seat = None if founded is None else founded.seat_of(letter.key)
        if founded is not None and seat is None and WATCHERS_TALK not in founded.genesis.terms.options:
            return
        text = clean(line.text)
        if not text or not self.talk.hear(letter.key, line.n, now, seat is not None):
            return
        if seat is not None:
            self._remember(letter.key, line.n)
        places = () if self.playing is None or seat is None else self.playing.places((seat,))
        name = clean(founded.joins[seat].name, NAME) if founded is not None and seat is not None else ""
        self.events.append(
            table_events.TalkHeard(letter.key, text)
            if founded is None
            else game.Said(places[0] if places else None, name, text)
        )

    def _remember(self, key: bytes, n: int) -> None:
        """Notes the last line of a seat with our own seat; talk goes on without it if the disk does not take it."""
        seat = self.waiting_room.seat
        if seat is not None:
            self.waiting_room.seat = replace(seat, heard=tuple(sorted({**dict(seat.heard), key: n}.items())))
            with suppress(OSError):
                self.disk.keep(self.waiting_room.seat)

    def say(self, text: str, wall: float) -> None:
        """Our own line; `wall` seconds make its counter grow over restarts too."""
        line = clean(text)
        if line:
            self._said = max(self._said + 1, int(wall))
            say = Say(self.channel.table, self.me.key, self._said, line)
            self.outgoing.say("say", signed_message(self.me, say), qos=0)

    # What a host does

    def admit(self, key: bytes, now: float) -> None:
        """This guest may sit."""
        self.waiting_room.admit(key, now)

    def turn_away(self, key: bytes, now: float) -> None:
        """This guest gets no seat."""
        self.waiting_room.turn_away(key, now)

    def propose(self, now: float) -> None:
        """The game begins with those who were admitted, if they are enough."""
        self.waiting_room.propose(now)

    # What our person does in the game: each raises a `RulesError` if it cannot be done now

    def _in_game(self) -> Playing:
        if self.playing is None:
            raise Stale("not-now", reason="no game")
        return self.playing

    def play(self, bundle: Bundle, now: float) -> None:
        self._in_game().play(bundle, now)
        self._work(now)

    def leave(self, now: float) -> None:
        self._in_game().leave(now)
        self._work(now)

    def vote(self, place: int, yes: bool, now: float) -> None:
        self._in_game().vote(place, yes, now)
        self._work(now)

    def abandon(self, now: float) -> None:
        self._in_game().abandon(now)

    def wish_rematch(self, now: float) -> None:
        self._in_game().wish_rematch(now)

    def confirm_run(self, now: float) -> None:
        """Our person says that this is the machine to play on."""
        self._in_game().session.heads.confirm_run(self.rng.randbytes(16))
        self._work(now)

    def doing(self, what: str, now: float) -> None:
        """Our person composes a turn, pauses, or does neither; nobody needs to know before the game."""
        if self.duties is not None and self.duties.doing is not None:
            self.duties.doing.wish = what
            self.duties.doing.tick(now)

    # Time

    def tick(self, now: float) -> None:
        """What time brings: repeats, heads, asks, votes, renewals. What one of them cannot do stops no other."""
        for part in (self._tick_table, self.waiting_room.tick, self.outgoing.tick):
            try:
                part(now)
            except Verdict as verdict:
                _logger.warning("could not be said: %s", verdict)

    def _tick_table(self, now: float) -> None:
        self._reads_logs = self._needs_logs(now)
        if self.duties is not None:
            self.duties.tick(now)
            self._work(now)
            self._note_situation(now)
        elif self.outgoing.up:
            for ask in [] if self.hosting is not None else self._asking.tick(now):
                self.outgoing.say("ask", signed_message(self.me, ask))
            self._answer(self._answers.tick(now))

    def _note_situation(self, now: float) -> None:
        """Notes how the game of our person stands; the game goes on without it if the disk does not take it."""
        if self.playing is None or self.seat is None or self.manner.bot:
            return
        situation = self.playing.situation(now)
        if situation != self._noted:
            with suppress(OSError):
                self.disk.note(situation)
                self._noted = situation

    def _needs_logs(self, now: float) -> bool:
        """Whether what the seats left with the broker is of use; to a seat that has caught up each move says it all."""
        if self.playing is None or self.playing.me is None or self.playing.out:
            return True
        if not self.playing.session.heads.behind():
            self._behind_since = None
        elif self._behind_since is None:
            self._behind_since = now
        elif now - self._behind_since >= BEHIND_FOR:
            # Nobody answers: the seat that knows more may be gone, and its log still there.
            self._behind_since, self._logs_until = None, max(self._logs_until, now + LOGS_FOR)
        return now < self._logs_until

    @property
    def done(self) -> bool:
        """Whether the game is over for good, for us."""
        return self.playing is not None and self.playing.over

    def goes_on(self, now: float) -> bool:
        """Whether there is a game to wait for, or to follow."""
        return self.playing is None or self.playing.goes_on(now)

    def stay(self, now: float) -> bool:
        """Whether others may still need this client; once they do not, its seat is noted as over."""
        if self.duties is None or self.duties.stay(now):
            return True
        seat = self.waiting_room.seat
        if seat is not None and not seat.over:
            self.waiting_room.seat = replace(seat, over=True)
            self.disk.keep(self.waiting_room.seat)
        return False

    def close(self) -> None:
        """This client goes: what it wrote is on disk and in the cache, which is emptied where nobody needs it."""
        if self.seat is not None and not self.manner.keeping:
            # Otherwise the others would find out only after they have waited for a while.
            run = bytes(16) if self.playing is None else self.playing.session.heads.run
            self.outgoing.say("head", signed_message(self.me, Off(self.me.key, run)))
        self.waiting_room.close()
        if self.playing is None and self.channel.private is not None:
            self.outgoing.clear()
        if self.playing is not None:
            self.playing.ledger.flush()
            over = self.waiting_room.seat is not None and self.waiting_room.seat.over
            if self.playing.me is not None and over and self.channel.private is not None:
                self.outgoing.clear()
            elif self.playing.me is not None:
                self.outgoing.flush()

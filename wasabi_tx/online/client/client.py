"""One client at one table, from the waiting room to the end: bytes and time in, publications and events out.

Its driver calls `receive` for each message, `tick` a few times a second and after `receive`, and publishes what
`take_outgoing` returns. Everything that the client promises is on disk before it is in that list.
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
from wasabi_protocol.game.doings import GONE
from wasabi_protocol.game.record import found_record, write_record
from wasabi_protocol.game.session import Me
from wasabi_protocol.sealed.player import SealedPlayer as SealedPlayer
from wasabi_protocol.sealed.secrets import SECRET_SIZE
from wasabi_protocol.signed.codec import signed_message
from wasabi_protocol.signed.envelope import Item
from wasabi_protocol.signed.identity import Identity
from wasabi_protocol.signed.messages import Answer, Ask, Doing, Genesis, Say, Start
from wasabi_protocol.table.channel import Channel, Letter
from wasabi_protocol.table.genesis import Founded
from wasabi_protocol.table.topics import Topic
from wasabi_protocol.verdicts import Verdict

from ...engine.errors import RulesError, Stale
from ...engine.step import Bundle
from ...games import game
from ...games.plans import MOST_PLANS, UNREADABLE, PlanBroken, Plans
from ...games.quick_start import in_setup, setup_bundle
from ...net.transport import Publication, Will
from ...text.foreign import NAME, clean
from ..carry.budget import Budget
from ..carry.outgoing import Outgoing
from ..carry.screen import SeatScreen
from ..rules_adapter.history import History
from ..rules_adapter.sealed_position import SealedPosition
from ..rules_adapter.umpire import Umpire
from ..saved.disk import Disk
from ..saved.seat import SavedSeat
from ..saved.situation import Situation
from ..terms import BY_CORRESPONDENCE, EMOTES, PHRASES, QUICK_START, WATCHERS_TALK, FindRules, rules_of
from . import events as table_events
from .duties import HEAD_EVERY, RARE_HEADS, Duties
from .own_doing import last_will, say_doing
from .patience import BOT_PATIENCE
from .playing import Playing
from .talk import TalkFilter
from .waiting_room import Hosting, WaitingRoomClient

# Without a handler here, a warning would be printed across the screen.
_logger = logging.getLogger(__name__)
_logger.addHandler(logging.NullHandler())

Event = game.Event | table_events.TableEvent
MOST_EARLY = 8
"""Most logs kept until the start shows whose they are; any others have to be fetched again."""
WITH_ITS_HOST = ("closed", "timeout", "unreachable")
"""Reasons for a lost connection when a broker ends together with its host's program."""
SAVE_EVERY = 2.0
"""Seconds after which a turn is tried again for which the disk had no room."""
LOGS_FOR = 20.0
"""Seconds for which a seat reads the retained logs after it connects or falls behind."""
BEHIND_FOR = 3.0
"""Seconds within which a seat that lacks something should get an answer."""


@dataclass(frozen=True)
class Manner:
    """A client's behaviour where the protocol leaves a choice."""

    bot: bool = False
    patience: float = BOT_PATIENCE
    share_hand: bool = True
    runner: bytes = b""
    head_every: float = HEAD_EVERY
    """Seconds between heads; a seat not heard for two and a half of them is away."""
    keeping: bool = False
    """True for a keeper: there is no person here to ask."""
    votes_yes: bool = False
    """A keeper's vote about a player whose time is up."""


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
        """Set up a client: `seat` is None for a watcher, `hosting` for all but the host; `door` opens a private table.

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
        self._screens: list[SeatScreen] = []
        self.channel.learn(me.key)
        self.run = self.rng.randbytes(16)
        """Identifies this run of our key in its heads."""
        self._wills = count(1)
        self._visitors = str(Topic(channel.realm, "who", ""))
        """The prefix of the topics on which people in the lobby announce themselves."""
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
            run=self.run,
        )
        self.playing: Playing | None = None
        self.unsaved: Bundle | None = None
        """Our person's turn if the disk had no room for it: it is played when there is some."""
        self._save_due = 0.0
        self.duties: Duties | None = None
        self.talk = TalkFilter(() if seat is None else seat.heard)
        # Our own last line is remembered too: a clock that was fast and has been corrected must not silence us.
        self._said = self.talk.last(me.key)
        self._kept_talk = () if seat is None else seat.talk
        """Talk from before this program began."""
        self._noted: Situation | None = None
        self.plans = disk.plans()
        """Our person's plans for later turns, as last read or written."""
        self._plans_tried_at = b""
        """Link of the log's head at which the plans were last tried."""
        self._told_planned = 0
        """The last turn announced as played from a plan."""
        self._logs_until = math.inf
        self._behind_since: float | None = None
        self._reads_logs = True
        self._early: dict[bytes, Letter] = {}
        """The first chunks of logs that arrived before we knew who plays, by author."""
        self._asking = Asking[SealedPosition](me.key, channel.table)
        self._answers = Answers(me.key, channel.table, self._answer_in_waiting_room, self._chance)
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

    def _answer_in_waiting_room(self, _slot: int) -> list[Item]:
        """Return the answer to anyone who asks before the game, whatever they already have."""
        return self.waiting_room.items()

    def _chance(self) -> float:
        return self.rng.random()

    def _found_again(self, record: list[Item]) -> None:
        """Restore the game from our own disk; raise `Refused` or `Unplayable` if it cannot be continued."""
        founded = found_record(record)
        self.waiting_room.rules_for = rules_of(founded.genesis.terms, self.find)
        self.waiting_room.started = (founded, record[1][1])

    def _notice_absence(self) -> None:
        """Note what our person has seen: everything on disk except what a keeper wrote."""
        playing = self.playing
        if self.manner.keeping:
            self.disk.away(0 if playing is None else playing.restored)
        else:
            seen = self.disk.back()
            if playing is not None and seen is not None:
                playing.restored = min(playing.restored, seen)

    # Outgoing

    @property
    def will(self) -> Will | None:
        """A factory for the last will that the broker publishes when it loses us; None for watchers."""
        # The transport calls it in its own thread, so it must not touch the client.
        outgoing, run, wills = self.outgoing, self.run, self._wills
        return None if self.seat is None else lambda: last_will(outgoing, run, next(wills))

    def take_outgoing(self) -> list[Publication]:
        """Return the pending publications in order and clear the list."""
        return self.outgoing.drain()

    @property
    def situation(self) -> Situation | None:
        """The situation of our person's game, as last noted."""
        return self._noted

    @property
    def filters(self) -> list[str]:
        """The topic filters this client needs now; a watcher gets few from a broker, so they cover the whole table."""
        seen = [f"{self._visitors}+"] if self.listed else []
        if self.playing is None:
            return [*self.channel.room_filters(whole=self.seat is None), *seen]
        keys = None if self.seat is None else self.playing.founded.keys
        return [*self.channel.game_filters(keys, self._reads_logs), *seen]

    @property
    def listed(self) -> bool:
        """True if this is the host of a table that a lobby lists."""
        return self.hosting is not None and self.hosting.listed

    @property
    def host(self) -> bytes:
        """The key of the table's host; empty until their offer has come."""
        if self.playing is not None:
            return self.playing.founded.genesis.key
        return b"" if self.waiting_room.room is None else self.waiting_room.room.host

    def note_way(self, url: str) -> None:
        """Save the address at which the table was found again, with our seat."""
        seat = self.waiting_room.seat
        if seat is not None:
            self.waiting_room.seat = replace(seat, through=url)
            self.disk.save_seat(self.waiting_room.seat)

    def history(self) -> History:
        """Return the game up to now; only once its seats are drawn."""
        history = self._in_game().history()
        self._tell_kept_talk()
        return history

    @property
    def options(self) -> tuple[str, ...]:
        """The table's options besides the rules; only once its seats are drawn."""
        return self._in_game().founded.genesis.terms.options

    def take_events(self) -> list[Event]:
        self.events += self.waiting_room.events
        self.waiting_room.events.clear()
        if self.playing is not None:
            self.events += self.playing.events
            self.playing.events.clear()
        taken, self.events = self.events, []
        return taken

    # Incoming

    def connected(self, now: float) -> None:
        """Handle a new connection, with all subscriptions made."""
        self.events.append(game.Link(True))
        self._logs_until = now + LOGS_FOR
        if self.duties is not None:
            self.duties.connected(now)
        else:
            for ask in self._asking.connected(now):
                self.outgoing.post("ask", signed_message(self.me, ask))
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

    def screen(self) -> SeatScreen:
        """Return a screen for one more connection, which calls it in its own thread."""
        screen = SeatScreen(self.channel, self._visitors)
        self._screens.append(screen)
        if self.playing is not None:
            screen.learn(self.playing.founded.keys)
        return screen

    def receive(self, topic: str, payload: bytes, retained: bool, now: float) -> None:
        """Receive one message from the broker; an invalid one changes nothing."""
        if topic.startswith(self._visitors):
            if not retained:
                self.waiting_room.looked_for(now)
            return
        try:
            letter = self._read(topic, payload, now)
            if letter is not None:
                self._take(letter, retained, now)
        except Verdict as verdict:
            _logger.info("dropped a message under %s: %s", topic, verdict)

    def _read(self, topic: str, payload: bytes, now: float) -> Letter | None:
        """Check the size and the signature, then parse, each within its topic's budget; return None beyond it.

        An author has a separate budget for each kind of topic, so that noise in one of them does not affect the others.
        """
        place = self.channel.place(topic, payload)
        sender, size = f"{place.author}/{place.kind}", len(payload)
        if not self.budget.check(sender, size, now):
            return None
        signed = self.channel.verify(place, payload)
        if not self.budget.parse(sender, size, now):
            return None
        letter = self.channel.parse(place, signed)
        return letter if self.budget.quote(sender, letter.message, now) else None

    def _comes_first(self, sender: str) -> bool:
        """Return whether a sender (`author/kind`) is this client, the host or somebody with a seat."""
        author = sender.partition("/")[0]
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
            if not retained and letter.key != self.me.key:
                self.waiting_room.hear_doing(letter.message, now)
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
            # The same letter may contain more than the start, and so may earlier ones.
            early = [known for known in self._early.values() if known is not letter]
            self._early.clear()
            self.playing.receive(letter, retained, now)
            for known in early:
                self.playing.receive(known, True, now)
            self._work(now)

    def _answer(self, answers: list[Answer]) -> None:
        for answer in answers:
            self.outgoing.post("ans", signed_message(self.me, answer))

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
        for screen in self._screens:
            screen.learn(founded.keys)
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
            self.disk.save_seat(self.waiting_room.seat)
            self.duties.secret = None
        self._start_quickly(now)
        self._play_planned(now)

    def _start_quickly(self, now: float) -> None:
        """Make the choices before the first turn at random, if the table agreed on that: nobody has to be present for
        it.
        """
        playing = self.playing
        if playing is None or self.seat is None or self.manner.bot or not playing.may_move:
            return
        known = playing.observation()
        if QUICK_START in self.options and in_setup(known):
            with suppress(RulesError):
                playing.play(setup_bundle(known, self.rng), now)
                self._work(now)

    # Plans for later turns

    def save_plans(self, plans: Plans, now: float) -> None:
        """Replace our person's plans for later turns."""
        self._in_game()
        self._save_plans(plans)
        self._plans_tried_at = b""
        self._work(now)

    def _save_plans(self, plans: Plans, played: tuple[int, ...] = ()) -> None:
        """Save these plans, and with them which turns were played from a plan."""
        self.plans = replace(plans, played=(*self.plans.played, *played)[-MOST_PLANS:])
        self.disk.save_plans(self.plans)

    def _play_planned(self, now: float) -> None:
        """Play the plan for this turn if it still fits; each moment of our turn is tried once."""
        playing = self.playing
        if playing is None or self.seat is None or self.manner.bot or not playing.may_move or self.unsaved:
            return
        head, turn = playing.session.log.head.link, playing.observation().position.turn
        if head == self._plans_tried_at or not turn:
            return
        self._plans_tried_at = head
        self.plans = plans = self.disk.plans()
        if not plans.turns and plans != UNREADABLE:
            return
        try:
            bundle, rest = plans.next_bundle(playing.observation())
            # Saved before signing: a program that dies in between has played nothing, and our person is notified.
            if rest != plans:
                self._save_plans(rest)
            if bundle is None:
                return
            self._play(bundle, now)
        except PlanBroken as broken:
            self._drop_plans(plans.dropped(turn, broken))
        except RulesError:
            self._drop_plans(plans.dropped(turn, PlanBroken("illegal")))
        except OSError:
            self._plans_tried_at = b""
            raise
        else:
            # A turn has several bundles if something is drawn in it.
            if turn != self._told_planned:
                self._told_planned = turn
                self._save_plans(self.plans, (turn,))
                self.events.append(game.PlanPlayed(turn))
            self._work(now)

    def _drop_plans(self, nothing: Plans) -> None:
        self._save_plans(nothing)
        assert nothing.not_played is not None, "it says why"
        self.events.append(game.PlanDropped(nothing.not_played))

    # Talk

    def _heard(self, letter: Letter, line: Say, now: float) -> None:
        founded = None if self.playing is None else self.playing.founded
        seat = None if founded is None else founded.seat_of(letter.key)
        if founded is not None and seat is None and WATCHERS_TALK not in founded.genesis.terms.options:
            return
        text = clean(line.text)
        if self._says_phrases and text not in PHRASES:
            return
        if not text or not self.talk.hear(letter.key, line.n, now, seat is not None):
            return
        if seat is not None or (founded is None and self.waiting_room.knows(letter.key)):
            self._remember(letter.key, line.n, "" if seat is None else text)
        self.events.append(table_events.TalkHeard(letter.key, text) if founded is None else self._said_by(seat, text))

    def _said_by(self, seat: int | None, text: str, earlier: bool = False) -> game.Said:
        """Return the event for a line in the game; a watcher has no seat."""
        playing = self._in_game()
        places = () if seat is None else playing.places((seat,))
        name = "" if seat is None else clean(playing.founded.joins[seat].name, NAME)
        return game.Said(places[0] if places else None, name, text, earlier)

    def _tell_kept_talk(self) -> None:
        """Emit the talk from before this program began; a keeper leaves it to its person."""
        seat, founded = self.waiting_room.seat, self._in_game().founded
        if seat is None or self.manner.keeping:
            return
        for key, text, shown in self._kept_talk:
            self.events.append(self._said_by(founded.seat_of(key), text, shown))
        self._kept_talk = ()
        self._save_seat(replace(seat, talk=tuple((key, text, True) for key, text, _ in seat.talk)))

    @property
    def _says_phrases(self) -> bool:
        """True if only the phrases of the digits may be said: among strangers, and before an offer was heard."""
        room = self.waiting_room.room
        if self.playing is not None:
            return EMOTES in self.playing.founded.genesis.terms.options
        return room is None or room.offer is None or EMOTES in room.offer.terms.options

    def _remember(self, key: bytes, n: int, text: str) -> None:
        """Save the counter of somebody's last line with our seat and, in a game, the line itself."""
        seat = self.waiting_room.seat
        if seat is not None:
            seat = replace(seat, heard=tuple(sorted({**dict(seat.heard), key: n}.items())))
            self._save_seat(seat.with_talk(key, text, not self.manner.keeping) if text else seat)

    def _save_seat(self, seat: SavedSeat) -> None:
        """Save notes about talk; ignore a disk that cannot be written."""
        self.waiting_room.seat = seat
        with suppress(OSError):
            self.disk.save_seat(seat)

    def send_talk(self, text: str, wall: float) -> None:
        """Send a line of talk; `wall` time in seconds makes its counter grow over restarts too."""
        line = clean(text)
        if line and (line in PHRASES or not self._says_phrases):
            self._said = max(self._said + 1, int(wall))
            say = Say(self.channel.table, self.me.key, self._said, line)
            self.outgoing.post("say", signed_message(self.me, say), qos=0)

    # The host's actions

    def admit(self, key: bytes, now: float) -> None:
        """Give this guest a seat."""
        self.waiting_room.admit(key, now)

    def turn_away(self, key: bytes, now: float) -> None:
        """Refuse this guest a seat."""
        self.waiting_room.turn_away(key, now)

    def propose(self, now: float) -> None:
        """Propose a game of the admitted players, if there are enough."""
        self.waiting_room.propose(now)

    # Our person's actions in the game: each raises a `RulesError` if it cannot be done now

    def _in_game(self) -> Playing:
        if self.playing is None:
            raise Stale("not-now", reason="no game")
        return self.playing

    def play(self, bundle: Bundle, now: float) -> None:
        """Play a bundle; one that cannot be saved raises an `OSError`, and is played as soon as it can."""
        self._play(bundle, now)
        self._work(now)

    def _play(self, bundle: Bundle, now: float) -> None:
        self.unsaved, self._save_due = bundle, now + SAVE_EVERY
        try:
            self._in_game().play(bundle, now)
        except RulesError:
            self.unsaved = None
            raise
        self.unsaved = None

    def _play_unsaved(self, now: float) -> None:
        """Try again to play what could not be saved; let our person choose anew if it does not fit any more."""
        if self.unsaved is None or now < self._save_due:
            return
        try:
            self.play(self.unsaved, now)
        except RulesError:
            self.events.append(game.Ready())

    def quit(self, now: float) -> None:
        self._in_game().quit(now)
        self._work(now)

    def vote(self, place: int, yes: bool, now: float) -> None:
        self._in_game().vote(place, yes, now)
        self._work(now)

    def abandon(self, now: float) -> None:
        self._in_game().abandon(now)

    def wish_rematch(self, now: float) -> None:
        self._in_game().wish_rematch(now)

    def confirm_run(self, now: float) -> None:
        """Confirm that this is the machine our person plays on."""
        self._in_game().session.heads.confirm_run(self.rng.randbytes(16))
        self._work(now)

    def doing(self, what: str, now: float) -> None:
        """Set our person's doing: composing a turn, paused, or neither; ignored before the game."""
        if self.duties is not None and self.duties.doing is not None:
            self.duties.doing.wish = what
            self.duties.doing.tick(now)

    # Time

    def tick(self, now: float) -> None:
        """Do what is due by time: repeats, heads, asks, votes, renewals. A failure in one part does not stop the
        others: with a full disk we are still heard.
        """
        failed: OSError | None = None
        for part in (*self._table_parts, self.waiting_room.tick, self.outgoing.tick):
            try:
                part(now)
            except Verdict as verdict:
                _logger.warning("could not be said: %s", verdict)
            except OSError as error:
                failed = error
        if failed is not None:
            raise failed

    @property
    def _table_parts(self) -> tuple[Callable[[float], None], ...]:
        if self.duties is None:
            return (self._tick_logs, self._ask_before)
        return (self._tick_logs, *self.duties.parts, self._play_unsaved, self._work, self._note_situation)

    def _tick_logs(self, now: float) -> None:
        self._reads_logs = self._needs_logs(now)

    def _ask_before(self, now: float) -> None:
        """Ask for the game, and answer those who ask, before it has begun."""
        if self.outgoing.up:
            for ask in [] if self.hosting is not None else self._asking.tick(now):
                self.outgoing.post("ask", signed_message(self.me, ask))
            self._answer(self._answers.tick(now))

    def _note_situation(self, now: float) -> None:
        """Save the situation of our person's game if it changed; ignore a disk that cannot be written."""
        if self.playing is None or self.seat is None or self.manner.bot:
            return
        situation = self.playing.situation(now)
        if situation != self._noted:
            with suppress(OSError):
                self.disk.note(situation)
                self._noted = situation

    def _needs_logs(self, now: float) -> bool:
        """Return whether the seats' retained logs are useful; a seat that has caught up needs only the moves."""
        if self.playing is None or self.playing.me is None or self.playing.out:
            return True
        if not self.playing.session.heads.behind():
            self._behind_since = None
        elif self._behind_since is None:
            self._behind_since = now
        elif now - self._behind_since >= BEHIND_FOR:
            # Nobody answers: the seat that knows more may be gone while its log is still there.
            self._behind_since, self._logs_until = None, max(self._logs_until, now + LOGS_FOR)
        return now < self._logs_until

    @property
    def done(self) -> bool:
        """True if the game is over for good, for us."""
        return self.playing is not None and self.playing.over

    def goes_on(self, now: float) -> bool:
        """Return whether there is a game to wait for or to follow."""
        return self.playing is None or self.playing.goes_on(now)

    def stay(self, now: float) -> bool:
        """Return whether others may still need this client; once they do not, mark its seat as over."""
        if self.duties is None or self.duties.stay(now):
            return True
        seat = self.waiting_room.seat
        if seat is not None and not seat.over:
            self.waiting_room.seat = replace(seat, over=True)
            self.disk.save_seat(self.waiting_room.seat)
        return False

    def close(self) -> None:
        """Close this client: everything is on disk and in the cache, which is cleared if nobody needs it."""
        if self.seat is not None and not self.manner.keeping:
            # Otherwise the others would only notice after waiting for a while.
            say_doing(self.outgoing, self.run if self.playing is None else self.playing.session.heads.run, 0, GONE)
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

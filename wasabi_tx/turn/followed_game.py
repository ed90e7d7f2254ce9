"""People at one screen following one game: who sits here, what they plan, what they have not seen yet."""

from __future__ import annotations

from dataclasses import dataclass

from ..engine.observe import Observation, observe
from ..engine.position import NOBODY, Outcome, Position
from ..engine.sealed_card import Card
from ..engine.step import Bundle
from ..games.game import Can, Change, Ended, Event, Game, Rewound, lone_person
from ..games.plans import Plans
from ..games.transcript import GameRecord, Move, Past, Transcript, move_of
from ..text import Texts
from ..view.log.chronicle import Chronicle, TurnEntry, changed_squares, with_plans
from ..view.log.phrases import phrases
from ..view.press import CONFIRM, SUGGEST
from ..view.table.hand import EMPTY, Hand, hand_of
from ..view.table.table import TableView, describe_table
from .composing import foreseen, may_compose, unplayed
from .plan import Plan
from .plan_lines import plan_forms

KEPT_VIEWS = 4
"""Number of recent views that are kept: undoing a step returns to one of them."""


@dataclass(frozen=True)
class Frame:
    """A moment of the game: the position, and the move that led to it."""

    position: Position
    entry: TurnEntry | None
    changed: frozenset[int] = frozenset()


class FollowedGame:
    """Follows a game from its events, for the person at the keyboard."""

    def __init__(self, game: Game, texts: Texts, earlier: Past | None = None, *, lesson: bool = False) -> None:
        """Set up; in a `lesson` the hand's numbers follow from the position alone, as its sentences name them."""
        self._lesson = lesson
        self._enter = SUGGEST
        self.game = game
        self.texts = texts
        self.seated: int | None = lone_person(game.people)
        """The seat at the keyboard; None before the first curtain, or if nobody plays here."""
        self.plan: Plan | None = None
        self.composing = False
        """True if the plan is for a later turn: it is saved, not sent."""
        self.outcome: Outcome | None = None
        """The outcome, even if the game ended otherwise than by the rules."""
        self.faces: dict[Card, int] = {}
        """Faces of all recipes that people here have held."""
        self._hands: dict[int, Hand] = {}
        """Hands of the people here, with the numbers that they keep."""
        self._start = earlier.start if earlier is not None else game.position
        self._moves: list[Move] = list(earlier.moves) if earlier is not None else []
        self.frames: list[Frame] = []
        self._seen = [0] * len(game.players)
        self._views: list[tuple[tuple[object, ...], dict[Card, int], TableView]] = []
        """Recent views, newest first, with their cache keys."""
        self._rewrite()
        self._seen = [self._turn_start(seat) for seat in range(len(game.players))]
        self._known = len(self._moves) if earlier is None else earlier.known
        """Number of moves the returning person had seen; later ones are shown until they have moved."""
        self._come_back()
        if earlier is not None:
            for move in earlier.moves:
                for seat in game.people:
                    self._hold(seat, observe(game.rules, move.after, seat, earlier.faces))
        self._learn()

    def _come_back(self) -> None:
        """Find what a returning person missed, including their own turns."""
        self._away = 0
        """First log entry the returning person has seen."""
        if self._known < len(self._moves):
            chronicle = Chronicle(self.game.rules, self.game.players, self.texts)
            for move in self._moves[: self._known]:
                chronicle.add(move)
            self._away = len(self.chronicle.entries)
            self._seen = [min(seen, len(chronicle.entries)) for seen in self._seen]

    def _learn(self) -> None:
        """Remember the contents and order of the hands of people here."""
        for seat in self.game.people:
            self._hold(seat, self.game.seen_by(seat))

    def _hold(self, seat: int, seen: Observation) -> None:
        self.faces |= seen.faces
        self._hands[seat] = hand_of(seen, EMPTY if self._lesson else self._hands.get(seat, EMPTY))

    @property
    def enter(self) -> str:
        """The effect of Enter at this table; one without hints suggests nothing."""
        if self._enter == SUGGEST and Can.HINT not in self.game.can:
            return CONFIRM
        return self._enter

    def set_enter(self, enter: str) -> None:
        """Set what Enter does, as the person wishes; in a lesson it always does the same."""
        self._enter = SUGGEST if self._lesson else enter
        if self.plan is not None:
            self.plan.enter = self.enter

    @property
    def over(self) -> bool:
        """True if the game has ended, by the rules or otherwise."""
        return self.game.position.outcome is not None or self.outcome is not None

    @property
    def my_turn(self) -> bool:
        return self.game.observation.my_turn and self.game.observation.seat == self.seated

    @property
    def needs_curtain(self) -> bool:
        """True if a different person has to sit down before their hand may be shown."""
        observation = self.game.observation
        return observation.my_turn and observation.seat != self.seated

    def sit_down(self) -> None:
        """Seat the person to move at the keyboard."""
        self.seated = self.game.observation.seat
        self.renew_plan()

    def handle(self, event: Event) -> None:
        """Process an event; those that change no position are not logged."""
        self._learn()
        if isinstance(event, Ended):
            self.outcome = event.outcome
        elif isinstance(event, Rewound):
            self._rewind(event.after)
        elif isinstance(event, Change):
            move = move_of(event, self.frames[-1].position)
            self._moves.append(move)
            self._hear(move)
            self._note_turn(move)

    def _hear(self, move: Move) -> None:
        entry = self.chronicle.add(move)
        changed = frozenset(changed_squares(move.before, move.after))
        self.frames.append(Frame(move.after, entry, changed or self.last_changed))
        self._totals[move.after.turn] = _totals(move.after)

    def _rewind(self, position: Position) -> None:
        """Forget the moves after a position; if it was never seen here, the log begins with it."""
        kept = [number for number, frame in enumerate(self.frames) if frame.position == position]
        if kept:
            del self._moves[kept[-1] :]
        else:
            self._start, self._moves = position, []
        self._rewrite()
        self._away = 0
        self._seen = [self._turn_start(seat) for seat in range(len(self._seen))]

    @property
    def record(self) -> GameRecord:
        """Everything of the game that was seen here."""
        return GameRecord(self.game.rules, self.game.players, dict(self.faces), tuple(self._moves))

    @property
    def last_changed(self) -> frozenset[int]:
        """Squares changed by the last move that changed any."""
        return self.frames[-1].changed

    def _note_turn(self, move: Move) -> None:
        turned = move.after.turn != move.before.turn or move.after.mover != move.before.mover
        if move.seat != NOBODY and turned:
            self._seen[move.seat] = len(self.chronicle.entries)
            self._away = 0 if move.seat == self.seated else self._away

    def _turn_start(self, seat: int) -> int:
        """Return the first log entry that a seat has not seen, when a game is resumed."""
        own = [number for number, entry in enumerate(self.chronicle.entries) if entry.seat == seat]
        return own[-1] + 1 if own else 0

    def speak(self, texts: Texts) -> None:
        """Switch to another language."""
        self.texts = texts
        self._rewrite()
        self.renew_plan(keep=True)

    def _rewrite(self) -> None:
        """Write the log again from all moves."""
        game = self.game
        self.chronicle = Chronicle(game.rules, game.players, self.texts)
        self.frames = [Frame(self._start, None)]
        self._totals = {self._start.turn: _totals(self._start)}
        for move in self._moves:
            self._hear(move)

    @property
    def race(self) -> tuple[tuple[int, ...], ...]:
        """All totals at the end of every turn."""
        return tuple(self._totals.values())

    @property
    def since(self) -> list[TurnEntry]:
        """Entries of the others since the last turn of the person at the keyboard."""
        first = 0 if self.seated is None else self._seen[self.seated]
        unseen = enumerate(self.chronicle.entries[first:], first)
        found = [entry for number, entry in unseen if entry.seat != self.seated or number < self._away][-12:]
        return [with_plans(entry, self.seated, self.game.plans) for entry in found]

    @property
    def log(self) -> list[TurnEntry]:
        """All entries of the log."""
        return [with_plans(entry, self.seated, self.game.plans) for entry in self.chronicle.entries]

    @property
    def frames_since(self) -> list[Frame]:
        """The moments from the last turn of the person at the keyboard on, or since they went away."""
        own = [n for n, one in enumerate(self.frames) if one.entry is not None and one.entry.seat == self.seated]
        first = own[-1] if own else 0
        return self.frames[min(first, self._known) if self._away else first :]

    def renew_plan(self, keep: bool = False) -> None:
        """Start a new plan for the current position; with `keep`, keep the unsent steps."""
        old, composed = self.plan, self.composing
        mine = self.my_turn and not self.over and not self.game.awaiting
        base = self.game.observation if mine else self._foreseen() if composed else None
        self.composing = composed and base is not None and not mine
        if base is None:
            self.plan = None
            return
        self.plan = Plan(base, self.texts, self._hand, later=self.composing, enter=self.enter)
        if old is None:
            return
        self.plan.cursor = old.cursor
        if composed or (keep and old.draft.base.position is base.position):
            for step in old.draft.steps:
                # A turn that was planned to its end continues after what is drawn.
                if self.plan.draft.complete or not self.plan.add(step):
                    break

    @property
    def up_to_date(self) -> bool:
        """True if the plan is for this very moment, with everything known in it."""
        plan, now = self.plan, self.game.observation
        if plan is None or self.composing or not self.my_turn or self.game.awaiting:
            return False
        return plan.draft.base.position is now.position and plan.draft.base.faces == now.faces

    # Plans for later turns

    def compose(self) -> bool:
        """Begin a plan for the next unplanned turn; return False if that cannot be planned."""
        base = self._foreseen()
        if base is not None:
            self.plan = Plan(base, self.texts, self._hand, later=True, enter=self.enter)
            self.composing = True
        return base is not None

    def stop_composing(self) -> None:
        if self.composing:
            self.plan, self.composing = None, False

    def composed(self) -> Plans | None:
        """Return all plans with the one that is being made; None if something is still to be chosen."""
        if not self.composing or self.plan is None or not self.plan.draft.complete:
            return None
        return self.game.plans.with_turn(self.plan.draft.base, self.plan.draft.steps)

    def _foreseen(self) -> Observation | None:
        return None if self.over else foreseen(self.game)

    @property
    def chooses(self) -> bool:
        """True if the person at the keyboard is choosing their present turn."""
        return self.plan is not None and not self.composing

    @property
    def may_compose(self) -> bool:
        """True if a later turn can be planned now."""
        return may_compose(self.game) and not self.composing and not self.over

    @property
    def unplayed(self) -> tuple[str, ...]:
        """The reason why the plan for this turn was not played."""
        return unplayed(self.game, self.texts)

    @property
    def plans(self) -> tuple[tuple[str, ...], ...]:
        """Each plan as a line and ever shorter ones."""
        return plan_forms(self.game.plans, self.game.rules, self.texts)

    @property
    def _hand(self) -> Hand:
        return EMPTY if self.seated is None else self._hands.get(self.seated, EMPTY)

    def bundle(self) -> Bundle | None:
        """Return the bundle that would be sent now; None if something is still to be chosen."""
        return self.plan.draft.bundle() if self.plan is not None and self.plan.draft.complete else None

    @property
    def observation(self) -> Observation:
        """The observation that may be shown now: no hand before its owner has sat down."""
        if self.plan is not None:
            return self.plan.draft.observation
        if self.seated is None:
            return observe(self.game.rules, self.game.position, None, {})
        return self.game.seen_by(self.seated)

    def view(self) -> TableView:
        """Return the table as it would be after the planned steps; nothing is sent yet, it is still the same turn."""
        observation = self.observation
        base = self.plan.draft.base if self.plan is not None else None
        shown = (observation.position, observation.seat, self.chronicle, base and base.position)
        for before, faces, view in self._views:
            # A drawn card gets its face later, in the same position.
            if all(a is b for a, b in zip(before, shown, strict=True)) and faces == observation.faces:
                return view
        authors = self.chronicle.authors(observation.seat)
        view = describe_table(observation, self.game.players, self.texts, authors, base, self._hand)
        self._views = [(shown, observation.faces, view), *self._views[: KEPT_VIEWS - 1]]
        return view


def frames_of(transcript: Transcript, texts: Texts) -> list[Frame]:
    """Return every moment of a saved game, the beginning first."""
    frames = [Frame(transcript.start, None)]
    for move in transcript.moves:
        told = tuple(phrases(texts, transcript.rules, transcript.players, move.before, move.steps))
        changed = frozenset(changed_squares(move.before, move.after))
        changed = changed or frames[-1].changed
        frames.append(Frame(move.after, TurnEntry(move.before.turn, move.seat, told), changed))
    return frames


def score_race(frames: list[Frame]) -> list[tuple[int, ...]]:
    """Return all totals at the end of every turn."""
    totals: dict[int, tuple[int, ...]] = {}
    for frame in frames:
        totals[frame.position.turn] = _totals(frame.position)
    return list(totals.values())


def _totals(position: Position) -> tuple[int, ...]:
    return tuple(seat.score for seat in position.seats)

"""Plans for later turns: at most one a turn, played when that turn comes if nothing it relies on has changed.

A plan is composed as if nobody else did anything until then, to the end of its turn: what it draws is chosen by length
alone. It records what its own squares show when it begins, and what the lines that it continues show. If any of this
has changed, or the rules no longer allow a step, nothing is played and every plan is dropped.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TypeAlias

from ..engine.board import TILE_MASK
from ..engine.claiming import match_of
from ..engine.errors import Illegal, RulesError
from ..engine.notation import Kind
from ..engine.observe import Observation, observe
from ..engine.position import Position
from ..engine.position_text import format_stack
from ..engine.rules import AnyRules
from ..engine.step import Bundle, Step
from ..engine.toml_text import read_json
from ..text.foreign import clean

CODES = ("square", "gone", "illegal", "unreadable")
"""Reasons why a plan is not played."""
GONE = frozenset({"card-not-there", "deck-empty", "pantry-empty"})
"""Error codes of the rules for something that somebody else has taken."""
MOST_PLANS = 16
LONGEST_STEP = 40
"""Most letters of a step that takes something."""
BLOCKED = "#"
TAKEN = frozenset({"card", "tile", "recipe"})
"""Slots for what is taken at the end of a turn."""
MIN_LINE_TILES = 2
"""The fewest tiles on a recipe's line for a person to count on it."""


Shown: TypeAlias = tuple[tuple[str, str], ...]
"""Names of squares, each with what it shows."""


@dataclass(frozen=True)
class PlannedTurn:
    """A turn in notation, or the rest of one, and the conditions for playing it."""

    turn: int
    steps: str
    phase: str
    """The part of the turn in which it begins."""
    squares: Shown
    """The squares that it touches, and those of the recipes that it completes."""
    lines: Shown = ()
    """The other squares of lines that it continues."""


@dataclass(frozen=True)
class NotPlayed:
    """The reason why the plan for a turn was not played."""

    turn: int
    code: str
    square: str = ""
    """The square that has changed, if that is the reason."""
    gone: str = ""
    """The step that wanted something that is no longer there, in notation."""
    dropped: tuple[int, ...] = ()
    """The later turns whose plans were dropped with it."""


class PlanBroken(Exception):
    """Raised when a plan cannot be played now; `code` is the reason."""

    def __init__(self, code: str, square: str = "", gone: str = "") -> None:
        super().__init__(code)
        self.code = code
        self.square = square
        self.gone = gone


@dataclass(frozen=True)
class Plans:
    """A person's plans for later turns, the next turn first, and what became of earlier ones."""

    turns: tuple[PlannedTurn, ...] = ()
    not_played: NotPlayed | None = None
    """The reason why the last plan was not played, if it was not."""
    played: tuple[int, ...] = ()
    """Recent turns that were played from a plan."""

    def dump(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def load(cls, text: str) -> Plans:
        """Parse saved plans; return UNREADABLE if they are damaged."""
        try:
            found = read_json(text)
            turns = tuple(_turn(one) for one in found["turns"])
            numbers = [one.turn for one in turns]
            if len(turns) > MOST_PLANS or numbers != sorted(set(numbers)):
                return UNREADABLE
            why = found["not_played"]
            return cls(turns, None if why is None else _not_played(why), _numbers(found["played"]))
        except (ValueError, TypeError, KeyError):
            return UNREADABLE

    def foreseen(self, observation: Observation) -> Observation | None:
        """Return what the planner would see at the beginning of the first turn after the planned ones, or None."""
        rules, seat = observation.rules, observation.seat
        if seat is None:
            return None
        position = rules.foresee(observation.position, seat)
        for one in self.turns:
            if position is None:
                return None
            turn = position.turn
            try:
                for step in rules.parse(one.steps):
                    position = rules.without_chance(rules.apply(position, step))
            except RulesError:
                return None
            position = rules.foresee(position, seat)
            if position is not None and position.turn == turn:
                return None
        return None if position is None else observe(rules, position, seat, observation.faces)

    def with_turn(self, foreseen: Observation, steps: Sequence[Step]) -> Plans:
        """Add a plan that was made on the position foreseen after the other plans."""
        rules, position = foreseen.rules, foreseen.position
        squares, lines = needed_squares(foreseen, steps)
        one = PlannedTurn(
            turn=position.turn,
            steps=rules.format(steps),
            phase=position.phase,
            squares=_show(rules, position, squares),
            lines=_show(rules, position, lines),
        )
        return Plans((*self.turns, one))

    def without_last(self) -> Plans:
        return Plans(self.turns[:-1])

    def dropped(self, turn: int, broken: PlanBroken) -> Plans:
        """Drop all plans and record why the one for this turn was not played."""
        later = tuple(one.turn for one in self.turns if one.turn > turn)
        return Plans((), NotPlayed(turn, broken.code, broken.square, broken.gone, later))

    def next_bundle(self, now: Observation) -> tuple[Bundle | None, Plans]:
        """Return the bundle to play now and the plans that remain; None if no plan is for this turn.

        Raise PlanBroken if the plan for this turn cannot be played.
        """
        if not self.turns:
            raise PlanBroken("unreadable")
        turn = now.position.turn
        # A plan whose turn ended sooner than foreseen remains behind.
        later = tuple(one for one in self.turns if one.turn > turn)
        for one in self.turns:
            if one.turn == turn:
                bundle, rest = _next_bundle(one, now)
                return bundle, Plans(later if rest is None else (rest, *later))
        return None, Plans(later)


NO_PLANS = Plans()
UNREADABLE = Plans((), NotPlayed(0, "unreadable"))


def _next_bundle(one: PlannedTurn, now: Observation) -> tuple[Bundle, PlannedTurn | None]:
    """Return the plan's next bundle and the rest of it; raise PlanBroken if it cannot be played as it is."""
    rules, position, seat = now.rules, now.position, now.seat
    assert seat is not None, "a watcher plans nothing"
    try:
        steps = rules.parse(one.steps)
        squares = [(rules.grid.parse_square(name), shown) for name, shown in (*one.squares, *one.lines)]
    except RulesError:
        raise PlanBroken("unreadable") from None
    if one.phase != position.phase:
        raise PlanBroken("illegal")
    for square, shown in squares:
        if shown != _shown(rules, position, square):
            raise PlanBroken("square", rules.grid.names[square])
    try:
        played, after = _first_bundle(rules, position, steps)
    except RulesError:
        raise PlanBroken("illegal") from None
    rest = steps[len(played) :]
    if not rest or rules.passes_on(position, after):
        return Bundle(seat, played), None
    return Bundle(seat, played), replace(one, steps=rules.format(rest), phase=after.phase, squares=(), lines=())


def _first_bundle(rules: AnyRules, position: Position, steps: Sequence[Step]) -> tuple[tuple[Step, ...], Position]:
    """Return the steps up to where their author learns something, and the position after them."""
    for count, step in enumerate(steps, 1):
        try:
            after = rules.apply(position, step)
        except RulesError as error:
            if error.code in GONE:
                raise PlanBroken("gone", gone=rules.grammar.format(step)) from None
            raise
        if rules.closes(position, step, after):
            return tuple(steps[:count]), rules.without_chance(after)
        position = after
    raise Illegal("bundle-too-short", step=len(steps))


def needed_squares(before: Observation, steps: Sequence[Step]) -> tuple[set[int], set[int]]:
    """Return the squares that a turn touches or completes recipes on, and the rest of the lines that it continues.

    Things taken at the end of the turn need no square: they are there to take, or not.
    """
    rules, position, seat = before.rules, before.position, before.seat
    assert seat is not None, "a watcher plans nothing"
    touched: set[int] = set()
    completed: set[int] = set()
    for step in steps:
        after = rules.apply(position, step)
        if rules.slots.get(step.verb) not in TAKEN:
            kinds = zip(rules.grammar.check(step), step.args, strict=True)
            touched.update(arg for kind, arg in kinds if kind in (Kind.SQUARE, Kind.OPTIONAL_SQUARE))
            touched.update(_changed(position, after))
        if step.verb in rules.claiming:
            completed.update(_squares(rules, match_of(rules, position, rules.edition.recipes[step.args[1]]).window))
        position = rules.without_chance(after)
    left = observe(rules, position, seat, before.faces)
    own = touched | completed
    return own, _lines(left, touched) - own


def _changed(before: Position, after: Position) -> Iterable[int]:
    """Return the squares whose contents changed, or that were covered or uncovered."""
    pairs = enumerate(zip(before.board.stacks, after.board.stacks, strict=True))
    return {square for square, (old, new) in pairs if old != new} | set(before.board.blocked) ^ set(after.board.blocked)


def _lines(observation: Observation, touched: set[int]) -> set[int]:
    """Return, for each recipe in hand, the fullest line through one of these squares that can still become it."""
    rules, board = observation.rules, observation.position.board
    found: set[int] = set()
    for face in observation.faces.values():
        wanted = Counter(rules.edition.recipes[face].strip.tiles)
        best: tuple[int, ...] = ()
        fullest = MIN_LINE_TILES - 1
        windows = rules.grid.windows[sum(wanted.values())]
        for squares in sorted({_squares(rules, window) for square in touched for window in windows[square]}):
            there = Counter(board.stacks[square] & TILE_MASK for square in squares if board.stacks[square])
            open_ = not set(squares) & set(board.blocked)
            if open_ and there <= wanted and sum(there.values()) > fullest:
                best, fullest = squares, sum(there.values())
        found.update(best)
    return found


def _squares(rules: AnyRules, window: slice) -> tuple[int, ...]:
    return tuple(range(rules.grid.size)[window])


def _show(rules: AnyRules, position: Position, squares: Iterable[int]) -> Shown:
    return tuple((rules.grid.names[square], _shown(rules, position, square)) for square in sorted(squares))


def _shown(rules: AnyRules, position: Position, square: int) -> str:
    blocked = BLOCKED if square in position.board.blocked else ""
    return format_stack(rules.edition, position.board.stacks[square]) + blocked


def _turn(found: dict[str, object]) -> PlannedTurn:
    turn = found["turn"]
    if type(turn) is not int:
        raise TypeError
    steps, phase = _word(found["steps"]), _word(found["phase"])
    return PlannedTurn(turn, steps, phase, _pairs(found["squares"]), _pairs(found["lines"]))


def _pairs(found: object) -> Shown:
    if not isinstance(found, list):
        raise TypeError
    return tuple((_word(name), _word(shown)) for name, shown in found)


def _not_played(found: dict[str, object]) -> NotPlayed:
    turn, code = found["turn"], found["code"]
    if type(turn) is not int or code not in CODES:
        raise TypeError
    square, gone = clean(_word(found["square"]), len("a10")), clean(_word(found["gone"]), LONGEST_STEP)
    return NotPlayed(turn, str(code), square, gone, _numbers(found["dropped"]))


def _numbers(found: object) -> tuple[int, ...]:
    if not isinstance(found, list) or not all(type(number) is int for number in found):
        raise TypeError
    return tuple(found[-MOST_PLANS:])


def _word(found: object) -> str:
    if not isinstance(found, str):
        raise TypeError
    return found

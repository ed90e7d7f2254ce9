"""Turns ahead: what a person leaves for when it is their turn, to be played only if nothing that matters has changed.

They are composed as if nobody else did anything until then, each to its end: what it draws is chosen by the length
alone. Each says what its own squares show when it begins, and what the lines show that it goes on with. Several for
one turn are alternatives: the first that finds all of this so is played. If none does, their author still wants one of
them: the first that is legal on its own squares, where a card or a tile that somebody else has taken is replaced by one
that another turn of theirs takes. A single one is played only as it is, with its lines. If nothing fits, all that was
left is gone.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import groupby
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
from ..text.foreign import clean

CODES = ("square", "gone", "illegal", "unreadable")
"""Why what was left is not played."""
GONE = frozenset({"card-not-there", "deck-empty", "pantry-empty"})
"""How the rules refuse to give what somebody else has taken."""
MOST = 16
"""Turns that somebody can leave at once, alternatives included."""
LONGEST_STEP = 40
"""Letters of a step that takes something."""
BLOCKED = "#"
TAKEN = frozenset({"card", "tile", "recipe"})
"""The slots of a turn for what is taken at its end."""
WORTH_MINDING = 2
"""Tiles from which on a line for a recipe is one that a person counts on."""


Shown: TypeAlias = tuple[tuple[str, str], ...]
"""The names of squares, each with what it shows."""


@dataclass(frozen=True)
class TurnAhead:
    """A turn in notation, or the rest of one, and what has to be so when it is played."""

    turn: int
    steps: str
    phase: str
    """The part of the turn in which it begins."""
    squares: Shown
    """The squares that it touches, and those of the recipes that it completes."""
    lines: Shown = ()
    """The other squares of lines that it goes on with."""


@dataclass(frozen=True)
class NotPlayed:
    """Why nothing of what was left was played on a turn."""

    turn: int
    code: str
    square: str = ""
    """The square that has changed, where it is one."""
    gone: str = ""
    """The step that wanted something which is not there any more, in notation."""
    dropped: tuple[int, ...] = ()
    """The later turns for which something was left, too, and is gone with it."""


class Unfit(Exception):
    """It is not to be played now."""

    def __init__(self, code: str, square: str = "", gone: str = "") -> None:
        super().__init__(code)
        self.code = code
        self.square = square
        self.gone = gone


@dataclass(frozen=True)
class Ahead:
    """All that a person has left for later turns, the next turn first; and what became of what they left before."""

    turns: tuple[TurnAhead, ...] = ()
    not_played: NotPlayed | None = None
    """Why the last of it was not played."""
    played: tuple[int, ...] = ()
    """The last turns on which something of it was."""

    def dump(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def load(cls, text: str) -> Ahead:
        """What this text holds; if it cannot be read, that nothing was played for this reason."""
        try:
            found = json.loads(text)
            turns = tuple(_turn(one) for one in found["turns"][:MOST])
            why = found["not_played"]
            return cls(turns, None if why is None else _not_played(why), _numbers(found.get("played", [])))
        except (ValueError, TypeError, KeyError, RecursionError):
            return UNREADABLE

    @property
    def alternatives(self) -> tuple[tuple[TurnAhead, ...], ...]:
        """What was left for each turn, the next turn first."""
        return tuple(tuple(alike) for _, alike in groupby(self.turns, key=lambda one: one.turn))

    def foreseen(self, observation: Observation) -> Observation | None:
        """What its author would see at the beginning of the turn after those that were left, the first for each.

        None if that cannot be.
        """
        rules, seat = observation.rules, observation.seat
        if seat is None:
            return None
        position = rules.foresee(observation.position, seat)
        for first, *_ in self.alternatives:
            if position is None:
                return None
            turn = position.turn
            try:
                for step in rules.parse(first.steps):
                    position = rules.without_chance(rules.apply(position, step))
            except RulesError:
                return None
            position = rules.foresee(position, seat)
            if position is not None and position.turn == turn:
                return None
        return None if position is None else observe(rules, position, seat, observation.faces)

    def before_last(self) -> Ahead:
        """Without anything for the last turn."""
        return Ahead(tuple(one for alike in self.alternatives[:-1] for one in alike))

    def with_turn(self, foreseen: Observation, steps: Sequence[Step]) -> Ahead:
        """One more, composed on what was foreseen after all that is left already, or before the last turn of it."""
        rules, position = foreseen.rules, foreseen.position
        squares, lines = minded_squares(foreseen, steps)
        one = TurnAhead(
            turn=position.turn,
            steps=rules.format(steps),
            phase=position.phase,
            squares=_show(rules, position, squares),
            lines=_show(rules, position, lines),
        )
        return Ahead((*self.turns, one))

    def without_last(self) -> Ahead:
        return Ahead(self.turns[:-1])

    def dropped(self, turn: int, unfit: Unfit) -> Ahead:
        """Nothing any more, and why it was not played on this turn."""
        later = tuple(sorted({one.turn for one in self.turns if one.turn > turn}))
        return Ahead((), NotPlayed(turn, unfit.code, unfit.square, unfit.gone, later))

    def fitting(self, now: Observation) -> tuple[Bundle | None, Ahead]:
        """The bundle to play now, None if nothing was left for this turn, and what is left then; or `Unfit`."""
        if not self.turns:
            raise Unfit("unreadable")
        turn = now.position.turn
        # A turn that ended sooner than foreseen leaves something behind.
        later = tuple(one for one in self.turns if one.turn > turn)
        alike = [one for one in self.turns if one.turn == turn]
        ways: list[tuple[TurnAhead, Sequence[TurnAhead]]] = [(one, ()) for one in alike]
        ways += [(one, self.turns) for one in alike if len(alike) > 1]
        unfit: Unfit | None = None
        for one, others in ways:
            try:
                bundle, rest = _fitting(one, now, others)
            except Unfit as reason:
                unfit = unfit or reason
            else:
                # The others stay with a rest: they say what may be taken in the place of something that is gone.
                kept = () if rest is None else (rest, *(other for other in alike if other is not one))
                return bundle, Ahead((*kept, *later))
        if unfit is not None:
            raise unfit
        return None, Ahead(later)


NOTHING = Ahead()
UNREADABLE = Ahead((), NotPlayed(0, "unreadable"))


def _fitting(one: TurnAhead, now: Observation, others: Sequence[TurnAhead]) -> tuple[Bundle, TurnAhead | None]:
    """Its next bundle and the rest, if it is legal and its squares are as its author foresaw; else `Unfit`.

    With others beside it, its lines do not matter, and what it takes may be replaced by what they take.
    """
    rules, position, seat = now.rules, now.position, now.seat
    assert seat is not None, "a watcher leaves nothing"
    try:
        steps = rules.parse(one.steps)
        instead = [step for other in others for step in rules.parse(other.steps)]
        minded = one.squares if others else (*one.squares, *one.lines)
        squares = [(rules.grid.parse_square(name), shown) for name, shown in minded]
    except RulesError:
        raise Unfit("unreadable") from None
    if one.phase != position.phase:
        raise Unfit("illegal")
    for square, shown in squares:
        if shown != _shown(rules, position, square):
            raise Unfit("square", rules.grid.names[square])
    try:
        played, after = _next_bundle(rules, position, steps, instead)
    except RulesError:
        raise Unfit("illegal") from None
    rest = steps[len(played) :]
    if not rest or rules.passes_on(position, after):
        return Bundle(seat, played), None
    return Bundle(seat, played), replace(one, steps=rules.format(rest), phase=after.phase, squares=(), lines=())


def _next_bundle(
    rules: AnyRules, position: Position, steps: Sequence[Step], instead: Sequence[Step]
) -> tuple[tuple[Step, ...], Position]:
    """The steps up to where their author learns something, with others in the place of those that take what is gone.

    And the position after them; or a `RulesError`.
    """
    played: list[Step] = []
    for step in steps:
        chosen, after = _possible(rules, position, step, instead)
        played.append(chosen)
        if rules.closes(position, chosen, after):
            return tuple(played), rules.without_chance(after)
        position = after
    raise Illegal("bundle-too-short", step=len(played))


def _possible(rules: AnyRules, position: Position, step: Step, instead: Sequence[Step]) -> tuple[Step, Position]:
    """The step, or another one that takes something of the same kind; and the position after it."""
    slot = rules.slots.get(step.verb)
    for way in (step, *(other for other in instead if slot in TAKEN and rules.slots.get(other.verb) == slot)):
        try:
            return way, rules.apply(position, way)
        except RulesError:
            continue
    # What cannot be replaced is judged as it is.
    try:
        return step, rules.apply(position, step)
    except RulesError as error:
        if error.code in GONE:
            raise Unfit("gone", gone=rules.grammar.format(step)) from None
        raise


def minded_squares(before: Observation, steps: Sequence[Step]) -> tuple[set[int], set[int]]:
    """The squares that a turn touches or that its recipes lie on, and the others of lines that it goes on with.

    Whatever is taken at the end of the turn needs no square: it is there to take, or not.
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
    """The squares on which something else lies, or is covered or uncovered."""
    pairs = enumerate(zip(before.board.stacks, after.board.stacks, strict=True))
    return {square for square, (old, new) in pairs if old != new} | set(before.board.blocked) ^ set(after.board.blocked)


def _lines(observation: Observation, touched: set[int]) -> set[int]:
    """For each recipe in hand the fullest line through one of these squares that can still become it."""
    rules, board = observation.rules, observation.position.board
    found: set[int] = set()
    for face in observation.faces.values():
        wanted = Counter(rules.edition.recipes[face].strip.tiles)
        best: tuple[int, ...] = ()
        fullest = WORTH_MINDING - 1
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


def _turn(found: dict[str, object]) -> TurnAhead:
    turn = found["turn"]
    if type(turn) is not int:
        raise TypeError
    steps, phase = _word(found["steps"]), _word(found["phase"])
    return TurnAhead(turn, steps, phase, _pairs(found["squares"]), _pairs(found["lines"]))


def _pairs(found: object) -> Shown:
    if not isinstance(found, list):
        raise TypeError
    return tuple((_word(name), _word(shown)) for name, shown in found)


def _not_played(found: dict[str, object]) -> NotPlayed:
    turn, code = found["turn"], found["code"]
    if type(turn) is not int or code not in CODES:
        raise TypeError
    square, gone = clean(_word(found["square"]), len("a10")), clean(_word(found.get("gone", "")), LONGEST_STEP)
    return NotPlayed(turn, str(code), square, gone, _numbers(found.get("dropped", [])))


def _numbers(found: object) -> tuple[int, ...]:
    if not isinstance(found, list) or not all(type(number) is int for number in found):
        raise TypeError
    return tuple(found[-MOST:])


def _word(found: object) -> str:
    if not isinstance(found, str):
        raise TypeError
    return found

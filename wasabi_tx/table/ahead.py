"""Bundles ahead: what a person leaves for when it is their turn, to be played only if nothing that matters has changed.

They are composed as if nobody else did anything until then. Each says on which turn it is to be played, what its own
squares show by then, and what the lines show that it goes on with. Several for one moment are alternatives: the first
that finds all of this so is played. If none does, their author still wants one of them: the first that is legal on its
own squares, where a card or a tile that somebody else has taken is replaced by one that another alternative takes. A
single one is played only as it is, with its lines. If nothing fits, all that was left is gone.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import TypeAlias

from ..engine.board import TILE_MASK
from ..engine.claiming import match_of
from ..engine.errors import RulesError
from ..engine.notation import Kind
from ..engine.observe import Observation, observe
from ..engine.position import Position, Seat
from ..engine.position_text import format_stack
from ..engine.rules import AnyRules
from ..engine.step import Bundle, Step
from ..text.foreign import clean

CODES = ("square", "illegal", "unreadable")
"""Why a bundle is not played."""
MOST = 16
"""Bundles that somebody can leave at once."""
BLOCKED = "#"
TAKEN = frozenset({"card", "tile", "recipe"})
"""The slots of a turn for what is taken at its end."""
WORTH_MINDING = 2
"""Tiles from which on a line for a recipe is one that a person counts on."""


Shown: TypeAlias = tuple[tuple[str, str], ...]
"""The names of squares, each with what it shows."""


@dataclass(frozen=True)
class BundleAhead:
    """Steps in notation, and what has to be so when they are played."""

    turn: int
    steps: str
    hand: str
    """What its author expects to hold: a turn can have several bundles, and a card drawn between them tells which."""
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


class Unfit(Exception):
    """The bundle is not to be played now."""

    def __init__(self, code: str, square: str = "") -> None:
        super().__init__(code)
        self.code = code
        self.square = square


@dataclass(frozen=True)
class Ahead:
    """All that a person has left for later turns, the next bundle first; and why the last of it was not played."""

    bundles: tuple[BundleAhead, ...] = ()
    not_played: NotPlayed | None = None

    def dump(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def load(cls, text: str) -> Ahead:
        """What this text holds; if it cannot be read, that nothing was played for this reason."""
        try:
            found = json.loads(text)
            bundles = tuple(_bundle(one) for one in found["bundles"][:MOST])
            why = found["not_played"]
            return cls(bundles, None if why is None else _not_played(why))
        except (ValueError, TypeError, KeyError, RecursionError):
            return UNREADABLE

    @property
    def moments(self) -> tuple[tuple[BundleAhead, ...], ...]:
        """The alternatives for each moment, the next moment first."""
        return tuple(tuple(alike) for _, alike in groupby(self.bundles, key=_moment))

    def foreseen(self, observation: Observation) -> Observation | None:
        """What its author would see when the first for every moment is played and they are to go on.

        None if that cannot be.
        """
        rules, seat = observation.rules, observation.seat
        if seat is None:
            return None
        position = rules.foresee(observation.position, seat)
        for first, *_ in self.moments:
            if position is None:
                return None
            try:
                position = rules.apply_bundle(position, Bundle(seat, rules.parse(first.steps)))
            except RulesError:
                return None
            position = rules.foresee(position, seat)
        return None if position is None else observe(rules, position, seat, observation.faces)

    def before_last(self) -> Ahead:
        """Without anything for the last moment."""
        return Ahead(tuple(one for alike in self.moments[:-1] for one in alike))

    def with_bundle(self, foreseen: Observation, bundle: Bundle) -> Ahead:
        """One more, composed on what was foreseen after all that is left already, or before the last moment of it."""
        rules, position = foreseen.rules, foreseen.position
        squares, lines = minded_squares(foreseen, bundle.steps)
        one = BundleAhead(
            turn=position.turn,
            steps=rules.format(bundle.steps),
            hand=_hand(rules, position.seats[bundle.seat]),
            squares=_show(rules, position, squares),
            lines=_show(rules, position, lines),
        )
        return Ahead((*self.bundles, one))

    def without_last(self) -> Ahead:
        return Ahead(self.bundles[:-1])

    def fitting(self, now: Observation) -> tuple[Bundle | None, Ahead]:
        """The bundle to play now, None if nothing was left for this turn, and what is left then; or `Unfit`."""
        if not self.bundles:
            raise Unfit("unreadable")
        turn = now.position.turn
        # A turn that ended sooner than foreseen leaves some behind.
        left = Ahead(tuple(one for one in self.bundles if one.turn >= turn))
        moments = [alike for alike in left.moments if alike[0].turn == turn]
        ways: list[tuple[BundleAhead, Sequence[BundleAhead]]] = [(one, ()) for alike in moments for one in alike]
        ways += [(one, alike) for alike in moments if len(alike) > 1 for one in alike]
        unfit: Unfit | None = None
        for one, others in ways:
            try:
                bundle = _fitting(one, now, others)
            except Unfit as reason:
                unfit = unfit or reason
            else:
                return bundle, Ahead(tuple(other for other in left.bundles if _moment(other) != _moment(one)))
        if unfit is not None:
            raise unfit
        return None, left


NOTHING = Ahead()
UNREADABLE = Ahead((), NotPlayed(0, "unreadable"))


def _moment(one: BundleAhead) -> tuple[int, str]:
    return one.turn, one.hand


def _fitting(one: BundleAhead, now: Observation, others: Sequence[BundleAhead]) -> Bundle:
    """The bundle, if it is legal and its squares are as its author foresaw; else `Unfit`.

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
    for square, shown in squares:
        if shown != _shown(rules, position, square):
            raise Unfit("square", rules.grid.names[square])
    try:
        bundle = Bundle(seat, tuple(_possible(rules, position, steps, instead)))
        rules.apply_bundle(position, bundle)
    except RulesError:
        raise Unfit("illegal") from None
    return bundle


def _possible(rules: AnyRules, position: Position, steps: Sequence[Step], instead: Sequence[Step]) -> Iterable[Step]:
    """The same steps, with others in the place of those that take what is gone."""
    for step in steps:
        slot = rules.slots.get(step.verb)
        ways = [step, *(other for other in instead if slot in TAKEN and rules.slots.get(other.verb) == slot)]
        for way in ways:
            try:
                position = rules.apply(position, way)
            except RulesError:
                continue
            yield way
            break
        else:
            # What cannot be replaced is judged as it is.
            yield step


def minded_squares(before: Observation, steps: Sequence[Step]) -> tuple[set[int], set[int]]:
    """The squares that these steps touch or that their recipes lie on, and the others of lines that they go on with.

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
        position = after
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


def _hand(rules: AnyRules, seat: Seat) -> str:
    """What a seat holds, without any face of a recipe."""
    tiles = [rules.code(tile) for tile in seat.tiles]
    return " ".join([*tiles, *(rules.card_code(card) for card in seat.cards), str(len(seat.recipes))])


def _bundle(found: dict[str, object]) -> BundleAhead:
    turn = found["turn"]
    if type(turn) is not int:
        raise TypeError
    steps, hand = _word(found["steps"]), _word(found["hand"])
    return BundleAhead(turn, steps, hand, _pairs(found["squares"]), _pairs(found.get("lines", [])))


def _pairs(found: object) -> Shown:
    if not isinstance(found, list):
        raise TypeError
    return tuple((_word(name), _word(shown)) for name, shown in found)


def _not_played(found: dict[str, object]) -> NotPlayed:
    turn, code = found["turn"], found["code"]
    if type(turn) is not int or code not in CODES:
        raise TypeError
    return NotPlayed(turn, str(code), clean(_word(found["square"]), len("a10")))


def _word(found: object) -> str:
    if not isinstance(found, str):
        raise TypeError
    return found

"""Bundles ahead: what a person leaves for when it is their turn, to be played only if nothing that matters has changed.

They are composed as if nobody else did anything until then. Each says on which turn it is to be played, what its author
holds by then, and what the squares show that it counts on. Several for the same moment are alternatives: the first that
finds all of this so is played. If none does, nothing is played, and all that was left is gone.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby

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

CODES = ("turn", "hand", "square", "illegal", "unreadable")
"""Why a bundle is not played."""
MOST = 8
"""Bundles that somebody can leave at once."""
BLOCKED = "#"
WORTH_MINDING = 2
"""Tiles from which on a line for a recipe is one that a person counts on."""


@dataclass(frozen=True)
class BundleAhead:
    """Steps in notation, and what has to be so when they are played."""

    turn: int
    steps: str
    hand: str
    squares: tuple[tuple[str, str], ...]
    """The name of each square that matters, and what it shows."""


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
        names = rules.grid.names
        minded = sorted(minded_squares(foreseen, bundle.steps))
        one = BundleAhead(
            turn=position.turn,
            steps=rules.format(bundle.steps),
            hand=_hand(rules, position.seats[bundle.seat]),
            squares=tuple((names[square], _shown(rules, position, square)) for square in minded),
        )
        return Ahead((*self.bundles, one))

    def without_last(self) -> Ahead:
        return Ahead(self.bundles[:-1])

    def fitting(self, now: Observation) -> tuple[Bundle, Ahead]:
        """The first bundle for this moment that fits, and what is left after it; `Unfit` if there is none."""
        unfit: Unfit | None = None
        for one in self.bundles:
            try:
                bundle = _fitting(one, now)
            except Unfit as reason:
                unfit = unfit or reason
            else:
                return bundle, Ahead(tuple(other for other in self.bundles if _moment(other) != _moment(one)))
        raise unfit or Unfit("unreadable")


NOTHING = Ahead()
UNREADABLE = Ahead((), NotPlayed(0, "unreadable"))


def _moment(one: BundleAhead) -> tuple[int, str]:
    """A turn can have several bundles: a card that was drawn between them is in hand."""
    return one.turn, one.hand


def _fitting(one: BundleAhead, now: Observation) -> Bundle:
    """The bundle, if everything that matters to it is as its author foresaw; else `Unfit`."""
    rules, position, seat = now.rules, now.position, now.seat
    assert seat is not None, "a watcher leaves nothing"
    if one.turn != position.turn:
        raise Unfit("turn")
    try:
        bundle = Bundle(seat, rules.parse(one.steps))
        squares = [(rules.grid.parse_square(name), shown) for name, shown in one.squares]
    except RulesError:
        raise Unfit("unreadable") from None
    if one.hand != _hand(rules, position.seats[seat]):
        raise Unfit("hand")
    for square, shown in squares:
        if shown != _shown(rules, position, square):
            raise Unfit("square", rules.grid.names[square])
    try:
        rules.apply_bundle(position, bundle)
    except RulesError:
        raise Unfit("illegal") from None
    return bundle


def minded_squares(before: Observation, steps: Sequence[Step]) -> frozenset[int]:
    """The squares that these steps touch, those of the recipes that they complete, and lines that they go on with."""
    rules, position, seat = before.rules, before.position, before.seat
    assert seat is not None, "a watcher plans nothing"
    touched: set[int] = set()
    completed: set[int] = set()
    for step in steps:
        kinds = rules.grammar.check(step)
        touched.update(
            arg for kind, arg in zip(kinds, step.args, strict=True) if kind in (Kind.SQUARE, Kind.OPTIONAL_SQUARE)
        )
        if step.verb in rules.claiming:
            completed.update(_squares(rules, match_of(rules, position, rules.edition.recipes[step.args[1]]).window))
        after = rules.apply(position, step)
        touched.update(_changed(position, after))
        position = after
    left = observe(rules, position, seat, before.faces)
    return frozenset(touched | completed | _lines(left, touched))


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


def _shown(rules: AnyRules, position: Position, square: int) -> str:
    blocked = BLOCKED if square in position.board.blocked else ""
    return format_stack(rules.edition, position.board.stacks[square]) + blocked


def _hand(rules: AnyRules, seat: Seat) -> str:
    """What a seat holds, without any face of a recipe."""
    tiles = [rules.code(tile) for tile in seat.tiles]
    return " ".join([*tiles, *(rules.card_code(card) for card in seat.cards), str(len(seat.recipes))])


def _bundle(found: dict[str, object]) -> BundleAhead:
    turn, squares = found["turn"], found["squares"]
    if type(turn) is not int or not isinstance(squares, list):
        raise TypeError
    pairs = tuple((_word(name), _word(shown)) for name, shown in squares)
    return BundleAhead(turn, _word(found["steps"]), _word(found["hand"]), pairs)


def _not_played(found: dict[str, object]) -> NotPlayed:
    turn, code = found["turn"], found["code"]
    if type(turn) is not int or code not in CODES:
        raise TypeError
    return NotPlayed(turn, str(code), clean(_word(found["square"]), len("a10")))


def _word(found: object) -> str:
    if not isinstance(found, str):
        raise TypeError
    return found

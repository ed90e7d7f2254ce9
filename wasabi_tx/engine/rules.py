"""The interface of the rules of any edition, and the lookup tables that they share."""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import chain, compress
from operator import itemgetter, or_
from typing import Any, ClassVar, Generic, TypeAlias

from .board import MOST_SQUARES, Board
from .decks import Decks, named
from .edition import Edition, Problem
from .edition_file import read_edition
from .errors import Illegal, Malformed, Stale
from .geometry import geometry
from .notation import Grammar, Kind
from .position import NO_CARD, P
from .sealed_card import Card, Faces
from .step import Bundle, Step
from .text_lines import Lines

Handler = Callable[[Any, P, Step], P]
"""Checks a well-formed step and returns the position after it."""

RULES_VERSION = 2
"""Incremented when programs of different versions could judge a step differently."""

OUT_OF_TURN = frozenset({"leave", "exclude"})
"""Verbs that are never part of a turn."""


def board_problems(edition: Edition) -> list[Problem]:
    """Return the problems that prevent any rules from using this edition's board."""
    squares = edition.rows * max(edition.columns.values())
    return [Problem("board", "too-many-squares", str(squares))] if squares > MOST_SQUARES else []


class Rules(ABC, Generic[P]):
    """One edition for one number of players. Made once and shared; two instances of the same edition play alike."""

    name: ClassVar[str]
    verbs: ClassVar[dict[str, tuple[Kind, ...]]]
    """The grammar of each step."""
    learning: ClassVar[frozenset[str]]
    """Verbs that reveal something to their author: a bundle ends there."""
    phases: ClassVar[tuple[str, ...]]
    endings: ClassVar[tuple[str, ...]]
    """The ways a game can end."""
    claiming: ClassVar[frozenset[str]]
    """Verbs that complete a recipe."""
    slots: ClassVar[dict[str, str]]
    """The slot of a turn that each verb fills; verbs that only end a part of the turn fill none."""
    handlers: ClassVar[dict[str, Handler[Any]]]
    """The function that applies each verb."""
    listed: ClassVar[frozenset[str]] = frozenset()
    """Verbs whose handlers look up every argument among the possible ones anyway."""

    def __init__(self, edition: Edition, players: int) -> None:
        if players not in edition.columns:
            raise Malformed("players", players=players)
        self.edition = edition
        self.players = players
        self.grid = geometry(edition.rows, edition.columns[players], edition.lengths)
        self.grammar = Grammar(self.verbs, edition, self.grid, players)
        self.deck_numbers = edition.lengths
        self.hand_recipes, self.hand_cards = edition.hand_recipes, edition.hand_cards
        effects = {action.effect: number for number, action in enumerate(edition.actions)}
        self.chop, self.spicy = effects.get("chop", NO_CARD), effects.get("spicy", NO_CARD)
        self.stack, self.switch = effects.get("stack", NO_CARD), effects.get("switch", NO_CARD)
        self.strips = tuple(recipe.strip for recipe in edition.recipes)
        self.members = tuple(strip.members for strip in self.strips)
        squares, tiles = range(self.grid.size), range(len(edition.ingredients) + 1)
        self.place_steps = tuple(tuple(Step("place", (tile, square)) for square in squares) for tile in tiles)
        self.draw_steps = tuple(Step("draw", (deck,)) for deck in range(max(edition.lengths) + 1))
        self.switch_steps = {pair: Step("switch", pair) for pair in self.grid.pairs}
        self._switches = tuple(self.switch_steps.values())
        self._ones, self._others = (itemgetter(*squares) for squares in zip(*self.grid.pairs, strict=True))
        self.done_step = Step("done")
        self._openings: dict[int, P] = {}
        self._known: dict[Step, tuple[Handler[P], Step]] = {}
        self.know(chain.from_iterable(self.place_steps[1:]))
        self.know(self.draw_steps[deck] for deck in edition.lengths)
        self.know((*self.switch_steps.values(), self.done_step))

    def know(self, steps: Iterable[Step]) -> None:
        """Remember that these steps are well formed, so that their arguments need not be checked again."""
        self._known.update({step: (self.handlers[step.verb], step) for step in steps})

    def __reduce__(self) -> tuple[object, ...]:
        return _same_rules, (type(self), self.edition.text, self.players)

    @staticmethod
    @abstractmethod
    def check(edition: Edition) -> list[Problem]:
        """Return the problems that prevent these rules from playing the edition."""

    def start(self, first: int) -> P:
        """Return the position before anything has been done; `first` is the starting player's seat."""
        if first not in range(self.players):
            raise Malformed("seat", text=str(first)[:40])
        if first not in self._openings:
            self._openings[first] = self.opening(int(first))
        return self._openings[first]

    @abstractmethod
    def opening(self, first: int) -> P:
        """Make the starting position, for a seat that exists."""

    @abstractmethod
    def legal(self, position: P, faces: Faces) -> Sequence[Step]:
        """Return every legal step of the mover, sorted; complete if given all faces that the mover knows.

        While chance is to move, these are the cards that may be turned up. Leaving is never listed: anyone may leave at
        any time.
        """

    def apply(self, position: P, step: Step) -> P:
        """Return the position after the step; raise a `RulesError` and change nothing if it is refused."""
        try:
            known = self._known.get(step)
        except TypeError:
            raise Malformed("step") from None
        if known is not None:
            # Use the stored step: 3.0 equals 3, but only the int is a number of the game.
            handler, step = known
        else:
            if step.verb not in self.listed or type(step.args) is not tuple:
                self.grammar.check(step)
            handler = self.handlers[step.verb]
        if position.outcome is not None:
            raise Stale("game-over")
        try:
            return handler(self, position, step)
        except Illegal:
            # A malformed step is malformed in every position, so that takes precedence.
            self.grammar.check(step)
            raise

    def switches(self, board: Board) -> list[Step]:
        """Return every exchange of neighbours that moves an uncovered tile, sorted."""
        packed = board.packed
        return list(compress(self._switches, map(or_, self._ones(packed), self._others(packed))))

    @abstractmethod
    def canonical(self, position: P) -> bytes:
        """Return the position as bytes, the same in every client for equal positions."""

    @abstractmethod
    def own_lines(self, position: P) -> list[str]:
        """Return the lines of a position's text that only this edition has."""

    @abstractmethod
    def read_own_lines(self, position: P, lines: Lines) -> None:
        """Fill in the values of those lines, or derive them from the others where they are omitted."""

    @abstractmethod
    def outlook(self, position: P) -> list[str]:
        """Return the slots that the mover must still fill in this bundle, as far as is known."""

    def foresee(self, position: P, seat: int) -> P | None:
        """Return where a seat would continue if nobody else did anything: in its turn, or at the start of its next one.

        None before the first turn, after the last, and for a seat that has left the game.
        """
        if not position.turn or position.seats[seat].gone:
            return None
        after = self.without_chance(position)
        if after.outcome is not None:
            return None
        if after.mover == seat:
            return after
        mover, after = after.mover, after.evolve()
        while (mover := after.next_playing(mover)) != seat:
            after.turn += 1
        return self.begin_turn(after, seat)

    def without_chance(self, position: P) -> P:
        """Return where play continues if no awaited card is turned up."""
        return position

    @abstractmethod
    def begin_turn(self, after: P, seat: int) -> P:
        """Begin the next turn with this seat, in a fresh copy."""

    def face_name(self, deck: int, face: int) -> str:
        """Return the face of a card of a deck, in notation."""
        del deck
        return self.edition.recipes[face].id

    def face_number(self, deck: int, name: str) -> int:
        """Return the number of a face from its notation; raise `KeyError` if no card of the deck has it."""
        face = self.edition.recipe_numbers[name]
        if self.edition.recipes[face].length != deck:
            raise KeyError(name)
        return face

    def digest(self, position: P) -> bytes:
        """Return the hash that two clients compare to check that they agree."""
        return hashlib.sha256(self.canonical(position)).digest()

    def awaited(self, _position: P) -> Card | None:
        """Return the sealed card that must be turned up for everyone before play goes on."""
        return None

    def closes(self, before: P, step: Step, after: P) -> bool:
        """Return whether a bundle ends with this step: its author learnt something, or somebody else is to move."""
        return step.verb in self.learning or self.passes_on(before, after)

    @staticmethod
    def passes_on(before: P, after: P) -> bool:
        """Return whether the mover or the turn has changed."""
        return after.mover != before.mover or after.turn != before.turn

    def apply_bundle(self, position: P, bundle: Bundle) -> P:
        """Return the position after all steps of the bundle; raise an error and change nothing if one is refused.

        A seat may leave at any time, in a bundle of that one step; no seat can make another leave.
        """
        if bundle.steps == (Step("leave", (bundle.seat,)),):
            return self.apply(position, bundle.steps[0])
        if position.outcome is not None:
            raise Stale("game-over")
        if bundle.seat != position.mover:
            raise Stale("not-your-turn", seat=bundle.seat + 1)
        if not bundle.steps:
            raise Malformed("bundle-empty")
        if any(step.verb in OUT_OF_TURN for step in bundle.steps):
            raise Illegal("leave-apart")
        last = len(bundle.steps) - 1
        for number, step in enumerate(bundle.steps):
            after = self.apply(position, step)
            if self.closes(position, step, after) != (number == last):
                raise Illegal("bundle-too-long" if number != last else "bundle-too-short", step=number + 1)
            position = after
        return position

    def deck_faces(self, deck: int) -> tuple[int, ...]:
        """Return the faces of one deck's cards, in the order of the edition."""
        return self.edition.deck_faces(deck)

    def unseen(self, position: P, deck: int, faces: Faces) -> list[int]:
        """Return the faces that must be in a deck, or in hands whose faces are not given."""
        seen = {claimed.recipe for seat in position.seats for claimed in seat.claimed}
        seen.update(faces[card] for seat in position.seats for card in seat.recipes if card in faces)
        return [face for face in self.deck_faces(deck) if face not in seen]

    def deck_sizes(self) -> dict[int, int]:
        """Return the number of sealed cards that each deck starts with."""
        return {deck: len(self.deck_faces(deck)) for deck in self.deck_numbers}

    def fresh_decks(self) -> Decks:
        sizes = self.deck_sizes()
        return [named(deck, sizes.get(deck, 0), 0) for deck in range(max(sizes) + 1)]

    def code(self, tile: int) -> str:
        return self.edition.ingredients[tile - 1].code

    def card_code(self, card: int) -> str:
        """Return the code of an action card, or "" for a card that the edition lacks."""
        return "" if card == NO_CARD else self.edition.actions[card].code

    def format(self, steps: Sequence[Step]) -> str:
        """Format steps in notation, on one line."""
        return "; ".join(self.grammar.format(step) for step in steps)

    def parse(self, text: str) -> tuple[Step, ...]:
        """Parse the steps of one line of notation."""
        return tuple(self.grammar.parse(part) for part in text.split("; "))


AnyRules: TypeAlias = Rules[Any]
"""The rules of any edition; they accept the positions that they made."""


@cache
def _same_rules(kind: type[AnyRules], text: str, players: int) -> AnyRules:
    """Make unpickled rules, once per process, from the edition's text."""
    return kind(read_edition(text), players)

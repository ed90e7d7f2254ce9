"""What the rules of any edition can do, and the tables that they look things up in."""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar, Generic, TypeVar

from .card import Faces, make_card
from .decks import Decks
from .edition import Edition
from .errors import Illegal, Malformed, Stale
from .geometry import geometry
from .lines import Lines
from .notation import Grammar, Kind
from .position import NOBODY, Position
from .step import Bundle, Step

P = TypeVar("P", bound=Position)


class Rules(ABC, Generic[P]):
    """One edition for one number of players. Made once and shared; two of the same edition play alike."""

    name: ClassVar[str]
    verbs: ClassVar[dict[str, tuple[Kind, ...]]]
    """The grammar of each step."""
    learning: ClassVar[frozenset[str]]
    """Verbs after which their author knows more than before: a bundle ends there."""
    phases: ClassVar[tuple[str, ...]]
    endings: ClassVar[tuple[str, ...]]
    """How a game can end."""
    claiming: ClassVar[frozenset[str]]
    """Verbs that complete a recipe."""
    slots: ClassVar[dict[str, str]]
    """The slot of a turn that each verb fills; verbs that only end a part of it fill none."""

    def __init__(self, edition: Edition, players: int) -> None:
        if players not in edition.columns:
            raise Malformed("players", players=players)
        self.edition = edition
        self.players = players
        self.grid = geometry(edition.rows, edition.columns[players], edition.lengths)
        self.grammar = Grammar(self.verbs, edition, self.grid, players)
        squares, tiles = range(self.grid.size), range(len(edition.ingredients) + 1)
        self.place_steps = tuple(tuple(Step("place", (tile, square)) for square in squares) for tile in tiles)
        self.strips = tuple(recipe.strip for recipe in edition.recipes)
        self.members = tuple(strip.members for strip in self.strips)

    def __reduce__(self) -> tuple[object, ...]:
        from .editions import rules_from_text

        return rules_from_text, (self.edition.text, self.players)

    @abstractmethod
    def start(self, first: int) -> P:
        """The position before anything has been done."""

    @abstractmethod
    def legal(self, position: P, faces: Faces) -> list[Step]:
        """Every step of the mover, sorted; complete for whoever knows these faces.

        Leaving is never listed: it is open to everyone at any time.
        """

    @abstractmethod
    def apply(self, position: P, step: Step) -> P:
        """The position after the step, or a `RulesError`, and then nothing has changed."""

    @abstractmethod
    def canonical(self, position: P) -> bytes:
        """The position as bytes: the same for equal positions in every client."""

    @abstractmethod
    def own_lines(self, position: P) -> list[str]:
        """The lines of a position's text that only this edition has."""

    @abstractmethod
    def read_own_lines(self, position: P, lines: Lines) -> None:
        """Fills in what those lines say, or what follows from all others where they are left out."""

    @abstractmethod
    def outlook(self, position: P) -> list[str]:
        """The slots that the mover has still to fill in this bundle, as far as one can see."""

    def face_name(self, deck: int, face: int) -> str:
        """What a card of a deck shows, in notation."""
        del deck
        return self.edition.recipes[face].id

    def face_number(self, deck: int, name: str) -> int:
        """The other way round; `KeyError` if no card of the deck shows this."""
        face = self.edition.recipe_numbers[name]
        if self.edition.recipes[face].length != deck:
            raise KeyError(name)
        return face

    def digest(self, position: P) -> bytes:
        """What two clients compare to know that they agree."""
        return hashlib.sha256(self.canonical(position)).digest()

    def closes(self, before: P, step: Step, after: P) -> bool:
        """Whether a bundle ends with this step: its author learnt something, or somebody else is to move."""
        return step.verb in self.learning or after.mover != before.mover or after.turn != before.turn

    def apply_bundle(self, position: P, bundle: Bundle) -> P:
        """The position after all steps of the bundle, or an error, and then nothing has changed."""
        if position.outcome is not None:
            raise Stale("game-over")
        if bundle.seat != position.mover:
            raise Stale("not-your-turn", seat=bundle.seat + 1)
        if not bundle.steps:
            raise Malformed("bundle-empty")
        last = len(bundle.steps) - 1
        for number, step in enumerate(bundle.steps):
            after = self.apply(position, step)
            if self.closes(position, step, after) != (number == last):
                raise Illegal("bundle-too-long" if number != last else "bundle-too-short", step=number + 1)
            position = after
        return position

    def deck_sizes(self) -> dict[int, int]:
        """How many sealed cards each deck starts with."""
        return {length: len(self.edition.deck_faces(length)) for length in self.edition.lengths}

    def fresh_decks(self) -> Decks:
        sizes = self.deck_sizes()
        return [tuple(make_card(deck, place) for place in range(sizes.get(deck, 0))) for deck in range(max(sizes) + 1)]

    def check_mover(self, position: P) -> None:
        if position.outcome is not None or position.mover == NOBODY:
            raise Stale("game-over" if position.outcome else "not-your-turn")

    def format(self, steps: Sequence[Step]) -> str:
        """Steps in notation, on one line."""
        return "; ".join(self.grammar.format(step) for step in steps)

    def parse(self, text: str) -> tuple[Step, ...]:
        """Steps from one line of notation."""
        return tuple(self.grammar.parse(part.strip()) for part in text.split(";"))

"""The rules of the first edition, assembled from their parts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import ClassVar

from ...board import make_board
from ...canonical import shared_bytes
from ...changes import begin_changes
from ...edition import Edition, Problem
from ...notation import Kind
from ...position import NO_CARD, NOBODY, Position, Seat, empty_seat
from ...rules import Rules
from ...sealed_card import Faces
from ...step import Step
from ...step_list import Block, whole
from ...text_lines import Lines
from . import position_text as layout
from .flow import begin_turn, next_gift
from .legal import LEGAL
from .position import PHASES, ClassicPosition
from .steps import STEPS

_PHASE_NUMBERS = {phase: number for number, phase in enumerate(PHASES)}

GIFT = 3
"""Tiles that each player chooses for the neighbour to the left."""


class ClassicRules(Rules[ClassicPosition]):
    name = "classic"
    verbs: ClassVar[dict[str, tuple[Kind, ...]]] = {
        "chop": (Kind.SQUARE, Kind.OPTIONAL_SQUARE),
        "claim": (Kind.CARD, Kind.RECIPE),
        "discard": (Kind.ACTION,),
        "done": (),
        "draw": (Kind.DECK,),
        "exclude": (Kind.SEAT,),
        "forgo": (),
        "give": (Kind.TILE,),
        "leave": (Kind.SEAT,),
        "pass": (Kind.CARDS,),
        "place": (Kind.TILE, Kind.SQUARE),
        "spicy": (),
        "stack": (),
        "switch": (Kind.SQUARE, Kind.SQUARE),
        "take": (Kind.ACTION, Kind.OPTIONAL_SQUARE),
        "tile": (Kind.TILE,),
        "wasabi": (Kind.SQUARE,),
    }
    learning: ClassVar[frozenset[str]] = frozenset({"draw"})
    handlers = STEPS
    listed = frozenset({"pass"})
    phases = PHASES
    endings = ("tokens", "board", "passes", "abandoned")
    claiming = frozenset({"claim"})
    slots: ClassVar[dict[str, str]] = {
        "chop": "action",
        "claim": "claim",
        "discard": "discard",
        "draw": "recipe",
        "forgo": "card",
        "give": "gift",
        "pass": "pass",
        "place": "place",
        "spicy": "action",
        "stack": "action",
        "switch": "action",
        "take": "card",
        "tile": "tile",
        "wasabi": "action",
    }

    def __init__(self, edition: Edition, players: int) -> None:
        super().__init__(edition, players)
        self.hand_tiles = edition.hand_tiles
        effects = {action.effect: number for number, action in enumerate(edition.actions)}
        self.wasabi = effects.get("wasabi", NO_CARD)
        self.category = ("", *(ingredient.category for ingredient in edition.ingredients))
        giving = {category.id for category in edition.categories if category.starting_hand}
        tiles, squares = range(1, len(edition.ingredients) + 1), range(self.grid.size)
        self.give_steps = {t: Step("give", (t,)) for t in tiles if self.category[t] in giving}
        self.gifts: Callable[[tuple[int, ...]], list[tuple[int, Step]]] = lru_cache(maxsize=512)(self._gifts)
        seats = range(players)
        self.gift_orders = tuple(tuple((first + away) % players for away in range(1, players + 1)) for first in seats)
        self.tile_steps = tuple(Step("tile", (tile,)) for tile in (0, *tiles))
        self.chop_steps = tuple(
            (Step("chop", (source,)), *(Step("chop", (source, target)) for target in squares)) for source in squares
        )
        self.wasabi_steps = {square: Step("wasabi", (square,)) for square in self.grid.blocks}
        self.done_block = whole([self.done_step])
        self.discard_steps = tuple(Step("discard", (card,)) for card in range(len(edition.actions)))
        self.discards: Callable[[tuple[int, ...]], list[Step]] = cache(
            lambda held: [self.discard_steps[card] for card in sorted(set(held))]
        )
        self.discard_block: Callable[[tuple[int, ...]], Block] = cache(lambda held: whole(self.discards(held)))
        self.spicy_step, self.stack_step = Step("spicy"), Step("stack")
        self.know((*self.give_steps.values(), *self.tile_steps[1:], self.spicy_step, self.stack_step))
        self.know(self.discard_steps)

    @staticmethod
    def check(edition: Edition) -> list[Problem]:
        """Return the problems that prevent these rules from playing the edition."""
        problems = []
        if not edition.tokens:
            problems.append(Problem("token", "missing"))
        if edition.hand_tiles != GIFT:
            problems.append(Problem("hand.tiles", "number", f"{edition.hand_tiles}, {GIFT} to {GIFT}"))
        known = {"chop", "spicy", "stack", "switch", "wasabi"}
        problems += [
            Problem(f"action ({action.code}).effect", "unknown-effect", action.effect)
            for action in edition.actions
            if action.effect not in known
        ]
        counts = {category.id: 0 for category in edition.categories if category.starting_hand}
        for ingredient in edition.ingredients:
            if ingredient.category in counts:
                counts[ingredient.category] += ingredient.count
        seats = max(edition.columns)
        if sum(count >= seats for count in counts.values()) < GIFT:
            problems.append(Problem("category", "starting-hands", f"{GIFT} x {seats}"))
        return problems

    def opening(self, first: int) -> ClassicPosition:
        edition = self.edition
        position = ClassicPosition()
        position.board = make_board([0] * self.grid.size)
        begin_changes(position)
        position.covers = ()
        position.decks = self.fresh_decks()
        position.epoch = 0
        position.extra = position.owed = position.stacking = False
        position.first = first
        position.kitchen = bytes(action.counts[self.players] for action in edition.actions)
        position.mover = NOBODY
        position.outcome = None
        position.pantry = [0, *(ingredient.count for ingredient in edition.ingredients)]
        position.passes = 0
        position.phase = "give"
        position.played = NO_CARD
        position.rewards = 0
        counts = {token.length: token.count for token in edition.tokens}
        tokens = bytes(counts.get(length, 0) for length in range(max(counts) + 1))
        position.seats = [empty_seat(tokens)] * self.players
        position.turn = 0
        return next_gift(self, position)

    def legal(self, position: ClassicPosition, faces: Faces) -> Sequence[Step]:
        return LEGAL[position.phase](self, position, faces)

    def begin_turn(self, after: ClassicPosition, seat: int) -> ClassicPosition:
        return begin_turn(after, seat)

    def receiver(self, position: Position) -> int:
        """Return the next seat that waits for a starting tile, in the order in which gifts go round, or `NOBODY`."""
        seats = position.seats
        for number in self.gift_orders[position.first]:
            seat = seats[number]
            if len(seat.tiles) < GIFT and not seat.gone:
                return number
        return NOBODY

    def _gifts(self, held: tuple[int, ...]) -> list[tuple[int, Step]]:
        """Return the tiles that may be added to a starting hand, if the pantry has them: no category twice."""
        taken = {self.category[tile] for tile in held}
        return [(tile, step) for tile, step in self.give_steps.items() if self.category[tile] not in taken]

    def wants_tile(self, position: Position, seat: Seat) -> bool:
        """Return whether Step 2 owes the mover a tile and the pantry has one."""
        return len(seat.tiles) < self.hand_tiles and any(position.pantry)

    def outlook(self, position: ClassicPosition) -> list[str]:
        if position.phase == "over":
            return []
        if position.phase == "give":
            return ["gift"] * (GIFT - len(position.seats[self.receiver(position)].tiles))
        seat = position.seats[position.mover]
        tiles = min(self.hand_tiles - len(seat.tiles) + position.owed, sum(position.pantry))
        recipes = self.hand_recipes - len(seat.recipes) if any(position.decks) else 0
        # A draw reveals something new, so the bundle ends with the first one.
        ahead = ["card"] * position.rewards + ["tile"] * tiles + ["recipe"] * min(recipes, 1)
        return ["place", *ahead] if position.owed else ahead

    def own_lines(self, position: ClassicPosition) -> list[str]:
        return layout.own_lines(self, position)

    def read_own_lines(self, position: ClassicPosition, lines: Lines) -> None:
        layout.read_own_lines(self, position, lines)

    def canonical(self, position: ClassicPosition) -> bytes:
        covers = position.covers
        flags = position.owed | position.extra << 1 | position.stacking << 2
        own = (_PHASE_NUMBERS[position.phase], flags, position.played + 1, position.rewards, len(covers), *covers)
        return shared_bytes(self, position) + bytes(own) + position.kitchen + position.passes.to_bytes(2, "big")

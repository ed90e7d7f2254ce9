"""The rules of the second edition, assembled from their parts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from itertools import chain
from struct import pack
from typing import ClassVar

from ...board import make_board
from ...canonical import ENDINGS, shared_bytes
from ...changes import begin_changes
from ...edition import Edition, Problem, Setup
from ...hand import Returning
from ...notation import Kind
from ...position import NOBODY, empty_seat
from ...rules import Rules
from ...sealed_card import Card, Faces
from ...step import Step
from ...step_list import Block, whole
from ...text_lines import Lines
from . import position_text as layout
from .check import problems
from .flow import begin_turn, refill, refilled
from .legal import LEGAL
from .position import ACTIONS, PHASES, RECIPES, MasterPosition
from .steps import STEPS


class MasterRules(Rules[MasterPosition]):
    name = "master"
    verbs: ClassVar[dict[str, tuple[Kind, ...]]] = {
        "chop": (Kind.SQUARE,),
        "cup": (Kind.SQUARE, Kind.SQUARE),
        "discard": (Kind.ACTION,),
        "done": (),
        "draw": (Kind.DECK,),
        "exchange": (Kind.CARDS,),
        "exclude": (Kind.SEAT,),
        "gain": (Kind.ACTION,),
        "leave": (Kind.SEAT,),
        "place": (Kind.TILE, Kind.SQUARE),
        "pool": (),
        "serve": (Kind.CARD, Kind.RECIPE),
        "spicy": (Kind.TILE, Kind.SQUARE),
        "stack": (Kind.TILE, Kind.SQUARE),
        "switch": (Kind.SQUARE, Kind.SQUARE),
        "turn": (Kind.CARD, Kind.ACTION),
    }
    learning: ClassVar[frozenset[str]] = frozenset({"draw", "turn"})
    handlers = STEPS
    listed = frozenset({"exchange", "turn"})
    phases = PHASES
    endings = ("board", "pantry", "turns", "abandoned")
    claiming = frozenset({"serve"})
    slots: ClassVar[dict[str, str]] = {
        "chop": "action",
        "cup": "cup",
        "discard": "discard",
        "draw": "recipe",
        "exchange": "prep",
        "gain": "card",
        "place": "place",
        "pool": "prep",
        "serve": "claim",
        "spicy": "action",
        "stack": "action",
        "switch": "action",
    }

    def __init__(self, edition: Edition, players: int) -> None:
        super().__init__(edition, players)
        self.deck_numbers = (ACTIONS, *edition.lengths)
        self.setup = _setup(edition)
        self.display_size = self.setup.display
        self.last_turn = self.setup.final_turns_after * players
        self.backs = {back.length: back for back in edition.decks}
        self.action_counts = tuple(action.counts[players] for action in edition.actions)
        self.squares = squares = tuple(range(self.grid.size))
        tiles, cards = range(len(edition.ingredients) + 1), range(len(edition.actions))
        # Rows of steps by square, like `place_steps`; the pantry has no tile 0, so its row is never listed.
        self.spicy_rows = tuple(tuple(Step("spicy", (tile, square)) for square in squares) for tile in tiles)
        self.stack_rows = tuple(tuple(Step("stack", (tile, square)) for square in squares) for tile in tiles)
        self.chop_rows = (tuple(Step("chop", (square,)) for square in squares),)
        self.cup_rows = tuple(tuple(Step("cup", (source, target)) for target in squares) for source in squares)
        gain_steps = tuple(Step("gain", (card,)) for card in cards)
        self.gains: Callable[[tuple[int, ...]], list[Step]] = cache(
            lambda display: [gain_steps[card] for card in sorted(set(display))]
        )
        self.discard_steps = tuple(Step("discard", (card,)) for card in cards)
        self.other_preps: Callable[[tuple[int, ...]], Block] = cache(
            lambda display: whole([*self.gains(display), self.pool_step])
        )
        """The preps that take a card of the display or the pool."""
        self.turns: Callable[[Card], list[Step]] = lru_cache(lambda card: [Step("turn", (card, n)) for n in cards])
        self.pool_step = Step("pool")
        self.recipe_draws = self.draw_steps[RECIPES:]
        self.exchanging = Returning("exchange", none_below=edition.hand_recipes)
        self.know(chain(*self.spicy_rows[1:], *self.stack_rows[1:], *self.cup_rows, *self.chop_rows))
        self.know((*gain_steps, *self.discard_steps, self.pool_step))

    @staticmethod
    def check(edition: Edition) -> list[Problem]:
        return problems(edition)

    def opening(self, first: int) -> MasterPosition:
        edition = self.edition
        position = MasterPosition()
        cups = map(self.grid.parse_square, self.setup.cups[self.players])
        position.board = make_board([0] * self.grid.size, cups)
        begin_changes(position)
        position.moved = position.finals = 0
        position.chef = position.mover = NOBODY
        position.decks = self.fresh_decks()
        position.discards = bytes(len(edition.actions))
        position.display = ()
        position.epoch = 0
        position.first = first
        position.outcome = None
        position.owed = position.serving = False
        position.pantry = [0, *(ingredient.count for ingredient in edition.ingredients)]
        position.phase = "refill"
        position.pool = self.setup.pool
        position.seats = []
        position.trigger = ""
        position.turn = 0
        for number in range(self.players):
            seat = empty_seat()
            seat.cubes = self.setup.wasabi[self.players][(number - first) % self.players]
            for deck in self.setup.recipes:
                top, *rest = position.decks[deck]
                seat.recipes = (*seat.recipes, top)
                position.decks[deck] = tuple(rest)
            position.seats.append(seat)
        return refill(self, position)

    def legal(self, position: MasterPosition, faces: Faces) -> Sequence[Step]:
        return LEGAL[position.phase](self, position, faces)

    def without_chance(self, position: MasterPosition) -> MasterPosition:
        return refilled(self, position.evolve()) if position.phase == "refill" else position

    def begin_turn(self, after: MasterPosition, seat: int) -> MasterPosition:
        return begin_turn(after, seat)

    def awaited(self, position: MasterPosition) -> Card | None:
        return position.decks[ACTIONS][0] if position.phase == "refill" else None

    def hidden_count(self, position: MasterPosition, card: int) -> int:
        """Return the number of copies of an action card in the deck: all that are nowhere else."""
        held = sum([seat.cards.count(card) for seat in position.seats])
        return self.action_counts[card] - position.discards[card] - position.display.count(card) - held

    def deck_faces(self, deck: int) -> tuple[int, ...]:
        if deck != ACTIONS:
            return super().deck_faces(deck)
        return tuple(card for card, count in enumerate(self.action_counts) for _ in range(count))

    def unseen(self, position: MasterPosition, deck: int, faces: Faces) -> list[int]:
        if deck != ACTIONS:
            return super().unseen(position, deck, faces)
        return [card for card in range(len(self.action_counts)) for _ in range(self.hidden_count(position, card))]

    def face_name(self, deck: int, face: int) -> str:
        return self.edition.actions[face].code if deck == ACTIONS else super().face_name(deck, face)

    def face_number(self, deck: int, name: str) -> int:
        return self.edition.action_numbers[name] if deck == ACTIONS else super().face_number(deck, name)

    def outlook(self, position: MasterPosition) -> list[str]:
        if position.phase == "play":
            return ["place", "prep"] if position.due else ["prep"]
        ahead = {"gain": ["card"], "discard": ["discard"], "restock": ["recipe"], "exchange": ["recipe"]}
        return ahead.get(position.phase, [])

    def own_lines(self, position: MasterPosition) -> list[str]:
        return layout.own_lines(self, position)

    def read_own_lines(self, position: MasterPosition, lines: Lines) -> None:
        layout.read_own_lines(self, position, lines)

    def canonical(self, position: MasterPosition) -> bytes:
        cups, display = position.board.blocked, position.display
        flags = position.owed | position.serving << 1
        trigger = ENDINGS.index(position.trigger)
        return b"".join(
            (
                shared_bytes(self, position),
                bytes((PHASES.index(position.phase), position.chef + 1, flags, len(cups), *cups)),
                pack(">QB", position.moved, len(display)),
                bytes(display),
                position.discards,
                pack(">HBB", position.pool, trigger, position.finals),
            )
        )


def _setup(edition: Edition) -> Setup:
    """Return the edition's setup, which `check` made sure is present."""
    assert edition.setup is not None
    return edition.setup

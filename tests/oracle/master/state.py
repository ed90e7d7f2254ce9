"""Everything that lies on the table of the second edition, in plain lists and dictionaries."""

import dataclasses
from dataclasses import dataclass, field

from tests.oracle.alike import Outcome, Square, card_name
from tests.oracle.master.edition import Edition


@dataclass
class Seat:
    """One player's possessions; what a leaver served stays."""

    gone: bool = False
    cards: list[int] = field(default_factory=list)
    recipes: list[int] = field(default_factory=list)
    claimed: list[tuple[int, int]] = field(default_factory=list)
    points: int = 0
    cubes: int = 0


@dataclass
class State:
    """A position; `phase` is refill, play, serve, gain, discard, restock, exchange or over. Deck 1 has the action
    cards.

    While recipes can be served, `shown` records what every space showed when the turn began, and `laid` records for
    every tile on the board, from the bottom of its space, whether it was laid since.
    """

    edition: Edition
    first: int
    board: dict[Square, list[int]]
    cups: set[Square]
    pantry: dict[int, int]
    decks: dict[int, list[int]]
    seats: list[Seat]
    pool: int
    phase: str = "refill"
    chef: int | None = None
    turn: int = 0
    epoch: int = 0
    display: list[int] = field(default_factory=list)
    discards: list[int] = field(default_factory=list)
    shown: dict[Square, int | None] = field(default_factory=dict)
    laid: dict[Square, list[bool]] = field(default_factory=dict)
    moved: set[Square] = field(default_factory=set)
    owed: bool = False
    serving: bool = False
    trigger: str | None = None
    final: set[int] = field(default_factory=set)
    outcome: Outcome | None = None

    @property
    def mover(self) -> int | None:
        """The seat that has to choose; None while a card is to be turned up and when the game is over."""
        if self.phase in ("refill", "over"):
            return None
        return self.chef


def laid_out(edition: Edition, first: int) -> State:
    """Return the table with recipes dealt, before the first card of the display is turned up."""
    board: dict[Square, list[int]] = {}
    for row in range(edition.rows):
        for column in range(edition.columns):
            board[row, column] = []
    pantry = dict(enumerate(edition.tiles, start=1))
    sizes = {1: sum(action.count for action in edition.actions)}
    for length in sorted({len(recipe.strip) for recipe in edition.recipes}):
        sizes[length] = sum(1 for recipe in edition.recipes if len(recipe.strip) == length)
    decks = {}
    for deck, size in sizes.items():
        decks[deck] = [card_name(0, deck, place) for place in range(size)]
    seats = []
    for number in range(edition.players):
        seat = Seat()
        seat.cubes = edition.wasabi[number - first]
        for length in edition.first_recipes:
            if decks[length]:
                seat.recipes.append(decks[length].pop(0))
        seats.append(seat)
    return State(edition, first, board, set(edition.cups), pantry, decks, seats, edition.pool)


def copy_of(state: State) -> State:
    """Return a copy that shares nothing mutable with this state."""
    seats = [
        dataclasses.replace(seat, cards=list(seat.cards), recipes=list(seat.recipes), claimed=list(seat.claimed))
        for seat in state.seats
    ]
    return dataclasses.replace(
        state,
        board={square: list(tiles) for square, tiles in state.board.items()},
        cups=set(state.cups),
        pantry=dict(state.pantry),
        decks={deck: list(cards) for deck, cards in state.decks.items()},
        seats=seats,
        display=list(state.display),
        discards=list(state.discards),
        shown=dict(state.shown),
        laid={square: list(marks) for square, marks in state.laid.items()},
        moved=set(state.moved),
        final=set(state.final),
    )


def empty_spaces(state: State) -> list[Square]:
    """Return the spaces with neither a tile nor a cup."""
    return [square for square, tiles in state.board.items() if not tiles and square not in state.cups]


def tile_spaces(state: State) -> list[Square]:
    """Return the spaces with a tile."""
    return [square for square, tiles in state.board.items() if tiles]


def tile_due(state: State) -> bool:
    """Return whether this turn's tile must be placed before Serve or Prep is chosen."""
    return state.owed and bool(empty_spaces(state)) and any(state.pantry.values())


def next_playing(state: State, start_at: int) -> int:
    """Return the first seat still playing, clockwise from this one."""
    number = start_at % len(state.seats)
    while state.seats[number].gone:
        number = (number + 1) % len(state.seats)
    return number


def face_down(state: State) -> list[int]:
    """Return the kinds of action cards remaining in their deck, which is public: all others lie open."""
    left: list[int] = []
    for kind, action in enumerate(state.edition.actions):
        left += [kind] * action.count
    for kind in state.display + state.discards:
        left.remove(kind)
    for seat in state.seats:
        for kind in seat.cards:
            left.remove(kind)
    return left


def can_draw(state: State) -> bool:
    """Return whether the chef has too few recipes and some recipe deck has a card."""
    assert state.chef is not None
    held = len(state.seats[state.chef].recipes)
    return held < state.edition.hand_recipes and any(cards for deck, cards in state.decks.items() if deck != 1)

"""Everything that lies on the table, in plain lists and dictionaries."""

import dataclasses
from dataclasses import dataclass, field

from tests.oracle.alike import Outcome, Square, card_name
from tests.oracle.edition import Edition


@dataclass
class Seat:
    """One player's possessions; what a leaver completed stays."""

    tokens: dict[int, int]
    gone: bool = False
    tiles: list[int] = field(default_factory=list)
    cards: list[int] = field(default_factory=list)
    recipes: list[int] = field(default_factory=list)
    claimed: list[tuple[int, int]] = field(default_factory=list)
    points: int = 0
    cubes: int = 0


@dataclass
class State:
    """A position of the game; `phase` is give, draw, play, restock or over.

    While recipes can be completed, `shown` records what every square showed when the turn began, and `laid` records for
    every tile on the board, from the bottom of its square, whether it was laid since.
    """

    edition: Edition
    first: int
    board: dict[Square, list[int]]
    pantry: dict[int, int]
    decks: dict[int, list[int]]
    seats: list[Seat]
    kitchen: list[int]
    phase: str = "give"
    mover: int | None = None
    turn: int = 0
    epoch: int = 0
    shown: dict[Square, int | None] = field(default_factory=dict)
    laid: dict[Square, list[bool]] = field(default_factory=dict)
    wasabi: list[Square] = field(default_factory=list)
    owed: bool = False
    extra: bool = False
    stacking: bool = False
    played: int | None = None
    rewards: int = 0
    passes: int = 0
    outcome: Outcome | None = None


def start(edition: Edition, first: int) -> State:
    """Return the table before the first gift."""
    board: dict[Square, list[int]] = {}
    for row in range(edition.rows):
        for column in range(edition.columns):
            board[row, column] = []
    pantry = {}
    for number, tile in enumerate(edition.tiles, start=1):
        pantry[number] = tile.count
    decks: dict[int, list[int]] = {}
    for length in sorted({len(strip) for strip in edition.strips}):
        size = sum(1 for strip in edition.strips if len(strip) == length)
        decks[length] = [card_name(0, length, place) for place in range(size)]
    tokens = {length: token.count for length, token in edition.tokens.items()}
    seats = [Seat(tokens=dict(tokens)) for _ in range(edition.players)]
    kitchen = [action.count for action in edition.actions]
    return State(edition, first, board, pantry, decks, seats, kitchen, mover=first)


def copy_of(state: State) -> State:
    """Return a copy that shares nothing mutable with this state."""
    return dataclasses.replace(
        state,
        board={square: list(tiles) for square, tiles in state.board.items()},
        pantry=dict(state.pantry),
        decks={length: list(cards) for length, cards in state.decks.items()},
        seats=[_copy_of_seat(seat) for seat in state.seats],
        kitchen=list(state.kitchen),
        shown=dict(state.shown),
        laid={square: list(marks) for square, marks in state.laid.items()},
        wasabi=list(state.wasabi),
    )


def _copy_of_seat(seat: Seat) -> Seat:
    return dataclasses.replace(
        seat,
        tokens=dict(seat.tokens),
        tiles=list(seat.tiles),
        cards=list(seat.cards),
        recipes=list(seat.recipes),
        claimed=list(seat.claimed),
    )


def covered(state: State) -> set[Square]:
    """Return the squares under Wasabi! cards."""
    squares = set()
    for row, column in state.wasabi:
        for down in (0, 1):
            for right in (0, 1):
                squares.add((row + down, column + right))
    return squares


def empty_squares(state: State) -> list[Square]:
    """Return the squares where a tile may be placed: without tile or cover."""
    hidden = covered(state)
    return [square for square, tiles in state.board.items() if not tiles and square not in hidden]


def tile_squares(state: State) -> list[Square]:
    """Return the uncovered squares with a tile."""
    hidden = covered(state)
    return [square for square, tiles in state.board.items() if tiles and square not in hidden]


def setup_order(state: State, start_at: int) -> list[int]:
    """Return the seats still playing, clockwise from this one."""
    players = state.edition.players
    order = [(start_at + offset) % players for offset in range(players)]
    return [seat for seat in order if not state.seats[seat].gone]


def receiver(state: State) -> int | None:
    """Return the seat that gets the next starting tile, or None when all starting hands are complete."""
    for seat in setup_order(state, state.first + 1):
        if len(state.seats[seat].tiles) < state.edition.hand_tiles:
            return seat
    return None


def right_neighbour(state: State, seat: int) -> int:
    """Return the nearest seat to the right that is still playing."""
    players = state.edition.players
    neighbour = (seat - 1) % players
    while state.seats[neighbour].gone:
        neighbour = (neighbour - 1) % players
    return neighbour

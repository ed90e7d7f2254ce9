"""The common parts of both editions' oracles: cards and squares, the end of a game, bytes, a random choice."""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Protocol, TypeVar

Square = tuple[int, int]
Step = tuple[str, tuple[int, ...]]
Faces = dict[int, int]
Raw = dict[str, Any]


@dataclass(frozen=True)
class Action:
    """A type of action card: its effect, and the number of cards at the start."""

    effect: str
    count: int


@dataclass
class Outcome:
    """The ending of the game, its winners and every seat's score."""

    ending: str
    winners: list[int]
    scores: list[int]


class Seat(Protocol):
    """One player's possessions, as far as both editions have them."""

    gone: bool
    cards: list[int]
    recipes: list[int]
    claimed: list[tuple[int, int]]
    points: int
    cubes: int


class Board(Protocol):
    """An edition's board."""

    @property
    def columns(self) -> int: ...


class State(Protocol):
    """A position, as far as both editions have it."""

    board: dict[Square, list[int]]
    decks: dict[int, list[int]]
    pantry: dict[int, int]
    shown: dict[Square, int | None]
    laid: dict[Square, list[bool]]
    phase: str
    outcome: Outcome | None

    @property
    def edition(self) -> Board: ...

    @property
    def seats(self) -> Sequence[Seat]: ...


S = TypeVar("S", bound=State)


# Cards and squares


def card_name(epoch: int, deck: int, place: int) -> int:
    """Return the name of a sealed card."""
    return epoch * 65536 + deck * 256 + place


def deck_of(card: int) -> int:
    """Return the deck of a sealed card: the length of its recipe, or 1 for an action card."""
    return card // 256 % 256


def number_of(state: State, square: Square) -> int:
    """Return the number of a square, counted row by row."""
    return square[0] * state.edition.columns + square[1]


def square_at(state: State, number: int) -> Square:
    """Return the square with this number."""
    return number // state.edition.columns, number % state.edition.columns


def top(tiles: list[int]) -> int | None:
    """Return the tile that a square shows."""
    return tiles[-1] if tiles else None


def changed(state: State) -> list[Square]:
    """Return the squares that show a tile laid this turn, also one that a Switch moved there, or another tile."""
    found = []
    for square, before in state.shown.items():
        if top(state.board[square]) != before or (state.board[square] and state.laid[square][-1]):
            found.append(square)
    return found


def playing(state: State) -> list[int]:
    """Return the seats that have not left, in seat order."""
    return [number for number, seat in enumerate(state.seats) if not seat.gone]


def action_with(actions: Sequence[Action], effect: str) -> int | None:
    """Return the number of the card with this effect, if there is one."""
    for number, action in enumerate(actions):
        if action.effect == effect:
            return number
    return None


# Steps


def legal(lists: Mapping[str, Callable[[S, Faces], list[Step]]], state: S, faces: Faces) -> list[Step]:
    """Return every step but leaving, sorted; claims only for the cards whose faces are given."""
    steps: list[Step] = []
    for list_of in lists.values():
        steps.extend(list_of(state, faces))
    return sorted(steps)


def allowed(lists: Mapping[str, Callable[[S, Faces], list[Step]]], claiming: str, state: S, step: Step) -> bool:
    """Return whether this step may be taken now, by the mover or, when leaving, by any seat."""
    verb, args = step
    if verb in ("leave", "exclude"):
        there = len(args) == 1 and 0 <= args[0] < len(state.seats)
        return state.phase != "over" and there and not state.seats[args[0]].gone
    if verb not in lists:
        return False
    faces = {args[0]: args[1]} if verb == claiming and len(args) == 2 else {}
    return step in lists[verb](state, faces)


# The end


def scores(state: State) -> list[int]:
    """Return every seat's score."""
    return [seat.points + seat.cubes for seat in state.seats]


def leaders(state: State) -> list[int]:
    """Return the best seats still playing; among equal scores, more cubes win."""
    ranked = []
    for number in playing(state):
        seat = state.seats[number]
        ranked.append((seat.points + seat.cubes, seat.cubes, number))
    best = max((score, cubes) for score, cubes, _ in ranked)
    return [number for score, cubes, number in ranked if (score, cubes) == best]


# Bytes


def one(*numbers: int) -> bytes:
    """Return a byte for each number."""
    return bytes(numbers)


def two(number: int) -> bytes:
    """Return a number in two bytes."""
    return number.to_bytes(2, "big")


def four(number: int) -> bytes:
    """Return a number in four bytes."""
    return number.to_bytes(4, "big")


def written_table(state: State) -> bytes:
    """Return the bytes of the changed squares, the board, the pantry and the decks."""
    squares = sorted(changed(state))
    text = sum(1 << number_of(state, square) for square in squares).to_bytes(8, "big")
    for square in squares:
        text += one(state.shown[square] or 0, state.laid[square].count(True))
    for square in sorted(state.board):
        text += one(len(state.board[square]), *state.board[square])
    for tile in sorted(state.pantry):
        text += one(state.pantry[tile])
    for deck in sorted(state.decks):
        text += one(deck, len(state.decks[deck]))
        for card in state.decks[deck]:
            text += four(card)
    return text


def written_cards(seat: Seat) -> bytes:
    """Return the bytes of action cards, recipes in hand and completed recipes."""
    text = one(len(seat.cards), *sorted(seat.cards))
    text += one(len(seat.recipes))
    for card in seat.recipes:
        text += four(card)
    text += one(len(seat.claimed))
    for recipe, cubes in seat.claimed:
        text += one(recipe, cubes)
    return text


def written_outcome(state: State, endings: Mapping[str, int]) -> bytes:
    """Return the bytes of the outcome, or a zero."""
    if state.outcome is None:
        return one(0)
    text = one(endings[state.outcome.ending], len(state.outcome.winners), *state.outcome.winners)
    for score in state.outcome.scores:
        text += two(score)
    return text


# Random games


def by_verb(rng: Random, weights: Mapping[str, int], steps: list[Step]) -> list[Step]:
    """Return the steps of one verb, shuffled; the verb is drawn by weight, 10 by default."""
    verbs = sorted({verb for verb, _ in steps})
    drawn = [weights.get(verb, 10) for verb in verbs]
    if not any(drawn):
        drawn = [1] * len(verbs)
    verb = rng.choices(verbs, drawn)[0]
    candidates = [step for step in steps if step[0] == verb]
    rng.shuffle(candidates)
    return candidates


def leaver(rng: Random, state: State, mover: int | None) -> Step:
    """Return a step by which a seat leaves or is excluded; half of the time it is the mover."""
    seats = playing(state)
    if mover in seats and rng.random() < 0.5:
        seats = [mover]
    return rng.choice(["leave", "exclude"]), (rng.choice(seats),)


def spoiled(rng: Random, step: Step, number: int, verbs: Sequence[str]) -> Step:
    """Return a spoiled step: a number too many or too few, another number, another order or another verb."""
    verb, args = step
    numbers = list(args)
    how = rng.randrange(5)
    if how == 0:
        numbers.append(number)
    elif how == 1 and numbers:
        numbers.pop(rng.randrange(len(numbers)))
    elif how == 2 and numbers:
        numbers[rng.randrange(len(numbers))] += rng.choice([-256, -65536, -1, 1, 256, 65536, 2**40])
    elif how == 3:
        numbers.reverse()
    else:
        verb = rng.choice(verbs)
    return verb, tuple(numbers)


def edited(text: str, name: str, edit: Callable[[Raw], None], write: Callable[[Raw], str]) -> str:
    """Return the edition file after an edit, under this name."""
    raw = tomllib.loads(text)
    edit(raw)
    raw["id"] = name
    return write(raw)

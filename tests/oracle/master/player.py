"""A random player of the second edition with moods, who builds strips on purpose and then plays rare steps."""

from __future__ import annotations

from random import Random

from tests.oracle.alike import Faces, Square, Step, by_verb, leaver, number_of, spoiled, square_at
from tests.oracle.master.state import State, empty_spaces

CARDS = ("chop", "spicy", "stack", "switch")
MOODS: dict[str, dict[str, int]] = {
    "even": {"cup": 2},
    "builder": {"place": 60, "cup": 1, "serve": 400, "gain": 20, **dict.fromkeys(CARDS, 4)},
    "cook": {"cup": 2, "place": 12, "serve": 200, "gain": 60, **dict.fromkeys(CARDS, 40)},
    "saver": {"cup": 1, "serve": 300, "gain": 90, "done": 1, **dict.fromkeys(CARDS, 0)},
    "host": {"cup": 40, "place": 10, "serve": 60, **dict.fromkeys(CARDS, 20)},
    "hasty": {"cup": 0, "serve": 0, "place": 60, "pool": 10, "gain": 3, "exchange": 10},
    "picky": {"cup": 1, "exchange": 200, "serve": 20},
    "chopper": {"cup": 1, "chop": 90, "gain": 90, "serve": 5, "pool": 5, "exchange": 1, "place": 10},
}
OTHER_VERBS = [*CARDS, "cup", "place", "serve", "gain", "discard", "exchange", "draw", "turn", "pool"]


class Player:
    """Chooses among legal steps; all its choices follow from the given generator."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.mood = rng.choice([*MOODS, "builder", "builder", "cook", "cook", "saver"])
        self.wavers = rng.choice([0.0, 0.02, 0.2])
        self.leaving = rng.choice([0.0, 0.0, 0.0, 0.0, 0.002, 0.01, 0.05])

    def leave(self, state: State) -> Step | None:
        """Make a seat leave or be excluded now and then, more often at fleeting moments."""
        likely = self.leaving
        if self.leaving and state.phase in ("gain", "discard", "refill"):
            likely = max(likely, 0.03)
        if state.trigger is not None or not empty_spaces(state) or not any(state.pantry.values()):
            likely = max(likely, 0.015)
        if self.rng.random() >= likely:
            return None
        return leaver(self.rng, state, state.chef)

    def choose(self, state: State, steps: list[Step], faces: Faces, _looks_ahead: object) -> Step:
        """Choose a step: a verb by mood, then a step that advances a recipe, or any."""
        if self.rng.random() < self.wavers:
            return self.rng.choice(steps)
        candidates = by_verb(self.rng, MOODS[self.mood], steps)
        verb = candidates[0][0]
        if verb in ("place", "stack", "spicy", "switch", "chop") and self.mood not in ("even", "hasty"):
            strips = [list(state.edition.strips[faces[card]]) for card in _held(state) if card in faces]
            useful = candidates if verb in ("chop", "switch") else self._useful(strips, candidates)
            best = max(useful, key=lambda step: _completes(state, step, strips), default=None)
            if best is not None and _completes(state, best, strips):
                return best
            if verb in ("place", "spicy"):
                return self._further(state, strips, candidates)
        if verb == "chop" and self.rng.random() < 0.6:
            candidates.sort(key=lambda step: -len(state.board[square_at(state, step[1][0])]))
        if verb == "stack" and self.rng.random() < 0.4:
            candidates.sort(key=lambda step: -len(state.board[square_at(state, step[1][1])]))
        if verb == "draw" and self.mood in ("builder", "cook", "saver"):
            return min(candidates, key=lambda step: step[1][0] * self.rng.random())
        return candidates[0]

    def _useful(self, strips: list[list[int]], candidates: list[Step]) -> list[Step]:
        wanted = {tile for strip in strips for tile in strip}
        return [step for step in candidates if step[1][0] in wanted][:150]

    def _further(self, state: State, strips: list[list[int]], candidates: list[Step]) -> Step:
        """Return the step that adds to the window with the largest share of a strip and nothing else in it."""
        orderly = self.rng.random() < 0.6
        best, chosen = 0.0, candidates[0]
        allowed = {step[1]: step for step in candidates}
        empty = set(empty_spaces(state))
        for strip in strips:
            for window in _windows(state, len(strip)):
                step_args = _missing(state, window, strip, empty, orderly=orderly)
                share = 1 - len([square for square in window if square in empty]) / len(strip)
                share += self.rng.random() / 10
                if step_args is not None and step_args in allowed and share > best:
                    best, chosen = share, allowed[step_args]
        return chosen


def _held(state: State) -> list[int]:
    return [] if state.mover is None else state.seats[state.mover].recipes


def _windows(state: State, length: int) -> list[list[Square]]:
    found = []
    for row, column in state.board:
        for down, right in ((0, 1), (1, 0)):
            window = [(row + down * offset, column + right * offset) for offset in range(length)]
            if window[-1] in state.board:
                found.append(window)
    return found


def _missing(
    state: State, window: list[Square], strip: list[int], empty: set[Square], *, orderly: bool
) -> tuple[int, ...] | None:
    """Return a missing tile and space of this window, if nothing else lies there."""
    left = list(strip)
    gap: tuple[int, ...] | None = None
    for square, tile in zip(window, strip, strict=True):
        if square in empty:
            gap = gap or (tile, number_of(state, square))
            continue
        if square in state.cups:
            return None
        top = state.board[square][-1]
        if top not in left or (orderly and top != tile):
            return None
        left.remove(top)
    if gap is None or orderly:
        return gap
    return left[0], gap[1]


def _completes(state: State, step: Step, strips: list[list[int]]) -> int:
    """Return how many of these strips contain the squares that this step changes."""
    verb, args = step
    tops = {square: tiles[-1] for square, tiles in state.board.items() if tiles}
    squares = [square_at(state, number) for number in (args if verb in ("switch", "chop") else args[1:])]
    if verb == "switch":
        one, other = squares
        after = {one: tops.pop(other, None), other: tops.pop(one, None)}
        tops.update({square: tile for square, tile in after.items() if tile is not None})
    elif verb == "chop":
        pile = state.board[squares[0]]
        if len(pile) == 1:
            return 0
        tops[squares[0]] = pile[-2]
    else:
        tops[squares[0]] = args[0]
    return sum(1 for strip in strips if any(_lies_through(tops, square, sorted(strip)) for square in squares))


def _lies_through(tops: dict[Square, int], square: Square, tiles: list[int]) -> bool:
    row, column = square
    for back in range(len(tiles)):
        across = [tops.get((row, column - back + offset), 0) for offset in range(len(tiles))]
        down = [tops.get((row - back + offset, column), 0) for offset in range(len(tiles))]
        if tiles in (sorted(across), sorted(down)):
            return True
    return False


def attempt(rng: Random, state: State, steps: list[Step]) -> Step:
    """Return a well-formed step that is mostly not allowed now."""
    cards = [card for seat in state.seats for card in seat.recipes]
    cards += [deck[0] for deck in state.decks.values() if deck]
    number = rng.randint(-1, 6)
    square, other = rng.choices(range(-1, state.edition.rows * state.edition.columns + 1), k=2)
    tile = rng.randint(0, len(state.edition.tiles) + 1)
    cups = [number_of(state, cup) for cup in state.cups]
    card = rng.choice(cards) if cards else 0
    recipe = rng.randint(-1, len(state.edition.recipes))
    shapes: list[Step] = [
        ("turn", (card, number)),
        ("turn", (state.decks[1][0] if state.decks[1] else card, number)),
        ("place", (tile, square)),
        ("cup", (rng.choice([square, *cups]), rng.choice([other, *cups]))),
        ("chop", (square,)),
        ("spicy", (tile, square)),
        ("stack", (tile, square)),
        ("switch", (square, rng.choice([other, square + 1, square - 1, square + state.edition.columns]))),
        ("done", ()),
        ("gain", (number,)),
        ("discard", (number,)),
        ("pool", ()),
        ("exchange", tuple(rng.choices(cards, k=rng.randint(0, 3)) if cards else ())),
        ("exchange", tuple(_held(state)[: rng.randint(0, 3)])),
        ("draw", (number,)),
        ("leave", (rng.randint(-1, len(state.seats)),)),
        ("exclude", (rng.randint(-1, len(state.seats)),)),
        ("fly", ()),
    ]
    if steps and rng.random() < 0.4:
        return spoiled(rng, rng.choice(steps), square, OTHER_VERBS)
    if rng.random() < 0.2:
        claimed = [one for seat in state.seats for one, _ in seat.claimed]
        return "serve", (rng.choice([card, *_held(state)]), rng.choice([recipe, *claimed]))
    return rng.choice(shapes)

"""A random player with moods, who finds what a uniform choice among legal steps would hardly ever find."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from tests.oracle.alike import Faces, Step, by_verb, leaver, spoiled, square_at
from tests.oracle.classic import State
from tests.oracle.state import empty_squares

CARDS = ("chop", "stack", "spicy", "switch", "wasabi")
MOODS: dict[str, dict[str, int]] = {
    "even": {"pass": 1, "discard": 1},
    "builder": {"place": 20, "claim": 200, "pass": 1, "done": 10, "discard": 1},
    "cook": {"chop": 40, "stack": 40, "spicy": 40, "switch": 40, "wasabi": 40, "claim": 200, "pass": 1, "discard": 1},
    "hasty": {"claim": 0, "done": 60, "place": 40, "pass": 1},
    "weary": {"pass": 400},
    "hoarder": {"claim": 300, "discard": 1, "pass": 1, "place": 30, "done": 20, **dict.fromkeys(CARDS, 0)},
    "filler": {"wasabi": 60, "place": 60, "claim": 60, "done": 20, "pass": 0, "chop": 2, "discard": 0},
}
OTHER_VERBS = ["chop", "claim", "place", "switch", "take", "discard", "pass", "tile", "draw", "give"]


class Player:
    """Chooses among legal steps; all its choices follow from the given generator."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.mood = rng.choice([*MOODS, "builder", "cook", "cook", "hoarder"])
        self.wavers = rng.choice([0.0, 0.02, 0.2])
        self.leaving = rng.choice([0.0, 0.0, 0.0, 0.0, 0.002, 0.01, 0.05])

    def leave(self, state: State) -> Step | None:
        """Make a seat leave or be excluded now and then, more often when that has consequences."""
        if self.rng.random() >= (max(self.leaving, 0.03) if _leaving_matters(state) else self.leaving):
            return None
        return leaver(self.rng, state, state.mover)

    def choose(self, state: State, steps: list[Step], faces: Faces, claims_after: Callable[[Step], int]) -> Step:
        """Choose a step: a verb by mood, then the most useful step, or any."""
        if self.rng.random() < self.wavers:
            return self.rng.choice(steps)
        candidates = by_verb(self.rng, MOODS[self.mood], steps)
        verb = candidates[0][0]
        if verb == "tile":
            return self._wanted_tile(state, candidates, faces)
        if verb == "draw":
            return self._wanted_length(state, candidates)
        if verb in ("place", "chop") and self.rng.random() < 0.5:
            candidates.sort(key=lambda step: (-_height(state, step), len(step[1])))
        if verb in ("place", *CARDS) and self.mood in ("builder", "cook", "filler", "hoarder"):
            return max(candidates[:60], key=claims_after)
        return candidates[0]

    def _wanted_length(self, state: State, candidates: list[Step]) -> Step:
        assert state.mover is not None
        tokens = state.seats[state.mover].tokens
        useful = [step for step in candidates if tokens[step[1][0]]]
        if not useful or self.rng.random() < 0.1:
            useful = candidates
        return min(useful, key=lambda step: step[1][0] * self.rng.random())

    def _wanted_tile(self, state: State, candidates: list[Step], faces: Faces) -> Step:
        assert state.mover is not None
        wanted: list[int] = []
        for card in state.seats[state.mover].recipes:
            if card in faces:
                wanted += state.edition.strips[faces[card]]
        for step in candidates:
            if step[1][0] in wanted:
                return step
        return candidates[0]


def _leaving_matters(state: State) -> bool:
    """Return whether a leaver may end the game by passes or a full board, or refill a pantry found empty."""
    left = sum(1 for seat in state.seats if not seat.gone)
    if state.passes >= 3 * (left - 1):
        return True
    if state.phase == "restock" and not any(state.pantry.values()):
        return True
    return state.phase in ("play", "restock") and not empty_squares(state)


def _height(state: State, step: Step) -> int:
    """Return how many tiles lie on the square of a placed or chopped tile, which is a stack or becomes one."""
    verb, args = step
    return len(state.board[square_at(state, args[1] if verb == "place" else args[0])])


def attempt(rng: Random, state: State, steps: list[Step]) -> Step:
    """Return a well-formed step that is mostly not allowed now."""
    squares = state.edition.rows * state.edition.columns
    cards = [card for seat in state.seats for card in seat.recipes]
    cards += [deck[0] for deck in state.decks.values() if deck]
    shapes: list[Step] = [
        ("give", (rng.randint(0, len(state.edition.tiles) + 1),)),
        ("draw", (rng.randint(0, 6),)),
        ("place", (rng.randint(0, len(state.edition.tiles) + 1), rng.randint(-1, squares))),
        ("stack", ()),
        ("spicy", ()),
        ("chop", (rng.randint(-1, squares),)),
        ("chop", (rng.randint(-1, squares), rng.randint(-1, squares))),
        ("switch", tuple(rng.choices(range(-1, squares + 1), k=2))),
        ("wasabi", (rng.randint(-1, squares),)),
        ("claim", (rng.choice(cards) if cards else 0, rng.randint(-1, len(state.edition.strips)))),
        ("pass", tuple(rng.choices(cards, k=rng.randint(0, 3)) if cards else ())),
        ("done", ()),
        ("take", (rng.randint(-1, 5),)),
        ("take", (rng.randint(-1, 5), rng.randint(-1, squares))),
        ("discard", (rng.randint(-1, 5),)),
        ("forgo", ()),
        ("tile", (rng.randint(-1, len(state.edition.tiles) + 1),)),
        ("leave", (rng.randint(-1, len(state.seats)),)),
        ("exclude", (rng.randint(-1, len(state.seats)),)),
        ("fly", ()),
    ]
    if steps and rng.random() < 0.5:
        return spoiled(rng, rng.choice(steps), rng.randint(-1, squares), OTHER_VERBS)
    if cards and state.phase == "play" and rng.random() < 0.3:
        claimed = [recipe for seat in state.seats for recipe, _ in seat.claimed]
        return "claim", (rng.choice(cards), rng.choice([rng.randrange(len(state.edition.strips)), *claimed]))
    return rng.choice(shapes)

"""The legal steps of the second edition: one plain list for each verb."""

from collections.abc import Callable
from itertools import permutations

from tests.oracle import alike
from tests.oracle.alike import Faces, Square, Step, changed, deck_of, number_of
from tests.oracle.master.state import Seat, State, empty_spaces, face_down, tile_due, tile_spaces


def _chef(state: State) -> Seat:
    assert state.chef is not None
    return state.seats[state.chef]


def _turns(state: State, faces: Faces) -> list[Step]:
    if state.phase != "refill":
        return []
    top = state.decks[1][0]
    left = face_down(state)
    if top in faces and faces[top] in left:
        left = [faces[top]]
    return [("turn", (top, kind)) for kind in set(left)]


def _in_pantry(state: State) -> list[int]:
    return [tile for tile, count in state.pantry.items() if count > 0]


def _tiles_on(state: State, verb: str, squares: list[Square]) -> list[Step]:
    return [(verb, (tile, number_of(state, square))) for tile in _in_pantry(state) for square in squares]


def _places(state: State, _faces: Faces) -> list[Step]:
    if state.phase == "play" and state.owed:
        return _tiles_on(state, "place", empty_spaces(state))
    return []


def _cups(state: State, _faces: Faces) -> list[Step]:
    if state.phase != "play":
        return []
    to_move = [cup for cup in state.cups if cup not in state.moved]
    spaces = empty_spaces(state)
    return [("cup", (number_of(state, cup), number_of(state, space))) for cup in to_move for space in spaces]


def _may_play(state: State, effect: str) -> bool:
    return state.phase == "play" and state.edition.action(effect) in _chef(state).cards


def _chops(state: State, _faces: Faces) -> list[Step]:
    if not _may_play(state, "chop"):
        return []
    return [("chop", (number_of(state, square),)) for square in tile_spaces(state)]


def _spicies(state: State, _faces: Faces) -> list[Step]:
    if not _may_play(state, "spicy"):
        return []
    return _tiles_on(state, "spicy", empty_spaces(state))


def _stacks(state: State, _faces: Faces) -> list[Step]:
    if not _may_play(state, "stack"):
        return []
    return _tiles_on(state, "stack", tile_spaces(state))


def _switches(state: State, _faces: Faces) -> list[Step]:
    if not _may_play(state, "switch"):
        return []
    pairs: list[tuple[Square, Square]] = []
    for row, column in state.board:
        pairs += [((row, column), (row, column + 1)), ((row, column), (row + 1, column))]
    steps: list[Step] = []
    for one, other in pairs:
        if other in state.board and (state.board[one] or state.board[other]):
            steps.append(("switch", (number_of(state, one), number_of(state, other))))
    return steps


def _step_two_open(state: State) -> bool:
    """Return whether Serve or Prep may be chosen."""
    return state.phase == "play" and not tile_due(state)


def windows(state: State, length: int) -> list[list[Square]]:
    """Return every straight gapless run of tiles of this length with a square changed this turn."""
    runs = []
    for row, column in state.board:
        runs.append([(row, column + offset) for offset in range(length)])
        runs.append([(row + offset, column) for offset in range(length)])
    of_tiles = [run for run in runs if all(state.board.get(square) for square in run)]
    touched = changed(state)
    return [run for run in of_tiles if any(square in touched for square in run)]


def best_cubes(state: State, number: int) -> int | None:
    """Return the style cubes of the best window for this recipe, or None if no window completes it."""
    recipe = state.edition.recipes[number]
    strip = list(recipe.strip)
    best = None
    for window in windows(state, len(strip)):
        tops = [state.board[square][-1] for square in window]
        if sorted(tops) != sorted(strip):
            continue
        cubes = 0
        if len(strip) > 2 and (tops == strip or tops == strip[::-1]):
            cubes = recipe.style
        if best is None or cubes > best:
            best = cubes
    return best


def _serves(state: State, faces: Faces) -> list[Step]:
    if state.phase != "serve" and not _step_two_open(state):
        return []
    served = [recipe for seat in state.seats for recipe, _ in seat.claimed]
    steps: list[Step] = []
    for card in _chef(state).recipes:
        recipe = faces.get(card)
        if recipe is None or recipe in served or not 0 <= recipe < len(state.edition.recipes):
            continue
        if len(state.edition.recipes[recipe].strip) == deck_of(card) and best_cubes(state, recipe) is not None:
            steps.append(("serve", (card, recipe)))
    return steps


def _done(state: State, _faces: Faces) -> list[Step]:
    return [("done", ())] if state.phase == "serve" else []


def _gains(state: State, _faces: Faces) -> list[Step]:
    if state.phase == "gain" or _step_two_open(state):
        return [("gain", (kind,)) for kind in set(state.display)]
    return []


def _discards(state: State, _faces: Faces) -> list[Step]:
    if state.phase == "discard":
        return [("discard", (kind,)) for kind in set(_chef(state).cards)]
    return []


def _pool(state: State, _faces: Faces) -> list[Step]:
    return [("pool", ())] if _step_two_open(state) else []


def _exchanges(state: State, _faces: Faces) -> list[Step]:
    if not _step_two_open(state):
        return []
    held = _chef(state).recipes
    steps: list[Step] = []
    for size in range(len(held) + 1):
        if size == 0 and len(held) >= state.edition.hand_recipes:
            continue
        steps += [("exchange", returned) for returned in permutations(held, size)]
    return steps


def _draws(state: State, _faces: Faces) -> list[Step]:
    if state.phase in ("restock", "exchange"):
        return [("draw", (deck,)) for deck, cards in state.decks.items() if cards and deck != 1]
    return []


LISTS: dict[str, Callable[[State, Faces], list[Step]]] = {
    "turn": _turns,
    "place": _places,
    "cup": _cups,
    "chop": _chops,
    "spicy": _spicies,
    "stack": _stacks,
    "switch": _switches,
    "serve": _serves,
    "done": _done,
    "gain": _gains,
    "discard": _discards,
    "pool": _pool,
    "exchange": _exchanges,
    "draw": _draws,
}


def legal(state: State, faces: Faces) -> list[Step]:
    """Return every step but leaving, sorted; those with a recipe only for the cards whose faces are given."""
    return alike.legal(LISTS, state, faces)


def allowed(state: State, step: Step) -> bool:
    """Return whether this step may be taken now."""
    return alike.allowed(LISTS, "serve", state, step)

"""The legal steps: one plain list for each verb."""

from collections.abc import Callable
from itertools import permutations

from tests.oracle import alike
from tests.oracle.alike import Faces, Square, Step, changed, deck_of, number_of
from tests.oracle.state import Seat, State, covered, empty_squares, receiver, tile_squares


def _mover(state: State) -> Seat:
    assert state.mover is not None
    return state.seats[state.mover]


def _gifts(state: State, _faces: Faces) -> list[Step]:
    if state.phase != "give":
        return []
    to = receiver(state)
    assert to is not None
    tiles = state.edition.tiles
    held = [tiles[tile - 1].category for tile in state.seats[to].tiles]
    steps: list[Step] = []
    for tile, left in state.pantry.items():
        if left > 0 and tiles[tile - 1].starting and tiles[tile - 1].category not in held:
            steps.append(("give", (tile,)))
    return steps


def due(state: State) -> str:
    """Return what Step 2 requires next: reward, tile, recipe, or nothing."""
    seat = _mover(state)
    if state.rewards > 0 and offers(state):
        return "reward"
    if len(seat.tiles) < state.edition.hand_tiles and any(state.pantry.values()):
        return "tile"
    if len(seat.recipes) < state.edition.hand_recipes and any(state.decks.values()):
        return "recipe"
    return "nothing"


def _draws(state: State, _faces: Faces) -> list[Step]:
    if state.phase == "draw" or (state.phase == "restock" and due(state) == "recipe"):
        return [("draw", (length,)) for length, cards in state.decks.items() if cards]
    return []


def _tiles(state: State, _faces: Faces) -> list[Step]:
    if state.phase == "restock" and due(state) == "tile":
        return [("tile", (tile,)) for tile, left in state.pantry.items() if left > 0]
    return []


def offers(state: State) -> list[tuple[int, ...]]:
    """Return the rewards to choose from: a card of the kitchen, or a Wasabi! card with its square on the board."""
    found: list[tuple[int, ...]] = []
    for action, left in enumerate(state.kitchen):
        if left > 0:
            found.append((action,))
    for square in state.wasabi:
        wasabi = state.edition.action("wasabi")
        assert wasabi is not None
        found.append((wasabi, number_of(state, square)))
    others = [offer for offer in found if offer[0] != state.played]
    if others:
        return others
    return found


def _room(state: State) -> bool:
    return len(_mover(state).cards) < state.edition.hand_cards


def _takes(state: State, _faces: Faces) -> list[Step]:
    if state.phase == "restock" and due(state) == "reward" and _room(state):
        return [("take", offer) for offer in offers(state)]
    return []


def _discards(state: State, _faces: Faces) -> list[Step]:
    if state.phase in ("play", "restock"):
        return [("discard", (action,)) for action in set(_mover(state).cards)]
    return []


def _forgo(state: State, _faces: Faces) -> list[Step]:
    if state.phase == "restock" and due(state) == "reward" and not _room(state):
        return [("forgo", ())]
    return []


def _places(state: State, _faces: Faces) -> list[Step]:
    if state.phase != "play" or not (state.owed or state.extra):
        return []
    squares = empty_squares(state)
    if state.owed and state.stacking:
        squares = squares + tile_squares(state)
    tiles = set(_mover(state).tiles)
    return [("place", (tile, number_of(state, square))) for tile in tiles for square in squares]


def _may_play(state: State, effect: str) -> bool:
    if state.phase != "play" or state.played is not None:
        return False
    return state.edition.action(effect) in _mover(state).cards


def _has_what_it_owes(state: State) -> bool:
    return not state.owed or len(_mover(state).tiles) > 0


def _stack(state: State, _faces: Faces) -> list[Step]:
    if _may_play(state, "stack") and state.owed and _mover(state).tiles and tile_squares(state):
        return [("stack", ())]
    return []


def _spicy(state: State, _faces: Faces) -> list[Step]:
    if not _may_play(state, "spicy"):
        return []
    needed = 2 if state.owed else 1
    if len(_mover(state).tiles) >= needed and len(empty_squares(state)) >= needed:
        return [("spicy", ())]
    return []


def _chops(state: State, _faces: Faces) -> list[Step]:
    if not _may_play(state, "chop"):
        return []
    steps: list[Step] = []
    for square in tile_squares(state):
        if _has_what_it_owes(state):
            steps.append(("chop", (number_of(state, square),)))
        if state.owed:
            targets = empty_squares(state)
            if len(state.board[square]) == 1:
                targets.append(square)
            steps += [("chop", (number_of(state, square), number_of(state, target))) for target in targets]
    return steps


def _switches(state: State, _faces: Faces) -> list[Step]:
    if not _may_play(state, "switch") or not _has_what_it_owes(state):
        return []
    hidden = covered(state)
    steps: list[Step] = []
    for row, column in state.board:
        for other in ((row, column + 1), (row + 1, column)):
            if other not in state.board or (row, column) in hidden or other in hidden:
                continue
            if state.board[row, column] or state.board[other]:
                steps.append(("switch", (number_of(state, (row, column)), number_of(state, other))))
    return steps


def _wasabis(state: State, _faces: Faces) -> list[Step]:
    if not _may_play(state, "wasabi") or not _has_what_it_owes(state):
        return []
    hidden = covered(state)
    empty = empty_squares(state)
    steps: list[Step] = []
    for row, column in state.board:
        below = [(row, column), (row, column + 1), (row + 1, column), (row + 1, column + 1)]
        if any(square not in state.board or square in hidden for square in below):
            continue
        if state.owed and all(square in below for square in empty):
            continue
        steps.append(("wasabi", (number_of(state, (row, column)),)))
    return steps


def windows(state: State, length: int) -> list[list[Square]]:
    """Return every straight gapless run of this length that is in play and contains a square changed this turn."""
    in_play = set(tile_squares(state))
    runs = []
    for row, column in state.board:
        runs.append([(row, column + offset) for offset in range(length)])
        runs.append([(row + offset, column) for offset in range(length)])
    whole = [run for run in runs if all(square in in_play for square in run)]
    touched = changed(state)
    return [run for run in whole if any(square in touched for square in run)]


def best_cubes(state: State, recipe: int) -> int | None:
    """Return the style cubes of the best window for this recipe, or None if no window completes it."""
    strip = list(state.edition.strips[recipe])
    best = None
    for window in windows(state, len(strip)):
        tops = [state.board[square][-1] for square in window]
        if sorted(tops) != sorted(strip):
            continue
        with_style = tops == strip or tops == strip[::-1]
        cubes = state.edition.tokens[len(strip)].style if with_style else 0
        if best is None or cubes > best:
            best = cubes
    return best


def _lies_completed(state: State, recipe: int) -> bool:
    """Return whether somebody has completed this recipe; each has one strip, so nobody else can have it."""
    for seat in state.seats:
        for completed, _ in seat.claimed:
            if completed == recipe:
                return True
    return False


def _claims(state: State, faces: Faces) -> list[Step]:
    if state.phase != "play":
        return []
    seat = _mover(state)
    steps: list[Step] = []
    for card in seat.recipes:
        recipe = faces.get(card)
        if recipe is None or not 0 <= recipe < len(state.edition.strips):
            continue
        length = len(state.edition.strips[recipe])
        if length != deck_of(card) or seat.tokens.get(length, 0) == 0:
            continue
        if _lies_completed(state, recipe):
            continue
        if best_cubes(state, recipe) is not None:
            steps.append(("claim", (card, recipe)))
    return steps


def _passes(state: State, _faces: Faces) -> list[Step]:
    if state.phase != "play" or not state.owed or state.played is not None:
        return []
    recipes = _mover(state).recipes
    if not recipes:
        return [("pass", ())]
    steps: list[Step] = []
    for size in range(1, len(recipes) + 1):
        steps += [("pass", returned) for returned in permutations(recipes, size)]
    return steps


def _done(state: State, _faces: Faces) -> list[Step]:
    if state.phase == "play" and not state.owed:
        return [("done", ())]
    return []


LISTS: dict[str, Callable[[State, Faces], list[Step]]] = {
    "give": _gifts,
    "draw": _draws,
    "place": _places,
    "stack": _stack,
    "spicy": _spicy,
    "chop": _chops,
    "switch": _switches,
    "wasabi": _wasabis,
    "claim": _claims,
    "pass": _passes,
    "done": _done,
    "take": _takes,
    "discard": _discards,
    "forgo": _forgo,
    "tile": _tiles,
}


def legal(state: State, faces: Faces) -> list[Step]:
    """Return every step but leaving, sorted; those with a recipe only for the cards whose faces are given."""
    return alike.legal(LISTS, state, faces)


def allowed(state: State, step: Step) -> bool:
    """Return whether this step may be taken now."""
    return alike.allowed(LISTS, "claim", state, step)

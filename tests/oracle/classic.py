"""The oracle of the first edition: `start`, `legal`, `apply`, `digest`, and the course of a game between them."""

from tests.oracle.alike import Outcome, Step, card_name, deck_of, leaders, playing, scores, square_at, top
from tests.oracle.digest import digest
from tests.oracle.edition import Edition, read
from tests.oracle.legal import allowed, best_cubes, due, legal, offers
from tests.oracle.state import Seat, State, copy_of, covered, receiver, right_neighbour, setup_order, start

__all__ = ["Edition", "Outcome", "Refused", "State", "Step", "apply", "digest", "legal", "read", "start"]


class Refused(Exception):
    """The step may not be taken now."""


def apply(before: State, step: Step) -> State:
    """Return the state after this step; the given one is not changed."""
    if not allowed(before, step):
        raise Refused(step)
    verb, args = step
    state = copy_of(before)
    if verb in ("leave", "exclude"):
        _leave(state, args[0], renamed=verb == "exclude")
    elif verb == "give":
        to = receiver(state)
        assert to is not None
        _from_pantry(state, args[0], state.seats[to])
        _go_on_with_setup(state)
    elif state.phase == "draw":
        _draw(state, args[0])
        _go_on_with_setup(state)
    elif verb == "discard":
        _mover(state).cards.remove(args[0])
        state.kitchen[args[0]] += 1
    elif state.phase == "play":
        _step_one(state, verb, args)
    else:
        _step_two(state, verb, args)
    return state


def _mover(state: State) -> Seat:
    assert state.mover is not None
    return state.seats[state.mover]


def _from_pantry(state: State, tile: int, seat: Seat) -> None:
    state.pantry[tile] -= 1
    seat.tiles.append(tile)


def _draw(state: State, length: int) -> None:
    _mover(state).recipes.append(state.decks[length].pop(0))


def _go_on_with_setup(state: State) -> None:
    to = receiver(state)
    if state.phase == "give" and to is not None:
        state.mover = right_neighbour(state, to)
        return
    state.phase = "draw"
    for seat in setup_order(state, state.first):
        if len(state.seats[seat].recipes) < state.edition.hand_recipes and any(state.decks.values()):
            state.mover = seat
            return
    _start_turn(state, setup_order(state, state.first)[0])


def _forget_changes(state: State) -> None:
    state.shown = {}
    state.laid = {}


def _forget_turn(state: State) -> None:
    _forget_changes(state)
    state.owed = False
    state.extra = False
    state.stacking = False
    state.played = None
    state.rewards = 0


def _start_turn(state: State, seat: int) -> None:
    _forget_turn(state)
    state.phase = "play"
    state.mover = seat
    state.turn += 1
    state.owed = True
    state.shown = {square: top(tiles) for square, tiles in state.board.items()}
    state.laid = {square: [False for _ in tiles] for square, tiles in state.board.items()}


def _step_one(state: State, verb: str, args: tuple[int, ...]) -> None:
    seat = _mover(state)
    if verb == "place":
        tile, number = args
        seat.tiles.remove(tile)
        _lay(state, tile, number)
    elif verb == "claim":
        _claim(state, args[0], args[1])
    elif verb == "pass":
        for card in args:
            seat.recipes.remove(card)
            state.decks[deck_of(card)].append(card)
        state.passes += 1
        _start_step_two(state)
    elif verb == "done":
        state.passes = 0
        _start_step_two(state)
    else:
        _play_card(state, verb, args)


def _lay(state: State, tile: int, number: int) -> None:
    square = square_at(state, number)
    state.board[square].append(tile)
    state.laid[square].append(True)
    if state.owed:
        state.owed = False
        state.stacking = False
    else:
        state.extra = False


def _play_card(state: State, effect: str, args: tuple[int, ...]) -> None:
    seat = _mover(state)
    action = state.edition.action(effect)
    assert action is not None
    seat.cards.remove(action)
    state.played = action
    squares = [square_at(state, number) for number in args]
    if effect == "wasabi":
        state.wasabi.append(squares[0])
        seat.cubes += 1
        return
    state.kitchen[action] += 1
    if effect == "stack":
        state.stacking = True
    elif effect == "spicy":
        state.extra = True
    elif effect == "switch":
        one, other = squares
        state.board[one], state.board[other] = state.board[other], state.board[one]
        state.laid[one], state.laid[other] = state.laid[other], state.laid[one]
    elif effect == "chop":
        tile = state.board[squares[0]].pop()
        state.laid[squares[0]].pop()
        if len(args) == 2:
            _lay(state, tile, args[1])
        else:
            state.pantry[tile] += 1


def _claim(state: State, card: int, recipe: int) -> None:
    seat = _mover(state)
    length = deck_of(card)
    cubes = best_cubes(state, recipe)
    assert cubes is not None
    seat.recipes.remove(card)
    seat.claimed.append((recipe, cubes))
    seat.tokens[length] -= 1
    seat.points += state.edition.tokens[length].points
    seat.cubes += cubes
    state.rewards += 1
    if not any(seat.tokens.values()):
        assert state.mover is not None
        _end(state, "tokens", [state.mover])


def _start_step_two(state: State) -> None:
    state.phase = "restock"
    _forget_changes(state)
    state.owed = False
    state.extra = False
    state.stacking = False
    _go_on_with_step_two(state)


def _step_two(state: State, verb: str, args: tuple[int, ...]) -> None:
    seat = _mover(state)
    if verb == "tile":
        _from_pantry(state, args[0], seat)
    elif verb == "draw":
        _draw(state, args[0])
    else:
        state.rewards -= 1
        if args:
            seat.cards.append(args[0])
        if len(args) == 1:
            state.kitchen[args[0]] -= 1
        elif len(args) == 2:
            state.wasabi.remove(square_at(state, args[1]))
    _go_on_with_step_two(state)


def _go_on_with_step_two(state: State) -> None:
    if not offers(state):
        state.rewards = 0
    if due(state) == "nothing":
        _end_turn(state)


def _end_turn(state: State) -> None:
    assert state.mover is not None
    hidden = covered(state)
    if all(tiles or square in hidden for square, tiles in state.board.items()):
        _end(state, "board", leaders(state))
    elif state.passes >= 3 * len(playing(state)):
        _end(state, "passes", leaders(state))
    else:
        _start_turn(state, setup_order(state, state.mover + 1)[0])


def _end(state: State, ending: str, winners: list[int]) -> None:
    state.outcome = Outcome(ending, winners, scores(state))
    _forget_turn(state)
    state.phase = "over"
    state.mover = None


def _leave(state: State, number: int, *, renamed: bool) -> None:
    seat = state.seats[number]
    seat.gone = True
    for tile in seat.tiles:
        state.pantry[tile] += 1
    for action in seat.cards:
        state.kitchen[action] += 1
    for card in seat.recipes:
        state.decks[deck_of(card)].append(card)
    seat.tiles, seat.cards, seat.recipes = [], [], []
    if renamed:
        state.epoch += 1
        for length, cards in state.decks.items():
            state.decks[length] = [card_name(state.epoch, length, place) for place in range(len(cards))]
    left = playing(state)
    if len(left) == 1:
        _end(state, "abandoned", left)
    elif state.phase in ("give", "draw"):
        _go_on_with_setup(state)
    elif state.mover == number:
        _end_turn(state)

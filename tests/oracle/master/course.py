"""The course of a game of the second edition: its start, the effect of each step, turns, the final round, leaving."""

from tests.oracle.alike import Outcome, Step, card_name, deck_of, leaders, playing, scores, square_at, top
from tests.oracle.master.edition import Edition
from tests.oracle.master.legal import allowed, best_cubes
from tests.oracle.master.state import Seat, State, can_draw, copy_of, empty_spaces, laid_out, next_playing


class Refused(Exception):
    """The step may not be taken now."""


def start(edition: Edition, first: int) -> State:
    """Return the table when the first card of the display is to be turned up."""
    state = laid_out(edition, first)
    _refill(state)
    return state


def apply(before: State, step: Step) -> State:
    """Return the state after this step; the given one is not changed."""
    if not allowed(before, step):
        raise Refused(step)
    verb, args = step
    state = copy_of(before)
    if verb in ("leave", "exclude"):
        _leave(state, args[0], renamed=verb == "exclude")
    elif verb == "turn":
        state.decks[1].pop(0)
        state.display.append(args[1])
        _refill(state)
    elif verb in ("place", "cup", "chop", "spicy", "stack", "switch"):
        _step_one(state, verb, args)
    else:
        _step_two(state, verb, args)
    return state


def _chef(state: State) -> Seat:
    assert state.chef is not None
    return state.seats[state.chef]


def _step_one(state: State, verb: str, args: tuple[int, ...]) -> None:
    if verb == "cup":
        old, new = square_at(state, args[0]), square_at(state, args[1])
        state.cups.remove(old)
        state.cups.add(new)
        state.moved.add(new)
        return
    if verb != "place":
        card = state.edition.action(verb)
        assert card is not None
        _chef(state).cards.remove(card)
        state.discards.append(card)
    if verb == "place":
        state.owed = False
    if verb in ("place", "stack", "spicy"):
        tile, square = args[0], square_at(state, args[1])
        state.pantry[tile] -= 1
        state.board[square].append(tile)
        state.laid[square].append(True)
    elif verb == "chop":
        square = square_at(state, args[0])
        state.pantry[state.board[square].pop()] += 1
        state.laid[square].pop()
    elif verb == "switch":
        _switch(state, args)
    state.moved = set()


def _switch(state: State, args: tuple[int, ...]) -> None:
    one, other = square_at(state, args[0]), square_at(state, args[1])
    cup_on_one, cup_on_other = one in state.cups, other in state.cups
    state.cups -= {one, other}
    if cup_on_one:
        state.cups.add(other)
    if cup_on_other:
        state.cups.add(one)
    state.board[one], state.board[other] = state.board[other], state.board[one]
    state.laid[one], state.laid[other] = state.laid[other], state.laid[one]


def _step_two(state: State, verb: str, args: tuple[int, ...]) -> None:
    seat = _chef(state)
    if state.phase == "play":
        state.owed = False
        state.moved = set()
        if verb == "serve":
            state.serving = True
        else:
            _forget_changes(state)
    if verb == "serve":
        _serve(state, args[0], args[1])
    elif verb == "done":
        state.serving = False
        _forget_changes(state)
        _draw_or_end(state, "restock")
    elif verb == "gain":
        state.display.remove(args[0])
        seat.cards.append(args[0])
        _refill(state)
    elif verb == "discard":
        seat.cards.remove(args[0])
        state.discards.append(args[0])
        _after_gain(state)
    elif verb == "pool":
        seat.cubes += state.pool
        state.pool = 1
        _end_turn(state)
    elif verb == "exchange":
        _return(state, seat, args)
        _draw_or_end(state, "exchange")
    elif verb == "draw":
        _draw(state, args[0])


def _serve(state: State, card: int, recipe: int) -> None:
    seat = _chef(state)
    cubes = best_cubes(state, recipe)
    assert cubes is not None
    seat.recipes.remove(card)
    seat.claimed.append((recipe, cubes))
    seat.points += state.edition.recipes[recipe].value
    seat.cubes += cubes
    if deck_of(card) == 2 and state.display:
        state.phase = "gain"
    else:
        state.phase = "serve"


def _return(state: State, seat: Seat, cards: tuple[int, ...]) -> None:
    for card in cards:
        seat.recipes.remove(card)
        state.decks[deck_of(card)].append(card)


def _draw(state: State, deck: int) -> None:
    seat = _chef(state)
    seat.recipes.append(state.decks[deck].pop(0))
    if state.phase == "restock":
        seat.cubes += state.edition.backs[deck].gain
        state.pool += state.edition.backs[deck].pool
    _draw_or_end(state, state.phase)


def _draw_or_end(state: State, phase: str) -> None:
    state.phase = phase
    if not can_draw(state):
        _end_turn(state)


def _refill(state: State) -> None:
    """Wait for a card to be turned up; go on if the display is full or no card remains to fill it."""
    if len(state.display) < state.edition.display:
        if not state.decks[1] and state.discards:
            state.epoch += 1
            state.decks[1] = [card_name(state.epoch, 1, place) for place in range(len(state.discards))]
            state.discards = []
        if state.decks[1]:
            state.phase = "refill"
            return
    if state.chef is None:
        _start_turn(state, next_playing(state, state.first))
    elif _chef(state).gone:
        _end_turn(state)
    elif len(_chef(state).cards) > state.edition.hand_cards:
        state.phase = "discard"
    else:
        _after_gain(state)


def _after_gain(state: State) -> None:
    if state.serving:
        state.phase = "serve"
    else:
        _end_turn(state)


def _forget_changes(state: State) -> None:
    state.shown = {}
    state.laid = {}


def _forget_turn(state: State) -> None:
    _forget_changes(state)
    state.moved = set()
    state.owed = False
    state.serving = False


def _start_turn(state: State, seat: int) -> None:
    _forget_turn(state)
    state.phase = "play"
    state.chef = seat
    state.turn += 1
    state.owed = True
    state.final.discard(seat)
    state.shown = {square: top(tiles) for square, tiles in state.board.items()}
    state.laid = {square: [False for _ in tiles] for square, tiles in state.board.items()}


def _end_turn(state: State) -> None:
    assert state.chef is not None
    if state.trigger is not None and not state.final:
        _end(state, state.trigger, leaders(state))
        return
    if state.trigger is None:
        if not empty_spaces(state):
            state.trigger = "board"
        elif not any(state.pantry.values()):
            state.trigger = "pantry"
        elif state.turn >= state.edition.last_turn:
            state.trigger = "turns"
        if state.trigger is not None:
            state.final = set(playing(state))
    _start_turn(state, next_playing(state, state.chef + 1))


def _end(state: State, ending: str, winners: list[int]) -> None:
    state.outcome = Outcome(ending, winners, scores(state))
    _forget_turn(state)
    state.phase = "over"
    state.chef = None


def _leave(state: State, number: int, *, renamed: bool) -> None:
    seat = state.seats[number]
    seat.gone = True
    state.discards += seat.cards
    seat.cards = []
    _return(state, seat, tuple(seat.recipes))
    state.final.discard(number)
    if renamed:
        state.epoch += 1
        for deck, cards in state.decks.items():
            state.decks[deck] = [card_name(state.epoch, deck, place) for place in range(len(cards))]
    left = playing(state)
    if len(left) == 1:
        _end(state, "abandoned", left)
    elif state.chef == number and state.phase != "refill":
        _end_turn(state)

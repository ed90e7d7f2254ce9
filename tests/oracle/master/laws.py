"""Laws of every position of the second edition, whatever was played."""

from collections import Counter

from tests.oracle.alike import changed, deck_of, playing
from tests.oracle.master.state import State, face_down


def broken(state: State) -> list[str]:
    """Return the laws that this state breaks."""
    laws = {
        "no tile comes or goes": _tiles_are_kept(state),
        "no action card comes or goes": len(face_down(state)) == len(state.decks[1]),
        "no recipe comes or goes": _recipes_are_kept(state),
        "no name is given twice": _names_differ(state),
        "one cup a player, each on a space without tiles": _cups_stand(state),
        "only cups are marked as moved, and only in Step 1": state.moved <= state.cups,
        "a score is what was served": _scores(state),
        "nobody keeps too many cards": _hands(state),
        "a leaver holds nothing and is not waited for": _leavers(state),
        "a tile is owed in Step 1 alone": not state.owed or state.phase == "play",
        "a final turn to come means a final round": state.trigger is not None or not state.final,
        "a full board or an empty pantry at the start of a turn means a final round": _triggered(state),
    }
    return [law for law, holds in laws.items() if not holds]


def _tiles_are_kept(state: State) -> bool:
    counts = Counter(state.pantry)
    for tiles in state.board.values():
        counts.update(tiles)
    expected = dict(enumerate(state.edition.tiles, start=1))
    return dict(counts) == expected and min(state.pantry.values()) >= 0


def _recipes_are_kept(state: State) -> bool:
    counts = Counter({deck: len(cards) for deck, cards in state.decks.items() if deck != 1})
    for seat in state.seats:
        counts.update(deck_of(card) for card in seat.recipes)
        counts.update(len(state.edition.strips[recipe]) for recipe, _ in seat.claimed)
    return +counts == Counter(len(strip) for strip in state.edition.strips)


def _names_differ(state: State) -> bool:
    names = [card for cards in state.decks.values() for card in cards]
    names += [card for seat in state.seats for card in seat.recipes]
    served = [recipe for seat in state.seats for recipe, _ in seat.claimed]
    return len(names) == len(set(names)) and len(served) == len(set(served))


def _cups_stand(state: State) -> bool:
    return len(state.cups) == len(state.edition.cups) and all(state.board[cup] == [] for cup in state.cups)


def _scores(state: State) -> bool:
    for seat in state.seats:
        if seat.points != sum(state.edition.recipes[recipe].value for recipe, _ in seat.claimed):
            return False
        if seat.cubes < sum(cubes for _, cubes in seat.claimed):
            return False
    return True


def _hands(state: State) -> bool:
    """Check hand sizes: a third card is kept until discarded, and the others may leave before that, ending the game."""
    over = [number for number, seat in enumerate(state.seats) if len(seat.cards) > state.edition.hand_cards]
    if state.phase == "over":
        return len(over) <= 1
    return over == [] or (over == [state.chef] and state.phase in ("refill", "discard"))


def _leavers(state: State) -> bool:
    for number, seat in enumerate(state.seats):
        if seat.gone and (seat.cards or seat.recipes or number in state.final or number == state.mover):
            return False
    return len(playing(state)) > 1 or state.phase == "over"


def _triggered(state: State) -> bool:
    """Check that a turn with nothing changed yet and its tile owed has a space and a tile, or is a final turn."""
    if state.phase != "play" or not state.owed or changed(state) or state.trigger is not None or state.turn == 1:
        return True
    spaces = [square for square, tiles in state.board.items() if not tiles and square not in state.cups]
    return bool(spaces) and any(state.pantry.values())

"""Names for the rare occasions that a comparison should meet."""

from tests.oracle.alike import Step, changed, square_at
from tests.oracle.classic import State
from tests.oracle.legal import due
from tests.oracle.state import empty_squares

EXPECTED = frozenset(
    {
        "a card that leaves its seat by exclusion is renamed",
        "a claim before this turn's tile",
        "a claim of what Chop! revealed",
        "a claim with style",
        "a Chop! that shows the same tile",
        "a Switch! that changes nothing",
        "a claim without style",
        "a deck is empty",
        "a discard before a pass",
        "a discard between claims",
        "a discard in Step 1",
        "a discard in Step 2",
        "a discard with room in hand and a card to take",
        "a leaver gives starting tiles",
        "a leaver ends the game: abandoned",
        "a leaver ends the game: board",
        "a leaver ends the game: passes",
        "a leaver fills a pile from which the mover must now take",
        "a leaver in another's turn",
        "a leaver in Step 1",
        "a leaver in Step 2",
        "a leaver draws the first recipes",
        "a pass with no recipe in hand",
        "a second tile by Spicy!",
        "a stack of three or more",
        "a tie on points decided by cubes",
        "a turn begins with no tile in hand",
        "a Wasabi! card comes off the board",
        "all decks are empty",
        "chopped and placed back on its square",
        "chopped and placed with no tile in hand",
        "chopped under a stack",
        "equal contents switched",
        "forgone",
        "rewards lapse",
        "Spicy!'s second tile not used",
        "Stack! used on an empty square",
        "the board is not full because a Wasabi! card was taken",
        "the pantry is empty in Step 2",
        "the win is shared",
        "the type just played is taken",
        "three claims in one turn",
        "two Wasabi! cards on the board",
    }
)


def occasions(before: State, step: Step, after: State) -> list[str]:
    """Return the occasions in this step."""
    found = _of_leaving(before, step, after) + _of_step_one(before, step, after) + _of_cards(before, step, after)
    found += _of_step_two(before, step, after) + _of_the_end(after)
    return found


def _of_leaving(before: State, step: Step, after: State) -> list[str]:
    verb, args = step
    if verb not in ("leave", "exclude"):
        return []
    found = []
    if verb == "exclude" and before.seats[args[0]].recipes:
        found.append("a card that leaves its seat by exclusion is renamed")
    if after.outcome is not None:
        found.append(f"a leaver ends the game: {after.outcome.ending}")
    if before.phase == after.phase == "restock" and before.mover == after.mover and due(before) != due(after):
        found.append("a leaver fills a pile from which the mover must now take")
    if args[0] != before.mover:
        found.append("a leaver in another's turn")
    else:
        names = {
            "give": "a leaver gives starting tiles",
            "draw": "a leaver draws the first recipes",
            "play": "a leaver in Step 1",
            "restock": "a leaver in Step 2",
        }
        found.append(names[before.phase])
    return found


def _of_step_one(before: State, step: Step, after: State) -> list[str]:
    verb, args = step
    if before.phase != "play" or before.mover is None:
        return []
    seat = before.seats[before.mover]
    found = []
    if verb == "claim":
        cubes = after.seats[before.mover].claimed[-1][1]
        found.append("a claim with style" if cubes else "a claim without style")
        if before.owed:
            found.append("a claim before this turn's tile")
        if before.rewards == 2:
            found.append("three claims in one turn")
        played = before.edition.actions[before.played].effect if before.played is not None else ""
        if played == "chop" and before.owed:
            found.append("a claim of what Chop! revealed")
    if verb == "pass" and not args:
        found.append("a pass with no recipe in hand")
    if verb == "place" and not before.owed:
        found.append("a second tile by Spicy!")
    if verb == "place" and before.stacking and not before.board[square_at(before, args[1])]:
        found.append("Stack! used on an empty square")
    if verb == "done" and before.extra:
        found.append("Spicy!'s second tile not used")
    if before.owed and before.played is None and not seat.tiles:
        found.append("a turn begins with no tile in hand")
    return found


def _of_cards(before: State, step: Step, after: State) -> list[str]:
    verb, args = step
    found = []
    if verb in ("chop", "switch"):
        squares = [square_at(before, number) for number in args]
        if verb == "switch" and before.board[squares[0]] == before.board[squares[1]]:
            found.append("equal contents switched")
        if verb == "switch" and not changed(before) and not changed(after) and after.phase == "play":
            found.append("a Switch! that changes nothing")
        if verb == "chop" and not changed(before) and not changed(after) and after.phase == "play":
            found.append("a Chop! that shows the same tile")
        if verb == "chop" and len(before.board[squares[0]]) > 1:
            found.append("chopped under a stack")
        if verb == "chop" and len(args) == 2 and args[0] == args[1]:
            found.append("chopped and placed back on its square")
        if verb == "chop" and before.mover is not None and not before.seats[before.mover].tiles and before.owed:
            found.append("chopped and placed with no tile in hand")
    if verb == "place" and any(len(tiles) > 2 for tiles in after.board.values()):
        found.append("a stack of three or more")
    if verb == "wasabi" and len(after.wasabi) > 1:
        found.append("two Wasabi! cards on the board")
    return found


def _of_step_two(before: State, step: Step, after: State) -> list[str]:
    verb, args = step
    found = []
    if verb == "done" and before.rewards and not any(before.kitchen) and not before.wasabi:
        found.append("rewards lapse")
    if verb == "discard" and before.mover is not None:
        found.append("a discard in Step 1" if before.phase == "play" else "a discard in Step 2")
        if before.phase == "play" and before.owed and before.played is None:
            found.append("a discard before a pass")
        if before.phase == "play" and before.rewards:
            found.append("a discard between claims")
        if due(before) == "reward" and len(before.seats[before.mover].cards) < before.edition.hand_cards:
            found.append("a discard with room in hand and a card to take")
    if verb == "take":
        if args[0] == before.played:
            found.append("the type just played is taken")
        if len(args) == 2:
            found.append("a Wasabi! card comes off the board")
            if not empty_squares(before) and empty_squares(after):
                found.append("the board is not full because a Wasabi! card was taken")
    if verb == "forgo":
        found.append("forgone")
    if before.phase == "restock" and not any(after.pantry.values()):
        found.append("the pantry is empty in Step 2")
    if before.phase in ("draw", "restock") and not all(after.decks.values()):
        found.append("a deck is empty")
    if before.phase in ("draw", "restock") and not any(after.decks.values()):
        found.append("all decks are empty")
    return found


def _of_the_end(after: State) -> list[str]:
    if after.outcome is None or after.outcome.ending not in ("board", "passes"):
        return []
    found = []
    best = max(after.outcome.scores[number] for number, seat in enumerate(after.seats) if not seat.gone)
    leaders = [n for n, seat in enumerate(after.seats) if not seat.gone and after.outcome.scores[n] == best]
    if len(after.outcome.winners) > 1:
        found.append("the win is shared")
    if len(after.outcome.winners) < len(leaders):
        found.append("a tie on points decided by cubes")
    return found

"""Names for the rare occasions that a comparison of the second edition should meet."""

from tests.oracle.alike import Step, changed, deck_of, square_at
from tests.oracle.master.legal import best_cubes
from tests.oracle.master.state import State, empty_spaces, tile_due

EXPECTED = frozenset(
    {
        "a board filled by the last tile of the pantry",
        "a card is gained by Prep",
        "a card is gained by serving",
        "a cup is moved twice in a turn",
        "a cup moves to where another one was",
        "a deck is empty",
        "a final turn is a leaver's",
        "a leaver after this turn's tile",
        "a leaver before this turn's tile",
        "a leaver ends the game: abandoned",
        "a leaver ends the game: board",
        "a leaver ends the game: pantry",
        "a leaver ends the game: turns",
        "a leaver in another's turn",
        "a leaver in the setup",
        "a leaver starts the final round",
        "a leaver while others' cards are turned up",
        "a reshuffle in the middle of serving",
        "a reshuffle of the discards",
        "a serve after Chop revealed a tile",
        "a serve after Switch with no tile placed",
        "a serve with style",
        "a serve without style",
        "a stack of three or more",
        "a tie on points decided by cubes",
        "a space is changed back",
        "a tile is laid on its like",
        "an exclusion renames a hand",
        "an exclusion while a card is to be turned up",
        "an exchange of all",
        "an exchange of none",
        "an exchange with nothing to draw",
        "Chop makes a tile due: board",
        "Chop makes a tile due: pantry",
        "chopped under a stack",
        "equal contents switched",
        "no tile is due: board",
        "no tile is due: pantry",
        "Spicy takes the last space from this turn's tile",
        "Spicy takes the last tile from this turn",
        "Stack takes the last tile from this turn",
        "stacked on a full board",
        "switched with a cup",
        "switched with an empty space",
        "the chef leaves in discard",
        "the chef leaves in exchange",
        "the chef leaves in gain",
        "the chef leaves in play",
        "the chef leaves in refill",
        "the chef leaves in restock",
        "the chef leaves in serve",
        "the display stays short",
        "the final round starts: board",
        "the final round starts: pantry",
        "the final round starts: turns",
        "the first player leaves in the setup",
        "the new card is discarded",
        "the reward lapses",
        "the same kind played twice in a turn",
        "the second card of a refill is turned up",
        "the win is shared",
        "there is nothing to draw after serving",
        "three served in a turn",
        "two served in a turn",
    }
)


def occasions(before: State, step: Step, after: State, earlier: list[Step]) -> list[str]:
    """Return the occasions in this step; `earlier` are the previous steps of the same turn."""
    found = _of_leaving(before, step, after) + _of_tiles(before, step, after)
    found += _of_cups_and_cards(before, step, earlier) + _of_the_way_to_serve(before, step, earlier)
    found += _of_serving(before, step, after) + _of_gaining(before, step, after) + _of_recipes(before, step, after)
    return found + _of_the_end(before, after)


def _of_leaving(before: State, step: Step, after: State) -> list[str]:
    verb, args = step
    if verb not in ("leave", "exclude"):
        return []
    found = []
    if verb == "exclude" and before.seats[args[0]].recipes:
        found.append("an exclusion renames a hand")
    if verb == "exclude" and before.phase == after.phase == "refill":
        found.append("an exclusion while a card is to be turned up")
    if after.outcome is not None:
        found.append(f"a leaver ends the game: {after.outcome.ending}")
    elif after.trigger != before.trigger:
        found.append("a leaver starts the final round")
    elif before.trigger is not None and args[0] in before.final:
        found.append("a final turn is a leaver's")
    if before.chef is None:
        found.append("a leaver in the setup")
        if args[0] == before.first:
            found.append("the first player leaves in the setup")
    elif args[0] == before.chef:
        found.append(f"the chef leaves in {before.phase}")
        if before.phase == "play":
            found.append(f"a leaver {'before' if before.owed else 'after'} this turn's tile")
    else:
        found.append("a leaver in another's turn")
        if before.phase == "refill":
            found.append("a leaver while others' cards are turned up")
    return found


def _of_tiles(before: State, step: Step, after: State) -> list[str]:
    verb, args = step
    found = []
    if verb == "spicy" and tile_due(before) and not tile_due(after):
        found.append("Spicy takes the last tile from this turn" if empty_spaces(after) else "")
        found.append("Spicy takes the last space from this turn's tile" if any(after.pantry.values()) else "")
    if len(changed(after)) < len(changed(before)) and after.phase == "play" and after.turn == before.turn:
        found.append("a space is changed back")
    if verb == "stack":
        if args[0] == before.board[square_at(before, args[1])][-1]:
            found.append("a tile is laid on its like")
        if tile_due(before) and not tile_due(after):
            found.append("Stack takes the last tile from this turn")
        if not empty_spaces(before):
            found.append("stacked on a full board")
        if len(after.board[square_at(after, args[1])]) > 2:
            found.append("a stack of three or more")
    if verb == "chop":
        if len(before.board[square_at(before, args[0])]) > 1:
            found.append("chopped under a stack")
        if tile_due(after) and not tile_due(before):
            found.append(f"Chop makes a tile due: {'pantry' if empty_spaces(before) else 'board'}")
    if before.phase == "play" and before.owed and not after.owed and verb in ("serve", "gain", "pool", "exchange"):
        found.append(f"no tile is due: {'pantry' if empty_spaces(before) else 'board'}")
    return [name for name in found if name]


def _of_cups_and_cards(before: State, step: Step, earlier: list[Step]) -> list[str]:
    verb, args = step
    found = []
    if verb in ("chop", "spicy", "stack", "switch") and verb in [one for one, _ in earlier]:
        found.append("the same kind played twice in a turn")
    if verb == "cup":
        moves = [one_args for one, one_args in earlier if one == "cup"]
        if args[0] in [to for _, to in moves]:
            found.append("a cup is moved twice in a turn")
        if args[1] in [came_from for came_from, _ in moves]:
            found.append("a cup moves to where another one was")
    squares = [square_at(before, number) for number in args] if verb in ("cup", "switch") else []
    if verb == "switch":
        one, other = (before.board[square] for square in squares)
        if one == other:
            found.append("equal contents switched")
        elif any(square in before.cups for square in squares):
            found.append("switched with a cup")
        elif not one or not other:
            found.append("switched with an empty space")
    return found


def _of_the_way_to_serve(before: State, step: Step, earlier: list[Step]) -> list[str]:
    if step[0] != "serve":
        return []
    found = []
    verbs = [verb for verb, _ in earlier]
    if "switch" in verbs and not any(verb in verbs for verb in ("place", "stack", "spicy")):
        found.append("a serve after Switch with no tile placed")
    chopped = [square_at(before, args[0]) for verb, args in earlier if verb == "chop"]
    if any(changed(before) == [square] for square in chopped):
        found.append("a serve after Chop revealed a tile")
    return found


def _of_serving(before: State, step: Step, after: State) -> list[str]:
    verb, args = step
    if verb != "serve":
        return []
    assert before.chef is not None
    found = []
    if deck_of(args[0]) > 2:
        cubes = best_cubes(before, args[1])
        found.append("a serve with style" if cubes else "a serve without style")
    elif after.phase == "serve":
        found.append("the reward lapses")
    if before.phase == "serve":
        found.append("two served in a turn")
    if len(before.seats[before.chef].recipes) == 1 and before.edition.hand_recipes > 2:
        found.append("three served in a turn")
    return found


def _of_gaining(before: State, step: Step, after: State) -> list[str]:
    verb, args = step
    found = []
    if verb == "gain":
        found.append("a card is gained by Prep" if before.phase == "play" else "a card is gained by serving")
        if len(after.display) < after.edition.display and after.phase != "refill":
            found.append("the display stays short")
    if verb in ("gain", "turn") and after.epoch > before.epoch:
        found.append("a reshuffle of the discards")
        if before.serving:
            found.append("a reshuffle in the middle of serving")
    if verb == "turn" and before.chef is not None and after.phase == "refill":
        found.append("the second card of a refill is turned up")
    if verb == "discard" and before.chef is not None and before.seats[before.chef].cards[-1] == args[0]:
        found.append("the new card is discarded")
    return found


def _of_recipes(before: State, step: Step, after: State) -> list[str]:
    verb, args = step
    found = []
    if verb == "exchange" and not args:
        found.append("an exchange of none")
    if verb == "exchange" and before.chef is not None and len(args) == len(before.seats[before.chef].recipes) > 1:
        found.append("an exchange of all")
    if verb == "exchange" and after.phase != "exchange":
        found.append("an exchange with nothing to draw")
    if verb == "done" and after.phase != "restock":
        found.append("there is nothing to draw after serving")
    if verb == "draw" and not all(cards for deck, cards in after.decks.items() if deck != 1):
        found.append("a deck is empty")
    return found


def _of_the_end(before: State, after: State) -> list[str]:
    found = []
    if after.trigger is not None and before.trigger is None:
        found.append(f"the final round starts: {after.trigger}")
        if after.trigger == "board" and not any(after.pantry.values()):
            found.append("a board filled by the last tile of the pantry")
    if after.outcome is None or after.outcome.ending == "abandoned":
        return found
    best = max(after.outcome.scores[number] for number, seat in enumerate(after.seats) if not seat.gone)
    leaders = [n for n, seat in enumerate(after.seats) if not seat.gone and after.outcome.scores[n] == best]
    if len(after.outcome.winners) > 1:
        found.append("the win is shared")
    if len(after.outcome.winners) < len(leaders):
        found.append("a tie on points decided by cubes")
    return found

"""Counts that a position must have to arise in a game: tiles for its turns, cards for its recipes, cubes and pool."""

from __future__ import annotations

from collections import Counter

from wasabi_tx.engine.board import stack_tiles
from wasabi_tx.engine.editions.classic.position import ClassicPosition
from wasabi_tx.engine.editions.master.position import MasterPosition
from wasabi_tx.engine.position import Position
from wasabi_tx.engine.rules import AnyRules


def faults(rules: AnyRules, position: Position) -> list[str]:
    """Return why the counts of a position at the beginning of a turn cannot arise; nothing if they can."""
    found = [*_common(rules, position)]
    if isinstance(position, ClassicPosition):
        found += _classic(rules, position)
    if isinstance(position, MasterPosition):
        found += _master(rules, position)
    return found


def _turns(position: Position, seat: int) -> int:
    """Return how many turns a seat has had before this one."""
    players = len(position.seats)
    return (position.turn - 1 + players - 1 - (seat - position.first) % players) // players


def _tiles(position: Position) -> int:
    return sum(len(stack_tiles(stack)) for stack in position.board.stacks)


def _common(rules: AnyRules, position: Position) -> list[str]:
    edition, found = rules.edition, []
    players = len(position.seats)
    if position.mover != (position.first + position.turn - 1) % players:
        found.append("another seat is to move")
    for number, seat in enumerate(position.seats):
        tiles, recipes = edition.hand_tiles - len(seat.tiles), edition.hand_recipes - len(seat.recipes)
        if min(tiles, recipes) < 0 or (tiles and any(position.pantry)) or (recipes and any(position.decks)):
            found.append(f"seat {number + 1}: hand")
        if len(seat.cards) > edition.hand_cards:
            found.append(f"seat {number + 1}: more cards than a hand holds")
        if seat.claimed and not _turns(position, number):
            found.append(f"seat {number + 1}: recipes before a turn")
        if any(one.cubes not in (0, edition.recipes[one.recipe].style) for one in seat.claimed):
            found.append(f"seat {number + 1}: style")
    claimed = [one.recipe for seat in position.seats for one in seat.claimed]
    if len(set(claimed)) < len(claimed):
        found.append("a recipe completed twice")
    return found


def _classic(rules: AnyRules, position: ClassicPosition) -> list[str]:
    edition, found = rules.edition, []
    players = len(position.seats)
    spent = [len(seat.claimed) - len(seat.cards) for seat in position.seats]
    for number, (seat, played) in enumerate(zip(position.seats, spent, strict=True)):
        if played < 0:
            found.append(f"seat {number + 1}: more cards than recipes completed")
        by_wasabi = seat.cubes - sum(one.cubes for one in seat.claimed)
        if not 0 <= by_wasabi <= min(max(played, 0), _turns(position, number)):
            found.append(f"seat {number + 1}: cubes")
        lengths = Counter(edition.recipes[one.recipe].length for one in seat.claimed)
        if any(lengths[token.length] > token.count for token in edition.tokens):
            found.append(f"seat {number + 1}: tokens")
    if len(position.covers) > sum(max(0, one) for one in spent):
        found.append("more Wasabi! cards than were played")
    if len(position.covers) > sum(seat.cubes - sum(one.cubes for one in seat.claimed) for seat in position.seats):
        found.append("a Wasabi! card without its cube")
    held = Counter(card for seat in position.seats for card in seat.cards)
    held[next(number for number, one in enumerate(edition.actions) if one.effect == "wasabi")] += len(position.covers)
    if any(held[number] > action.counts[players] for number, action in enumerate(edition.actions)):
        found.append("more cards of a kind than there are")
    # A turn lays one tile, or none if its seat passes, and Spicy! one more.
    if _tiles(position) > position.turn - 1 + sum(max(0, one) for one in spent) - len(position.covers):
        found.append("more tiles than turns")
    return found


def _master(rules: AnyRules, position: MasterPosition) -> list[str]:
    edition, found = rules.edition, []
    setup = edition.setup
    assert setup is not None
    players, turns = len(position.seats), position.turn - 1
    claims = sum(len(seat.claimed) for seat in position.seats)
    starting = setup.wasabi[players]
    backs = max(deck.pool for deck in edition.decks)
    gains = max(deck.gain for deck in edition.decks)
    if not setup.pool <= position.pool <= setup.pool + backs * claims:
        found.append("pool")
    free_preps = 0
    for number, seat in enumerate(position.seats):
        had = _turns(position, number)
        short = sum(edition.recipes[one.recipe].length == 2 for one in seat.claimed)
        preps = had - bool(seat.claimed)
        if len(seat.cards) > short + preps:
            found.append(f"seat {number + 1}: cards")
        free_preps += max(0, preps - max(0, len(seat.cards) - short))
        certain = starting[(number - position.first) % players] + sum(one.cubes for one in seat.claimed)
        if seat.cubes < certain:
            found.append(f"seat {number + 1}: fewer cubes than they were given")
    certain = sum(starting) + sum(one.cubes for seat in position.seats for one in seat.claimed)
    cubes = sum(seat.cubes for seat in position.seats) + position.pool
    if cubes > certain + setup.pool * (1 + free_preps) + claims * (backs + gains):
        found.append("more cubes than they were given")
    # A turn lays one tile as long as there is room. Spicy and Stack lay one more, Chop takes one away; a card that was
    # played lies in the discards until these are shuffled into the deck again.
    if not position.epoch and not position.trigger:
        discards = dict(enumerate(position.discards))
        effects = {action.effect: discards.get(number, 0) for number, action in enumerate(edition.actions)}
        more = _tiles(position) - turns
        if not -effects["chop"] <= more <= effects["spicy"] + effects["stack"]:
            found.append("tiles for another number of turns")
    return found

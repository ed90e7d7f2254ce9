"""Judge the worth of a position of the first edition to one seat, in points."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from wasabi_tx.engine.editions.classic.flow import PASSES_A_SEAT
from wasabi_tx.engine.editions.classic.position import ClassicPosition
from wasabi_tx.engine.editions.classic.rules import ClassicRules
from wasabi_tx.engine.observe import Observation
from wasabi_tx.engine.position import Seat

from ..board_windows import Reading, windows_of
from ..exposure import Exposure
from ..prospects import Prospects
from ..taste import POINTS_ALONE, prizes
from .weights import Weights

Held = tuple[int, int]
"""A sealed card in hand and the recipe on it."""

CLEAR_LEAD = 8
"""Points of lead above which more adds no value."""


class Worth(NamedTuple):
    """A recipe in hand, and its value before it is complete."""

    length: int
    value: float


class Judge:
    """Evaluates positions that can follow one observation, caching everything that stays constant."""

    def __init__(self, observation: Observation, weights: Weights, guessed: Mapping[int, float] | None = None) -> None:
        """Prepare a judge; `guessed`, the worth of unseen recipes by length, is for a judge in haste."""
        rules, position, seat = observation.rules, observation.position, observation.seat
        assert isinstance(rules, ClassicRules)
        assert isinstance(position, ClassicPosition)
        assert seat is not None
        self.rules, self.position, self.number = rules, position, seat
        self.faces, self.weights, self.guessed = observation.faces, weights, guessed
        self.windows = windows_of(rules)
        self.recipes = rules.edition.recipes
        self.prizes = prizes(rules, weights.taste)
        self.cards = [weights.cards[action.effect] for action in rules.edition.actions]
        self.rivals = [position.seats[n] for n in position.playing if n != seat]

    @cached_property
    def reading(self) -> Reading:
        """The current board."""
        return Reading(self.windows, self.position.board)

    @cached_property
    def exposure(self) -> Exposure | None:
        power = self.weights.exposure
        board, grid = self.position.board, self.rules.grid
        return Exposure(self.windows, grid, board, len(self.rivals), power) if power else None

    def prospects(
        self, position: ClassicPosition, hand: Sequence[int], free: int, fetching: bool, own: bool = True
    ) -> Prospects:
        """Return the prospects of a hand; a rival's are judged by points alone, since its taste is unknown."""
        players, odds = len(self.rivals) + 1, self.weights.odds
        worth, exposure = (self.prizes, self.exposure) if own else (prizes(self.rules, POINTS_ALONE), None)
        return Prospects(self.windows, worth, odds, hand, position.pantry, free, players, fetching, exposure)

    def held(self, seat: Seat) -> list[Held]:
        """Return the seat's recipes that it could still claim: the face is known and a token remains."""
        faces = self.faces
        return [(c, faces[c]) for c in seat.recipes if c in faces and seat.tokens[self.windows.lengths[faces[c]]]]

    def worths(self, position: ClassicPosition, seat: Seat, fetching: bool) -> list[Worth]:
        """Return the present value of each recipe that the seat could still claim, in hand order."""
        free = position.board.free.count(1)
        prospects = self.prospects(position, seat.tiles, free, fetching)
        reading = self.reading if position.board is self.position.board else Reading(self.windows, position.board)
        return [Worth(self.windows.lengths[recipe], prospects.value(recipe, reading)) for _, recipe in self.held(seat)]

    def worth(self, position: ClassicPosition) -> float:
        """Return the value of a position in the middle or at the end of the seat's own turn."""
        seat = position.seats[self.number]
        if position.outcome is not None:
            return self.decided(seat)
        fetching = self.rules.wants_tile(position, seat)
        return self.total(position, seat, self.worths(position, seat, fetching), position.board.free.count(1))

    def total(
        self, position: ClassicPosition, seat: Seat, worths: Iterable[Worth], free: int, passes: int = 0
    ) -> float:
        """Add up the score, recipes in hand and to draw, cards in hand and to take, and how near the end is."""
        value = self.closing(position, seat, free, passes)
        tokens = list(seat.tokens)
        for length, worth in sorted(worths, key=lambda one: -one.value):
            if tokens[length]:
                tokens[length] -= 1
                value += worth
        value += self.drawn(tokens, self.rules.hand_recipes - len(seat.recipes))
        room = self.rules.edition.hand_cards - len(seat.cards)
        value += sum([self.cards[card] for card in seat.cards])
        return value + self._reward * min(position.rewards, room)

    def closing(self, position: ClassicPosition, seat: Seat, free: int, passes: int) -> float:
        """Return the score, adjusted by how good the lead is with this many free squares."""
        lead = seat.score - max(rival.score for rival in self.rivals)
        if (not free and not (position.rewards and position.covers)) or self.completes_run(passes):
            return self.decided(seat)
        return self.enjoyed(seat) + self.weights.lead * max(-CLEAR_LEAD, min(lead, CLEAR_LEAD)) / (1 + free)

    def enjoyed(self, seat: Seat) -> float:
        """Return the score plus what the seat's taste adds for its completed recipes."""
        return seat.score + self.weights.taste.enjoyed(seat.claimed, self.recipes)

    def completes_run(self, passes: int) -> bool:
        """Return whether this number of consecutive passes ends the game."""
        return passes >= PASSES_A_SEAT * (len(self.rivals) + 1)

    def decided(self, seat: Seat) -> float:
        """Return the value of the finished game: won, drawn or lost."""
        if not any(seat.tokens):
            return self.enjoyed(seat) + self.weights.win
        own = (seat.score, seat.cubes)
        best = max((rival.score, rival.cubes) for rival in self.rivals)
        return self.enjoyed(seat) + self.weights.win * ((own > best) - (own < best))

    def leads(self, seat: Seat) -> bool:
        """Return whether the seat would be the sole winner if the game ended now."""
        return all((seat.score, seat.cubes) > (rival.score, rival.cubes) for rival in self.rivals)

    @cached_property
    def _reward(self) -> float:
        """The approximate worth of a card still to be taken."""
        there = [self.cards[card] for card, count in enumerate(self.position.kitchen) if count]
        return max(there, default=0.0)

    @cached_property
    def fresh(self) -> dict[int, float]:
        """The average worth of an unseen recipe to the seat, by length, for decks that still have cards."""
        position, seat = self.position, self.position.seats[self.number]
        if self.guessed is not None:
            return {length: worth for length, worth in self.guessed.items() if position.decks[length]}
        seen = {done.recipe for other in position.seats for done in other.claimed} | set(self.faces.values())
        free = position.board.free.count(1)
        prospects = self.prospects(position, seat.tiles, free, fetching=False)
        averages = {}
        for length in self.rules.edition.lengths:
            unseen = [recipe for recipe in self.rules.edition.deck_faces(length) if recipe not in seen]
            if unseen and position.decks[length]:
                total = sum([prospects.value(recipe, self.reading) for recipe in unseen])
                averages[length] = self.weights.fresh * total / len(unseen)
        return averages

    def drawn(self, tokens: list[int], count: int) -> float:
        """Return what drawing `count` recipes well adds; tokens reserved for recipes in hand do not count."""
        tokens, value = tokens.copy(), 0.0
        for _ in range(count):
            wanted = [(worth, length) for length, worth in self.fresh.items() if tokens[length]]
            if not wanted:
                break
            worth, length = max(wanted)
            tokens[length] -= 1
            value += worth
        return value

"""Judge the worth of a position of the second edition to one seat, in points."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

from wasabi_tx.engine.editions.master.position import MasterPosition
from wasabi_tx.engine.editions.master.rules import MasterRules
from wasabi_tx.engine.observe import Observation
from wasabi_tx.engine.position import Seat

from ..board_windows import Reading, windows_of
from ..exposure import Exposure
from ..prospects import Odds, Prospects
from ..taste import POINTS_ALONE, prizes
from .weights import Weights

Guesses = Mapping[Odds, Mapping[int, float]]
"""The average worth of unseen recipes, by the odds used to judge them and by length."""

Held = tuple[int, int]
"""A sealed card in hand and the recipe on it."""

CLEAR_LEAD = 10
"""Points of lead above which more adds no value."""


class Judge:
    """Evaluates positions that can follow one observation, caching everything that stays constant."""

    def __init__(self, observation: Observation, weights: Weights, guessed: Guesses | None = None) -> None:
        """Prepare a judge; `guessed` is for a judge in haste."""
        rules, position, seat = observation.rules, observation.position, observation.seat
        assert isinstance(rules, MasterRules)
        assert isinstance(position, MasterPosition)
        assert seat is not None
        self.rules, self.position, self.number = rules, position, seat
        self.faces, self.weights, self.guessed = observation.faces, weights, guessed
        self.windows = windows_of(rules)
        self.recipes = rules.edition.recipes
        self.prizes = prizes(rules, weights.taste)
        self.cards = [weights.cards[action.effect] for action in rules.edition.actions]
        self.rivals = [position.seats[n] for n in position.playing if n != seat]
        self.last_turn = bool(position.trigger) and not position.finals >> seat & 1
        """True if only what is scored now still counts."""

    @property
    def seat(self) -> Seat:
        return self.position.seats[self.number]

    @cached_property
    def reading(self) -> Reading:
        """The current board; cups are ignored, since they can be moved."""
        return Reading(self.windows, self.position.board, movable=True)

    def held(self, seat: Seat) -> list[Held]:
        """Return the seat's recipes whose face is known."""
        return [(card, self.faces[card]) for card in seat.recipes if card in self.faces]

    @cached_property
    def exposure(self) -> Exposure | None:
        power = self.weights.exposure
        board, grid = self.position.board, self.rules.grid
        return Exposure(self.windows, grid, board, len(self.rivals), power) if power else None

    def prospects(self, position: MasterPosition, free: int, odds: Odds | None = None, own: bool = True) -> Prospects:
        """Return the prospects of a hand; rivals' are judged by points alone, since their taste is unknown."""
        players, odds = len(self.rivals) + 1, odds or self.weights.odds
        worth, exposure = (self.prizes, self.exposure) if own else (prizes(self.rules, POINTS_ALONE), None)
        return Prospects(self.windows, worth, odds, (), position.pantry, free, players, True, exposure)

    def worths(self, position: MasterPosition, seat: Seat) -> dict[int, float]:
        """Return the value of each recipe in hand before it is complete, by card."""
        if self.last_turn:
            return dict.fromkeys(seat.recipes, 0.0)
        prospects = self.prospects(position, position.board.free.count(1))
        reading = Reading(self.windows, position.board, movable=True)
        return {card: prospects.value(recipe, reading) for card, recipe in self.held(seat)}

    def total(self, seat: Seat, worths: Iterable[float], free: int) -> float:
        """Add up the score, the recipes and action cards in hand, and how good a lead is with this many free spaces."""
        lead = seat.score - max(rival.score for rival in self.rivals)
        enjoyed = seat.score + self.weights.taste.enjoyed(seat.claimed, self.recipes)
        value = enjoyed + self.weights.lead * max(-CLEAR_LEAD, min(lead, CLEAR_LEAD)) / (1 + free)
        if self.last_turn:
            return value
        return value + sum(worths) + sum([self.cards[card] for card in seat.cards])

    def card_gain(self, seat: Seat, card: int) -> float:
        """Return what taking this card adds; a full hand gives up its least useful one."""
        if self.last_turn:
            return 0.0
        cards = sorted(self.cards[one] for one in (*seat.cards, card))
        full = len(cards) > self.rules.hand_cards
        return self.cards[card] - (cards[0] if full else 0.0)

    @cached_property
    def reward(self) -> float:
        """The most that taking a card of the display adds."""
        return max((self.card_gain(self.seat, card) for card in self.position.display), default=0.0)

    @cached_property
    def fresh(self) -> dict[int, float]:
        """The worth of an unseen recipe beside those in hand, by length, for decks that still have cards."""
        return {length: self.weights.fresh * worth for length, worth in self.averages(self.weights.odds).items()}

    @cached_property
    def promised(self) -> dict[int, float]:
        """The promise of an unseen recipe to a player who draws anyway and only chooses the length, by length."""
        return self.averages(self.weights.drawing)

    def averages(self, odds: Odds) -> dict[int, float]:
        """Return the average worth of an unseen recipe, by length, for decks that still have cards."""
        position = self.position
        if self.guessed is not None:
            guesses = self.guessed[odds].items()
            return {length: 0.0 if self.last_turn else worth for length, worth in guesses if position.decks[length]}
        seen = {done.recipe for other in position.seats for done in other.claimed} | set(self.faces.values())
        prospects = self.prospects(position, position.board.free.count(1), odds)
        averages = {}
        for length in self.rules.edition.lengths:
            unseen = [recipe for recipe in self.rules.edition.deck_faces(length) if recipe not in seen]
            if unseen and position.decks[length]:
                total = sum([prospects.value(recipe, self.reading) for recipe in unseen])
                averages[length] = 0.0 if self.last_turn else total / len(unseen)
        return averages

    def obeyed(self, length: int) -> float:
        """Return what the back of a drawn recipe brings, less what it puts in the pool for others."""
        back = self.rules.backs[length]
        return back.gain - self.weights.shared * back.pool

    @cached_property
    def drawn(self) -> float:
        """The worth of a recipe drawn after serving, if its length is chosen well."""
        return max((worth + self.obeyed(length) for length, worth in self.fresh.items()), default=0.0)

    @cached_property
    def exchanged(self) -> float:
        """The worth of a recipe drawn in an exchange, if its length is chosen well."""
        return max(self.fresh.values(), default=0.0)

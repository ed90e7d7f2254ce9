"""The view of the classic edition: the kitchen, Wasabi! cards on the board, runs of passes."""

from __future__ import annotations

from ...engine.edition import Recipe
from ...engine.editions.classic.flow import PASSES_A_SEAT
from ...engine.editions.classic.position import ClassicPosition
from ...engine.observe import Observation
from ...engine.position import Position
from ...engine.rules import AnyRules
from ...engine.step import Step
from ...text import Texts
from ..table.defaults import Default, draw_default, draw_drawback, gift_default, own_seat, tile_default
from .edition_view import FORGO, KitchenView, Stock, kitchen_card


class ClassicSight:
    cover = "wasabi"

    def stocks(self, observation: Observation, texts: Texts) -> list[Stock]:
        rules, position = observation.rules, observation.position
        assert isinstance(position, ClassicPosition)
        there = [(rules.card_code(card), count) for card, count in enumerate(position.kitchen) if count]
        kitchen = " ".join(code + (str(count) if count > 1 else "") for code, count in there) or "-"
        stocks = [Stock(texts.say("table.kitchen"), kitchen)]
        if position.covers:
            squares = " ".join(rules.grid.names[square] for square in position.covers)
            card = next(n for n, action in enumerate(rules.edition.actions) if action.effect == "wasabi")
            stocks.append(Stock(texts.say("table.wasabi"), squares, rules.card_code(card)))
        return stocks

    def kitchen(self, observation: Observation, texts: Texts) -> KitchenView:
        rules, position = observation.rules, observation.position
        assert isinstance(position, ClassicPosition)
        covers = [rules.grid.names[square] for square in position.covers]
        cards = []
        for number, count in enumerate(position.kitchen):
            lies = covers if rules.edition.actions[number].effect == "wasabi" else ()
            cards.append(kitchen_card(rules, number, count, texts, lies))
        return KitchenView(texts.say("table.kitchen"), tuple(cards))

    def gives_card(self, _recipe: Recipe) -> bool:
        return False

    def bonus(self, rules: AnyRules, position: Position, step: Step, texts: Texts) -> str:
        return f" ({against})" if (against := draw_drawback(rules, position, step, texts)) else ""

    def notices(self, position: Position, texts: Texts) -> list[str]:
        assert isinstance(position, ClassicPosition)
        seats = len(position.playing)
        if position.passes < seats or position.outcome is not None:
            return []
        return [texts.say("notice.passes", passes=position.passes, most=PASSES_A_SEAT * seats)]

    def default(self, observation: Observation, slot: str, texts: Texts) -> Default | None:
        match slot:
            case "gift":
                return gift_default(observation, texts)
            case "tile":
                return tile_default(observation, texts, "tile")
            case "recipe":
                return draw_default(observation, texts)
            case "card":
                return self._reward(observation, texts)
        return None

    def _reward(self, observation: Observation, texts: Texts) -> Default | None:
        """Choose a card of a kind not in hand, from the kitchen before the board; with a full hand, forgo it."""
        legal = observation.legal()
        if FORGO in legal:
            return Default(FORGO, texts.say("why.hand-full"))
        held = own_seat(observation).cards
        takes = [step for step in legal if step.verb == "take"]
        if not takes:
            return None
        best = min(takes, key=lambda step: (step.args[0] in held, len(step.args), step))
        key = "why.another" if best.args[0] in held else "why.not-held"
        return Default(best, texts.say(key))

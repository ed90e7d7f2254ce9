"""The view of the master edition: the display of action cards, the pool, cups, the final round."""

from __future__ import annotations

from ...engine.edition import Recipe
from ...engine.editions.master.position import ACTIONS, MasterPosition
from ...engine.editions.master.steps import ACTION_LENGTH
from ...engine.observe import Observation
from ...engine.position import Position
from ...engine.rules import AnyRules
from ...engine.step import Step
from ...text import Texts
from ..table.defaults import Default, draw_default, draw_drawback, own_seat
from .edition_view import KitchenView, Stock, kitchen_card


class MasterSight:
    cover = "cup"

    def stocks(self, observation: Observation, texts: Texts) -> list[Stock]:
        rules, position = observation.rules, observation.position
        assert isinstance(position, MasterPosition)
        display = " ".join(rules.card_code(card) for card in position.display) or "-"
        return [
            Stock(texts.say("table.display"), f"{display} (+{len(position.decks[ACTIONS])})"),
            Stock(texts.say("table.pool"), str(position.pool), texts.say("table.pool-short")),
        ]

    def kitchen(self, observation: Observation, texts: Texts) -> KitchenView:
        rules, position = observation.rules, observation.position
        assert isinstance(position, MasterPosition)
        cards = tuple(kitchen_card(rules, card, 1, texts) for card in position.display)
        return KitchenView(texts.say("panel.display"), cards, offered=True, pool=position.pool)

    def notices(self, position: Position, texts: Texts) -> list[str]:
        assert isinstance(position, MasterPosition)
        if not position.trigger or position.outcome is not None:
            return []
        return [texts.say("notice.final", cause=texts.say(f"trigger.{position.trigger}"))]

    def default(self, observation: Observation, slot: str, texts: Texts) -> Default | None:
        position = observation.position
        assert isinstance(position, MasterPosition)
        match slot:
            case "recipe":
                return draw_default(observation, texts)
            case "prep":
                return Default(Step("pool"), texts.say("why.pool", count=position.pool))
            case "card":
                return self._card(observation, "gain", texts)
            case "discard":
                return self._card(observation, "discard", texts)
        return None

    def gives_card(self, recipe: Recipe) -> bool:
        return recipe.length == ACTION_LENGTH

    def bonus(self, rules: AnyRules, position: Position, step: Step, texts: Texts) -> str:
        """Return the cubes of the pool, or the gains on the back of a recipe, which do not apply after an exchange."""
        assert isinstance(position, MasterPosition)
        if step.verb == "pool":
            return f" (+{position.pool})"
        against = draw_drawback(rules, position, step, texts)
        parts = [against] if against else []
        if step.verb == "draw" and position.phase != "exchange":
            back = next(back for back in rules.edition.decks if back.length == step.args[0])
            parts += [f"+{back.gain}"] if back.gain else []
            parts += [texts.say("prompt.to-pool", count=back.pool)] if back.pool else []
        return f" ({', '.join(parts)})" if parts else ""

    def _card(self, observation: Observation, verb: str, texts: Texts) -> Default | None:
        """Choose to take a card not in hand, or to discard one held twice."""
        cards = own_seat(observation).cards
        steps = [step for step in observation.legal() if step.verb == verb]
        if not steps:
            return None
        if verb == "discard":
            best = max(steps, key=lambda step: (cards.count(step.args[0]), -step.args[0]))
            return Default(best, texts.say("why.twice")) if cards.count(best.args[0]) > 1 else None
        best = min(steps, key=lambda step: (cards.count(step.args[0]), step))
        return Default(best, texts.say("why.another" if best.args[0] in cards else "why.not-held"))

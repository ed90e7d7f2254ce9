"""The interface between the views, which know no edition, and each edition's own piles and defaults."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from ...engine.edition import Recipe
from ...engine.observe import Observation
from ...engine.position import Position
from ...engine.rules import AnyRules
from ...engine.step import Step
from ...text import Texts

if TYPE_CHECKING:
    from ..turn.defaults import Default

FORGO = Step("forgo")
"""Offered with a full hand of cards, where a discard makes room for another one."""


@dataclass(frozen=True)
class Stock:
    """Something that lies beside the board: what it is called, and what is in it, in codes."""

    label: str
    items: str
    short: str = ""
    """A label for where there is no room for the other one."""


@dataclass(frozen=True)
class KitchenCard:
    """A kind of action card: how many lie there to be taken, or where one lies on the board."""

    number: int
    code: str
    name: str
    does: str
    count: int
    where: str = ""
    squares: str = ""
    """The squares alone, for where the words before them have no room."""


@dataclass(frozen=True)
class KitchenView:
    """The action cards that can be earned: the kitchen, or the display with its pool of cubes."""

    title: str
    cards: tuple[KitchenCard, ...]
    offered: bool = False
    """Whether the cards lie open in a row, one beside the other."""
    pool: int | None = None


class EditionView(Protocol):
    """Looks at positions of one edition."""

    @property
    def cover(self) -> str:
        """What blocks a square: `wasabi` or `cup`."""
        ...

    def stocks(self, observation: Observation, texts: Texts) -> list[Stock]:
        """What lies beside the board and is not in every edition."""
        ...

    def kitchen(self, observation: Observation, texts: Texts) -> KitchenView:
        """The action cards that can be earned."""
        ...

    def notices(self, position: Position, texts: Texts) -> list[str]:
        """What everybody should know now, such as that the end is near."""
        ...

    def default(self, observation: Observation, slot: str, texts: Texts) -> Default | None:
        """A sensible choice for a slot of the turn; None if there is none that suits everybody."""
        ...

    def gives_card(self, recipe: Recipe) -> bool:
        """Whether completing this recipe gives an action card and completing others does not."""
        ...

    def bonus(self, rules: AnyRules, position: Position, step: Step, texts: Texts) -> str:
        """What a step gives beside what it is called, or what speaks against it, in brackets; mostly nothing."""
        ...


def kitchen_card(rules: AnyRules, number: int, count: int, texts: Texts, squares: Sequence[str] = ()) -> KitchenCard:
    """An action card of the edition as a kitchen shows it."""
    action = rules.edition.actions[number]
    name = action.names[texts.language].partition(" (")[0]
    where = texts.say("kitchen.on", squares=", ".join(squares)) if squares else ""
    return KitchenCard(number, action.code, name, texts.say(f"does.{action.effect}"), count, where, " ".join(squares))

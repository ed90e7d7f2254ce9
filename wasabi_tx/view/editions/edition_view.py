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
    from ..table.defaults import Default

FORGO = Step("forgo")
"""Offered with a full hand of cards, where a discard makes room for another one."""


@dataclass(frozen=True)
class Stock:
    """A pile beside the board: its label, and its contents in codes."""

    label: str
    items: str
    short: str = ""
    """A shorter label for little room."""


@dataclass(frozen=True)
class KitchenCard:
    """A kind of action card: how many can be taken, or where one lies on the board."""

    number: int
    code: str
    name: str
    does: str
    count: int
    where: str = ""
    squares: str = ""
    """The squares alone, for little room."""


@dataclass(frozen=True)
class KitchenView:
    """The action cards that can be earned: the kitchen, or the display with its pool of cubes."""

    title: str
    cards: tuple[KitchenCard, ...]
    offered: bool = False
    """True if the cards lie face up in a row."""
    pool: int | None = None


class EditionView(Protocol):
    """The views of one edition's positions."""

    @property
    def cover(self) -> str:
        """The thing that blocks a square: `wasabi` or `cup`."""
        ...

    def stocks(self, observation: Observation, texts: Texts) -> list[Stock]:
        """Return the piles beside the board that not every edition has."""
        ...

    def kitchen(self, observation: Observation, texts: Texts) -> KitchenView:
        """Return the action cards that can be earned."""
        ...

    def notices(self, position: Position, texts: Texts) -> list[str]:
        """Return news for everybody, such as that the end is near."""
        ...

    def default(self, observation: Observation, slot: str, texts: Texts) -> Default | None:
        """Return a sensible choice for a slot of the turn, or None if none suits everybody."""
        ...

    def gives_card(self, recipe: Recipe) -> bool:
        """Return whether completing this recipe gives an action card while completing others does not."""
        ...

    def bonus(self, rules: AnyRules, position: Position, step: Step, texts: Texts) -> str:
        """Return the side effects of a step, or the case against it, in brackets; usually ""."""
        ...


def kitchen_card(rules: AnyRules, number: int, count: int, texts: Texts, squares: Sequence[str] = ()) -> KitchenCard:
    """Return an action card of the edition as a kitchen shows it."""
    action = rules.edition.actions[number]
    name = action.names[texts.language].partition(" (")[0]
    where = texts.say("kitchen.on", squares=", ".join(squares)) if squares else ""
    return KitchenCard(number, action.code, name, texts.say(f"does.{action.effect}"), count, where, " ".join(squares))

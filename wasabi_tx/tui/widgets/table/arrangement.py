"""The arrangement of a table: which panels there are in each shape, and the containers that `table.tcss` places."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from textual.containers import Container, Horizontal, HorizontalGroup, Vertical, VerticalGroup
from textual.widget import Widget

from .shape import Shape

Make = Callable[[str], Widget]
"""Makes the panel of a name."""


class Arrangement(NamedTuple):
    """The conditions that decide which panels there are, and in which containers."""

    shape: str
    kitchen: str
    hand: bool
    section: str
    guided: bool

    @property
    def told(self) -> str:
        """The panel that tells what is going on: the story, or in its place the guide of a lesson."""
        return "guide" if self.guided else "story"


def titled_when(shape: str, section: str) -> str:
    """Return when the story has a title; just above the bar every row is needed, so it may have none."""
    if shape == "tiny":
        return "always" if section == "log" else "never"
    return "roomy" if shape == "small" else "always"


def arrange(shape: Shape, arrangement: Arrangement, make: Make) -> Iterator[Widget]:
    """Yield the panels of a shape in their containers."""
    yield from _ARRANGED[shape.name](arrangement, make)


def _huge(arrangement: Arrangement, make: Make) -> Iterator[Widget]:
    beside_hand = arrangement.kitchen == "hand"
    own = ("hand", "kitchen") if beside_hand else ("hand",)
    side = ("players", "race", "talk") if beside_hand else ("players", "race", "kitchen", "talk")
    yield Horizontal(
        Vertical(
            Container(make("board"), id="place"), HorizontalGroup(*map(make, own), id="own"), make("completed"),
            id="left",
        ),
        Horizontal(
            Vertical(*map(make, ("recipes", "asked", arrangement.told)), id="middle"),
            Vertical(*map(make, side), id="side"),
            id="right",
        ),
        id="upper",
    )  # fmt: skip
    yield make("pantry")


def _large(arrangement: Arrangement, make: Make) -> Iterator[Widget]:
    own = ("hand", "kitchen") if arrangement.kitchen == "hand" else ("hand",)
    told, rest = make(arrangement.told), list[Widget]()
    if not arrangement.hand:
        rest = [told, make("completed"), make("pantry")]
    elif arrangement.kitchen == "pantry":
        rest = [HorizontalGroup(make("pantry"), make("kitchen"), id="stores"), told]
    elif arrangement.kitchen == "below":
        rest = [make("pantry"), make("kitchen"), told]
    else:
        rest = [make("pantry"), told]
    yield Horizontal(
        Vertical(
            Container(make("board"), id="place"), HorizontalGroup(*map(make, own), id="own"), make("race"), id="left"
        ),
        Vertical(*map(make, ("recipes", "asked", "players")), *rest, id="side"),
        id="upper",
    )


def _small(arrangement: Arrangement, make: Make) -> Iterator[Widget]:
    beside_hand = arrangement.kitchen == "hand"
    own = ("hand", "kitchen") if beside_hand else ("hand",)
    piles = ("decks",) if beside_hand else ("kitchen", "decks")
    yield HorizontalGroup(make("board"), Vertical(make("recipes"), make("players"), id="side"), id="upper")
    if not arrangement.guided:
        yield make("asked")
    yield HorizontalGroup(*map(make, own), id="own")
    yield make("pantry")
    yield HorizontalGroup(*map(make, piles), id="piles")
    yield make(arrangement.told)
    if not arrangement.guided:
        yield make("race")


def _tiny(arrangement: Arrangement, make: Make) -> Iterator[Widget]:
    if arrangement.section == "pantry":
        yield from map(make, ("pantry", "kitchen", "decks"))
    elif arrangement.section == "board":
        yield HorizontalGroup(make("board"), VerticalGroup(make("players"), make("hand"), id="side"), id="upper")
        yield make("recipes")
    if arrangement.guided or arrangement.section != "pantry":
        yield make(arrangement.told)


_ARRANGED = {"huge": _huge, "large": _large, "small": _small, "tiny": _tiny}

"""A scene is one moment as a table draws it: everything that its panels need, so that they never have to ask."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..engine.edition import Edition, Ingredient
from ..engine.rules import Rules
from ..view.log.chronicle import TurnEntry
from ..view.online.surroundings import Around
from ..view.table.table import Cell, TableView
from ..view.table.turn_row import Part
from ..view.turn.plan import Plan
from ..view.turn.prompt_choices import Question
from .tiles import Look

QUIET = Around()


@dataclass(frozen=True)
class Scene:
    rules: Rules[Any]
    view: TableView
    plan: Plan | None
    parts: Sequence[Part]
    question: Question
    wrong: bool
    since: Sequence[TurnEntry]
    last: frozenset[int]
    """Squares of the last move."""
    cursor: int | None
    lifted: bool
    """Whether covers and stacks are lifted to look under them."""
    typed: str
    line: str
    """What the line is for that is being typed: `talk`, `notation`, or nothing."""
    waiting: bool
    over: bool
    replayed: bool = False
    clock: str = ""
    """How long the present turn has taken, once it is worth telling."""
    around: Around = QUIET
    idle: frozenset[str] = frozenset()
    """Actions that this game does not offer."""


_KNOWN: dict[str, dict[str, Ingredient]] = {}


def ingredients(edition: Edition) -> dict[str, Ingredient]:
    """The ingredients of an edition by code; made once."""
    found = _KNOWN.get(edition.text)
    if found is None:
        found = _KNOWN[edition.text] = {one.code: one for one in edition.ingredients}
    return found


def looks_of(scene: Scene, language: str) -> tuple[Look, ...]:
    """Every square of the board."""
    plan = scene.plan
    squares = plan.squares if plan is not None else frozenset()
    holding = bool(squares)
    known = ingredients(scene.rules.edition)
    return tuple(
        _look(cell, scene, known, language, number in squares, holding, number)
        for number, cell in enumerate(scene.view.cells)
    )


def _look(
    cell: Cell, scene: Scene, known: dict[str, Ingredient], language: str, legal: bool, holding: bool, number: int
) -> Look:
    one = known[cell.codes[-1]] if cell.codes else None
    cover = "" if scene.lifted and cell.codes else cell.cover
    return Look(
        code=one.code if one else "",
        category=one.category if one else "",
        name="/".join(cell.codes[-2::-1])
        if scene.lifted and len(cell.codes) > 1
        else one.names[language]
        if one
        else "",
        emoji=one.emoji if one else "",
        below=cell.codes[:-1],
        cover=cover,
        legal=legal,
        quiet=holding and not legal,
        pending=cell.pending and scene.plan is not None,
        last=number in scene.last,
        author=0 if cell.author is None else cell.author + 1,
        cursor=number == scene.cursor,
    )

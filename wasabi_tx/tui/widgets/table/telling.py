"""Messages beside the board, shared between the row of questions, the story and the bar as they have room."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from rich.cells import cell_len

from ....text import Texts
from ....turn.action_bar import asking
from ....turn.prompt_choices import code_choice
from ....view.online.surroundings import sentence
from ...views.bar_view import bar_view
from ...views.moment import TableMoment
from ...views.panel_views import AskedView
from .action_bar import explains
from .asked import asked_fits
from .story import longest

Keys = Mapping[str, str]


class Telling(NamedTuple):
    """The room available for words."""

    shape: str
    bar: int
    """Columns of the bar."""
    asked: int
    """Columns of the row of questions; 0 if there is none."""
    kitchen: int
    """Rows of the kitchen; 0 if there is none."""
    has_room: Callable[[str], bool] | None
    """Returns True if a notice can be read whole in the story; None if there is none."""


class Told(NamedTuple):
    asked: AskedView
    notices: tuple[str, ...]
    plans: tuple[tuple[str, ...], ...]
    quiet: bool
    """True if the story shows what the bar has no room for."""


def share_words(moment: TableMoment, telling: Telling, keys: Keys, texts: Texts) -> Told:
    """Return which part shows which message; none is shown twice."""
    around, plans = moment.around, moment.plans
    told = [sentence(around.asked)] if around.asked else []
    told += [*around.notices, *moment.unplayed, *([moment.note] if moment.note else []), *moment.view.notices]
    answers = bool(around.asked) and "answer" not in moment.idle
    if not told and plans and telling.shape == "small":
        # Its story is short, and this row would be empty.
        told, plans = [longest(plans[0], telling.asked - 3)], plans[1:]
    first = told[0] if told else ""
    fits = telling.shape == "small" or asked_fits(first, answers, keys, texts, telling.asked)
    # What is too long for its row is told beside what happened; a question stays where its key is, too.
    asked = AskedView(first if fits or answers else "", answers)
    remark = _remark(moment, telling, texts)
    beside = remark or _explanation(moment, telling, keys, texts)
    notices = (*([beside] if beside else []), *(told[1:] if fits else told))
    return Told(asked, notices, plans, quiet=bool(remark))


def _remark(moment: TableMoment, telling: Telling, texts: Texts) -> str:
    """Return the latest remark to the person here, if it fits the story but not the bar."""
    plan = moment.plan
    if plan is None or not plan.message:
        return ""
    button = f" Enter  {bar_view(moment, texts).bar.button} "
    if cell_len(plan.message) + cell_len(button) <= telling.bar - 3:
        return ""
    return _first_fitting([" ".join(plan.said[:count]) for count in range(len(plan.said), 0, -1)], telling)


def _first_fitting(words: Sequence[str], telling: Telling) -> str:
    """Return the first of some words, the longest first, that the story has room for; nothing if none fits."""
    has_room = telling.has_room
    return next((one for one in words if has_room(one)), "") if has_room is not None else ""


def _explanation(moment: TableMoment, telling: Telling, keys: Keys, texts: Texts) -> str:
    """Return the effects of the cards on offer, if neither the bar nor the kitchen has room for them."""
    plan = moment.plan
    if plan is None or plan.begun or plan.moment.prompt.slot != "card":
        return ""
    shown = moment.view.kitchen.offered and telling.kitchen > 2
    if shown or explains(asking(plan, moment.question, None, texts), keys, telling.bar):
        return ""
    choices = (code_choice(plan, kind, number, texts) for kind, number in plan.offers)
    words = [f"{choice.label}: {choice.about}" for choice in choices if choice.about]
    return _first_fitting(["; ".join(words), *words[:1]], telling)

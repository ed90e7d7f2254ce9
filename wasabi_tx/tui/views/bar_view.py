"""The action bar of a table: it asks, answers, reports another player's move, or shows the line being typed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ...text import Texts
from ...text.marks import mark
from ...turn.action_bar import ActionBar, action_bar
from ...view.press import Do
from .moment import TableMoment
from .panel_views import last_turn

if TYPE_CHECKING:
    from ...lessons.guide import GuideView


@dataclass(frozen=True)
class BarView:
    bar: ActionBar
    seat: int = 0
    """The seat, from 1, whose turn or move it is; 0 while it is the bar of the person here."""
    remaining: float | None = None
    """The remaining share of the time for which another player's move is shown; None if none is shown."""
    typing: bool = False
    """True while a line is being typed after the lead."""


def bar_view(moment: TableMoment, texts: Texts, *, quiet: bool = False) -> BarView:
    """Return the bar; if `quiet`, the latest remark to the person here is shown elsewhere."""
    flash = moment.flash
    told = flash is not None and bool(flash.told)
    own = (moment.plan is not None and not told) or moment.replayed
    return BarView(
        _bar(moment, texts, quiet),
        0 if own else _mover(moment),
        flash.remaining if flash is not None and told else None,
        typing=bool(moment.line),
    )


def _mover(moment: TableMoment) -> int:
    """Return the seat whose move is shown, or whose turn it is."""
    if moment.flash is not None and moment.flash.told:
        return moment.flash.seat + 1
    return next((seat.number for seat in moment.view.seats if seat.to_move), 0)


def _bar(moment: TableMoment, texts: Texts, quiet: bool) -> ActionBar:
    if moment.line:
        return ActionBar(f"{texts.say('tui.talk-to')} " if moment.line == "talk" else ": ")
    if moment.flash is not None and moment.flash.told:
        return ActionBar("", told=moment.flash.told)
    if moment.guide is None:
        return _table_bar(moment, texts, quiet)
    return _guided_bar(moment, moment.guide, texts, quiet)


def _table_bar(moment: TableMoment, texts: Texts, quiet: bool) -> ActionBar:
    plan = moment.plan
    if plan is not None:
        bar = action_bar(plan, moment.question, moment.preview, texts, quiet=quiet)
        if moment.composing and plan.ready:
            lead = bar.lead if plan.message else texts.say("bar.planning", turn=plan.draft.base.position.turn)
            bar = ActionBar(lead, texts.say("bar.leave"), Do("send"), more=mark("muted", texts.say("bar.undo")))
        return bar
    question = moment.question
    default = next((choice for choice in question.choices if choice.default), None)
    others = tuple(choice for choice in question.choices if choice is not default)
    told: tuple[str, ...] = ()
    if moment.since and (moment.replayed or not moment.over) and not question.note:
        told = last_turn(moment, texts)
    label, press = (default.label, default.press) if default is not None else ("", None)
    return ActionBar(question.title, label, press, more=question.note, choices=others, told=told)


def _guided_bar(moment: TableMoment, guide: GuideView, texts: Texts, quiet: bool) -> ActionBar:
    """Return the bar of a lesson: a button only if Enter is asked for, and nothing that the guide says already."""
    said = moment.plan.message if moment.plan is not None else ""
    repeated = bool(said) and said in (guide.mistake, guide.words)
    bar = _table_bar(moment, texts, quiet or repeated)
    if guide.button is None:
        return bar
    if guide.button:
        asks = moment.plan is not None and (repeated or not said)
        return ActionBar("" if asks else bar.lead, guide.button, Do("accept"))
    # What Enter would have chosen is one choice among the others.
    choices = tuple(one for one in moment.question.choices if not (one.default and isinstance(one.press, Do)))
    return replace(bar, button="", press=None, more="", choices=choices)

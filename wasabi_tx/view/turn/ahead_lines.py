"""Turns ahead as lines: what was left for which turn, on which squares it counts, and why it was not played."""

from __future__ import annotations

from ...engine.errors import RulesError
from ...engine.observe import Observation
from ...table.ahead import Ahead, NotPlayed, TurnAhead
from ...text import Texts
from ..table.hand import Hand
from .step_groups import square_names, typed_form


def ahead_lines(ahead: Ahead, observation: Observation, hand: Hand, texts: Texts) -> tuple[str, ...]:
    """A line for each turn that was left, the next one first."""
    lines = []
    for alternatives in ahead.alternatives:
        for number, one in enumerate(alternatives):
            try:
                steps = observation.rules.parse(one.steps)
            except RulesError:
                lines.append(texts.say("ahead.unreadable"))
                continue
            words = "; ".join(
                typed_form(observation.rules, hand, step, texts)
                for step in steps
                if step.verb in observation.rules.slots
            )
            key = "ahead.or" if number else "ahead.left"
            lines.append(texts.say(key, turn=one.turn, steps=words) + " " + counts_on(one, observation, texts))
        if len(alternatives) > 1:
            lines.append(texts.say("ahead.otherwise"))
    return tuple(lines)


def counts_on(one: TurnAhead, observation: Observation, texts: Texts) -> str:
    """When it will be played."""
    grid = observation.rules.grid
    try:
        squares = [grid.parse_square(name) for name, _ in (*one.squares, *one.lines)]
    except RulesError:
        return ""
    if not squares:
        return texts.say("ahead.if-legal")
    return texts.say("ahead.if", squares=square_names(observation.rules, squares))


def say_not_played(why: NotPlayed, texts: Texts) -> str:
    """Why what was left for a turn was not played."""
    return texts.say(f"ahead.not-played-{why.code}", square=why.square)

"""The prompt of a turn: what is asked for now, its default and why, and what else can be done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from ...engine.notation import Kind
from ...engine.observe import Observation, observe
from ...engine.step import Step
from ...table.draft import Draft
from ...text import Texts
from ..editions import sight_of
from ..editions.edition_view import FORGO
from ..table.recipe import Completion
from ..table.recipe_progress import completions, openings
from .defaults import Default
from .partial_step import PartialStep, fitting, nexts


@dataclass(frozen=True)
class Prompt:
    slot: str
    """A slot of the rules, or `claim`, `extra`, `end` or `send`."""
    default: Default | None
    completions: tuple[Completion, ...] = ()
    """What can be completed now, if that is asked."""
    verbs: tuple[str, ...] = ()
    """All verbs that may be chosen, those after the end of this part of the turn included."""
    choices: tuple[Step, ...] = ()
    """The steps that fill this slot."""
    reveals: str = ""
    """What sending brings to light, so that nothing before it can be undone: a `recipe`, a `card` or nothing."""


def ask(draft: Draft, texts: Texts, declined: bool = False) -> Prompt:
    """The next question of a turn; `declined` leaves out completions that the player does not want now."""
    rules = draft.observation.rules
    if draft.complete:
        if draft.whole:
            return Prompt("send", None)
        if draft.steps[-1].verb in rules.learning:
            return Prompt("send", None, reveals="recipe")
        return Prompt("send", None, reveals="card" if rules.awaited(draft.position) is not None else "")
    observation = draft.observation
    legal = observation.legal()
    beyond = _beyond(draft)
    verbs = tuple(sorted({step.verb for step in [*legal, *(beyond.legal() if beyond else [])]}))
    claims = () if declined else tuple(completions(observation))
    if claims:
        return Prompt("claim", Default(claims[0].step, ""), claims, verbs)
    owed = rules.outlook(observation.position)
    places = tuple(step for step in legal if step.verb == "place")
    if places and "place" not in owed and not declined:
        return Prompt("extra", None, verbs=verbs, choices=places)
    ahead = owed or (rules.outlook(beyond.position) if beyond else [])
    if not ahead:
        bridge = draft.bridge()
        return Prompt("end", Default(bridge, "") if bridge else None, verbs=verbs)
    slot = ahead[0]
    from_here = {rules.slots.get(step.verb) for step in legal}
    view = observation if slot in from_here or beyond is None else beyond
    choices = tuple(step for step in view.legal() if rules.slots.get(step.verb) == slot)
    if FORGO in choices:
        choices += tuple(step for step in view.legal() if step.verb == "discard")
    return Prompt(slot, _default(view, slot, texts), verbs=verbs, choices=choices)


def _default(observation: Observation, slot: str, texts: Texts) -> Default | None:
    found = sight_of(observation.rules).default(observation, slot, texts)
    return found if found and found.step in observation.legal() else None


def _beyond(draft: Draft) -> Observation | None:
    """What the player would see after ending the present part of the turn, if the turn goes on then."""
    bridge = draft.bridge()
    if bridge is None:
        return None
    observation, position = draft.observation, draft.position
    after = observation.rules.apply(position, bridge)
    if observation.rules.closes(position, bridge, after):
        return None
    return replace(observe(observation.rules, after, observation.seat, observation.faces), faces=observation.faces)


def reachable(draft: Draft) -> list[Step]:
    """What may be chosen now, or after ending the present part of the turn."""
    beyond = _beyond(draft)
    return list(dict.fromkeys([*draft.legal(), *(beyond.legal() if beyond else [])]))


def lost_by(draft: Draft, step: Step) -> list[Completion]:
    """What could be completed now and could not any more after this step."""
    observation = draft.observation
    rules = observation.rules
    now = completions(observation)
    if not now or step.verb in rules.claiming or draft.complete:
        return []
    trial = Draft(observation)
    trial.add(step)
    if trial.complete:
        return now
    left = {one.recipe for one in completions(trial.observation)}
    return [one for one in now if one.recipe not in left]


class Moment:
    """What is asked at one state of a draft, worked out when somebody wants to know."""

    def __init__(self, draft: Draft, texts: Texts, declined: bool) -> None:
        self._draft = draft
        self._texts = texts
        self._declined = declined
        self._fitting: dict[PartialStep, list[Step]] = {}
        self._coming: dict[PartialStep, Mapping[Kind, Sequence[int]]] = {}

    @cached_property
    def prompt(self) -> Prompt:
        return ask(self._draft, self._texts, self._declined)

    @cached_property
    def steps(self) -> list[Step]:
        return reachable(self._draft)

    def fitting(self, begun: PartialStep) -> Sequence[Step]:
        """The steps that something begun can still become."""
        if begun not in self._fitting:
            self._fitting[begun] = fitting(self._draft.base.rules, self.steps, begun)
        return self._fitting[begun]

    def coming(self, begun: PartialStep) -> Mapping[Kind, Sequence[int]]:
        """What may come next to something begun, by kind."""
        if begun not in self._coming:
            self._coming[begun] = nexts(self._draft.base.rules, self.fitting(begun), begun)
        return self._coming[begun]

    @cached_property
    def opens(self) -> tuple[Step, Completion] | None:
        """The placement that completes what is worth most, and what that is; None if none completes anything."""
        return next(iter(openings(self._draft.observation)), None)

    @property
    def opening(self) -> Step | None:
        return self.opens[0] if self.opens is not None else None

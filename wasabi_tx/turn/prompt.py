"""The prompt of a turn: the question, its default and why, and what else can be done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from ..engine.notation import Kind
from ..engine.observe import Observation, observe
from ..engine.sealed_card import Card
from ..engine.step import Step
from ..games.draft import Draft
from ..text import Texts
from ..view.editions import sight_of
from ..view.editions.edition_view import FORGO
from ..view.press import OFF, SUGGEST
from ..view.table.defaults import Default, hopeless
from ..view.table.recipe import Completion
from ..view.table.recipe_progress import completions, openings
from .partial_step import CODES, PartialStep, fitting, nexts


@dataclass(frozen=True)
class Prompt:
    slot: str
    """A slot of the rules, or `claim`, `extra`, `end` or `send`."""
    default: Default | None
    completions: tuple[Completion, ...] = ()
    """Recipes that can be completed now, if that is asked."""
    verbs: tuple[str, ...] = ()
    """All verbs that may be chosen, including those after the end of this part of the turn."""
    choices: tuple[Step, ...] = ()
    """The steps that fill this slot."""
    reveals: str = ""
    """The kind of thing that sending reveals, so that nothing before it can be undone: `recipe`, `card` or empty."""
    goes_on: bool = False
    """True if the turn goes on after that."""


def ask(draft: Draft, texts: Texts, declined: bool = False, enter: str = SUGGEST) -> Prompt:
    """Return the next question of a turn; `declined` leaves out completions that the player does not want now.

    Its default depends on the setting `enter`.
    """
    rules = draft.observation.rules
    if draft.complete:
        if draft.whole:
            return Prompt("send", None)
        reveals = "card" if rules.awaited(draft.position) is not None else ""
        reveals = "recipe" if draft.steps[-1].verb in rules.learning else reveals
        before, after = draft.base.position, rules.without_chance(draft.position)
        return Prompt("send", None, reveals=reveals, goes_on=bool(reveals) and not rules.passes_on(before, after))
    observation = draft.observation
    legal = observation.legal()
    beyond = _beyond(draft)
    verbs = tuple(sorted({step.verb for step in [*legal, *(beyond.legal() if beyond else [])]}))
    claims = () if declined else tuple(completions(observation))
    if claims:
        return Prompt("claim", Default(claims[0].step, "") if enter != OFF else None, claims, verbs)
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
    default = _default(view, slot, texts) if enter == SUGGEST else None
    return Prompt(slot, default, verbs=verbs, choices=choices)


def _default(observation: Observation, slot: str, texts: Texts) -> Default | None:
    found = sight_of(observation.rules).default(observation, slot, texts)
    return found if found and found.step in observation.legal() else None


def _beyond(draft: Draft) -> Observation | None:
    """Return what the player would see after ending this part of the turn; None if the turn ends then."""
    bridge = draft.bridge()
    if bridge is None:
        return None
    observation, position = draft.observation, draft.position
    after = observation.rules.apply(position, bridge)
    if observation.rules.closes(position, bridge, after):
        return None
    return replace(observe(observation.rules, after, observation.seat, observation.faces), faces=observation.faces)


def reachable(draft: Draft) -> list[Step]:
    """Return the steps that may be chosen now, or after ending this part of the turn."""
    beyond = _beyond(draft)
    return list(dict.fromkeys([*draft.legal(), *(beyond.legal() if beyond else [])]))


def lost_by(draft: Draft, step: Step) -> list[Completion]:
    """Return the recipes that could be completed now but not after this step."""
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
    """The question at one state of a draft, worked out on demand."""

    def __init__(self, draft: Draft, texts: Texts, declined: bool, enter: str = SUGGEST) -> None:
        self._draft = draft
        self._texts = texts
        self._declined = declined
        self._enter = enter
        self._fitting: dict[PartialStep, list[Step]] = {}
        self._coming: dict[PartialStep, Mapping[Kind, Sequence[int]]] = {}
        self._offers: dict[PartialStep, Sequence[tuple[Kind, int]]] = {}

    @cached_property
    def prompt(self) -> Prompt:
        return ask(self._draft, self._texts, self._declined, self._enter)

    @cached_property
    def steps(self) -> list[Step]:
        return reachable(self._draft)

    def fitting(self, begun: PartialStep) -> Sequence[Step]:
        """Return the steps that a begun step can still become."""
        if begun not in self._fitting:
            self._fitting[begun] = fitting(self._draft.base.rules, self.steps, begun)
        return self._fitting[begun]

    def coming(self, begun: PartialStep) -> Mapping[Kind, Sequence[int]]:
        """Return what may come next in a begun step, by kind."""
        if begun not in self._coming:
            self._coming[begun] = nexts(self._draft.base.rules, self.fitting(begun), begun)
        return self._coming[begun]

    def offers(self, begun: PartialStep) -> Sequence[tuple[Kind, int]]:
        """Return the tiles and action cards that can be chosen by their codes, with or without a begun step."""
        if begun not in self._offers:
            found = self._coming_codes(begun) if begun else self._asked_codes()
            self._offers[begun] = [(kind, number) for kind, number in found if kind in CODES]
        return self._offers[begun]

    def _coming_codes(self, begun: PartialStep) -> list[tuple[Kind, int]]:
        return [(kind, number) for kind, numbers in self.coming(begun).items() for number in numbers]

    def _asked_codes(self) -> list[tuple[Kind, int]]:
        prompt, rules = self.prompt, self._draft.base.rules
        # Tiles in hand have numbers.
        if prompt.slot in ("place", "extra") and rules.edition.hand_tiles:
            return []
        steps = prompt.choices
        if prompt.slot == "prep":
            steps = (*steps, *(step for step in self.steps if step.verb == "gain"))
        return list(dict.fromkeys((rules.verbs[one.verb][0], one.args[0]) for one in steps if one.args))

    @cached_property
    def openings(self) -> tuple[tuple[Step, Completion], ...]:
        """Placements that complete something, with the completion; the best first."""
        return openings(self._draft.observation)

    @cached_property
    def hopeless(self) -> tuple[Card, ...]:
        """All recipes in hand, if none of them can be completed any more."""
        return hopeless(self._draft.observation)

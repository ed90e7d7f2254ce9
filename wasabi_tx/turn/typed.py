"""Steps as people type them: with or without the verb, codes in any case, names by prefix, numbers of the hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ..engine.errors import Illegal, Malformed, RulesError
from ..engine.notation import Kind
from ..engine.observe import Observation
from ..engine.rules import AnyRules
from ..engine.sealed_card import parse_card
from ..engine.step import Step
from ..games.draft import Draft
from ..text import Texts
from ..view.sentences import say_error
from ..view.table.hand import EMPTY, Hand, hand_of
from .plan import Plan
from .prompt import ask
from .step_groups import typed_form

Pattern = tuple[int | None, ...]
"""Arguments of a step; None for one that was left out."""

MOST_WORDS = 12
"""Most words that any step needs; the search for a meaning stays short."""

NAMED = ("cup", "discard")
"""Slots that a bare code never means, unless they are asked for: their verb has to be typed."""


class NotUnderstood(Exception):
    """The text means nothing here, or more than one thing; `steps` are its possible meanings."""

    def __init__(self, code: str, text: str, steps: Sequence[Step] = ()) -> None:
        super().__init__(code, text)
        self.code = code
        self.text = text
        self.steps = tuple(steps)


@dataclass(frozen=True)
class _Reader:
    """Finds what words can mean for one seat at one moment."""

    observation: Observation
    hand: Hand
    texts: Texts

    @property
    def rules(self) -> AnyRules:
        return self.observation.rules

    def patterns(self, verb: str, words: tuple[str, ...]) -> Iterator[Pattern]:
        """Yield every way to read all of the words as arguments of the verb; the last arguments may be left out."""
        kinds = self.rules.verbs[verb]
        if kinds and kinds[-1] is Kind.CARDS:
            yield from self._many(words, ())
        else:
            yield from self._next(verb, kinds, words)

    def _next(self, verb: str, kinds: tuple[Kind, ...], words: tuple[str, ...]) -> Iterator[Pattern]:
        if not kinds:
            if not words:
                yield ()
            return
        if not words:
            yield (None,) * len(kinds)
            return
        for count in range(1, len(words) + 1):
            for number in self.numbers(verb, kinds[0], " ".join(words[:count])):
                for rest in self._next(verb, kinds[1:], words[count:]):
                    yield (number, *rest)

    def _many(self, words: tuple[str, ...], before: Pattern) -> Iterator[Pattern]:
        """Yield recipes in hand, one after the other."""
        held = self.hand.recipes.values()
        if not words:
            yield before
        elif " ".join(words) in self.texts.say("typed.all").split():
            yield (*before, *(card for card in held if card not in before))
        for count in range(1, len(words) + 1):
            for card in self._held_recipes(" ".join(words[:count])):
                if card not in before:
                    yield from self._many(words[count:], (*before, card))

    def numbers(self, verb: str, kind: Kind, text: str) -> list[int]:
        """Return the values of this kind that the text can mean."""
        match kind:
            case Kind.TILE:
                return self._tiles(text, self.rules.slots.get(verb) == "place")
            case Kind.SQUARE | Kind.OPTIONAL_SQUARE:
                try:
                    return [self.rules.grid.parse_square(text)]
                except Malformed:
                    return []
            case Kind.ACTION:
                return self.actions(text)
            case Kind.CARD | Kind.CARDS:
                return self._held_recipes(text)
            case Kind.RECIPE:
                return [n for n, one in enumerate(self.rules.edition.recipes) if one.id == text]
            case Kind.DECK:
                return [length for length in self.rules.edition.lengths if str(length) == text]
            case Kind.SEAT:
                return []

    def _tiles(self, text: str, from_hand: bool) -> list[int]:
        if text.isascii() and text.isdigit():
            return _by_key(text, self.hand.tiles) if from_hand else []
        names = {n: (one.code, one.names) for n, one in enumerate(self.rules.edition.ingredients, 1)}
        return _by_name(
            text, {n: (code, names[self.texts.language], names["en"]) for n, (code, names) in names.items()}
        )

    def actions(self, text: str) -> list[int]:
        """Return action cards by code, name, effect or number in the player's own hand."""
        if text.isascii() and text.isdigit():
            return _by_key(text, self.hand.cards)
        if text in {one.code.casefold() for one in self.rules.edition.ingredients}:
            return []
        every = self.rules.edition.actions
        language = self.texts.language
        return _by_name(text, {n: (a.code, a.effect, a.names[language], a.names["en"]) for n, a in enumerate(every)})

    def _held_recipes(self, text: str) -> list[int]:
        """Return recipes in hand by number, prefix of the name, id, or as a sealed card."""
        cards = self.hand.recipes.values()
        if text.isascii() and text.isdigit():
            return _by_key(text, self.hand.recipes)
        try:
            return [card for card in (parse_card(text),) if card in cards]
        except Malformed:
            pass
        faces, recipes = self.observation.faces, self.rules.edition.recipes
        known = {card: recipes[faces[card]] for card in cards if card in faces}
        return _by_name(
            text, {card: (one.id, one.names[self.texts.language], one.names["en"]) for card, one in known.items()}
        )

    def filled(self, verb: str, pattern: Pattern) -> Step | None:
        """Return the step that a pattern names completely, legal or not."""
        kinds = self.rules.verbs[verb]
        if kinds[-2:] == (Kind.CARD, Kind.RECIPE) and pattern[-1] is None and pattern[-2] is not None:
            face = self.observation.faces.get(pattern[-2])
            pattern = (*pattern[:-1], face)
        if Kind.OPTIONAL_SQUARE in kinds and pattern and pattern[-1] is None:
            pattern = pattern[:-1]
        known = tuple(number for number in pattern if number is not None)
        return Step(verb, known) if len(known) == len(pattern) else None


def _by_key(text: str, numbered: dict[int, int]) -> list[int]:
    """Return the thing in hand with this number."""
    return [numbered[int(text)]] if len(text) < 4 and int(text) in numbered else []


def _by_name(text: str, names: dict[int, tuple[str, ...]]) -> list[int]:
    """Return exact matches of a name, otherwise everything whose name starts with it."""
    text = text.casefold()
    known = {n: [name.casefold() for name in all_of_it] for n, all_of_it in names.items()}
    exact = [n for n, all_of_it in known.items() if text in all_of_it]
    return exact or [n for n, all_of_it in known.items() if any(name.startswith(text) for name in all_of_it)]


def read_step(text: str, draft: Draft, slot: str, texts: Texts, hand: Hand = EMPTY) -> Step:
    """Return the step that the text means now, legal or not; raise `NotUnderstood` if there is none.

    `slot` is the part of the turn that was asked for: a bare code or number is read for it first; `hand` has the
    earlier numbers.
    """
    observation = draft.observation
    words = tuple(text.casefold().split())
    if not words or len(words) > MOST_WORDS:
        raise NotUnderstood("nothing", text)
    reader = _Reader(observation, hand_of(observation, hand_of(draft.base, hand)), texts)
    legal = [*draft.legal(), *_beyond(draft)]
    readings = list(_readings(reader, words, slot, legal))
    for strict in (True, False):
        for verbs, rest in readings:
            step = _choose(reader, verbs, rest, legal, text, strict)
            if step is not None:
                return step
    verb = find_verb(words[0], observation.rules, texts)
    raise NotUnderstood("nothing" if verb is None else "arguments", verb or text)


def _readings(
    reader: _Reader, words: tuple[str, ...], slot: str, legal: Sequence[Step]
) -> Iterator[tuple[list[str], tuple[str, ...]]]:
    """Yield verbs that the words can belong to, each with the words for its arguments; the likeliest first."""
    verb = find_verb(words[0], reader.rules, reader.texts)
    if verb is not None:
        yield [verb], words[1:]
    slots = reader.rules.slots
    there = sorted({step.verb for step in legal if slots.get(step.verb, "action") != "action"})
    first = [one for one in there if slots[one] == slot]
    for group in (first, [one for one in there if one not in first and slots[one] not in NAMED]):
        if group:
            yield group, words
    effects = [reader.rules.edition.actions[card].effect for card in reader.actions(words[0])]
    yield from (([effect], words[1:]) for effect in effects if slots.get(effect) == "action")
    # A tile and a square mean this at any time, and the reason why it is illegal helps more than "not understood".
    yield ["place"], words


def find_verb(word: str, rules: AnyRules, texts: Texts) -> str | None:
    """Return the verb for a word, in notation or in the screen's language."""
    if word in rules.verbs:
        return word
    return next(
        (verb for verb, words in texts.words("verb").items() if verb in rules.verbs and word in words.split()), None
    )


def _beyond(draft: Draft) -> Sequence[Step]:
    """Return steps that may be chosen after ending this part of the turn, which then ends with them."""
    bridge = draft.bridge()
    if bridge is None:
        return []
    rules, position, faces = draft.observation.rules, draft.position, draft.observation.faces
    after = rules.apply(position, bridge)
    return [] if rules.closes(position, bridge, after) else rules.legal(after, faces)


def _choose(
    reader: _Reader, verbs: list[str], words: tuple[str, ...], legal: Sequence[Step], text: str, strict: bool
) -> Step | None:
    """Return the one step that the words can mean with these verbs, a legal one if strict; None if there is none."""
    named: list[Step] = []
    fitting: list[Step] = []
    for verb in verbs:
        for pattern in reader.patterns(verb, words):
            step = reader.filled(verb, pattern)
            if step is not None:
                named += _turned(step, legal)
            fitting += [one for one in legal if one.verb == verb and _fits(reader.rules, one, pattern)]
    for steps in ([step for step in named if step in legal], fitting) if strict else (named,):
        different = sorted(set(steps))
        if len(different) == 1:
            return different[0]
        if different:
            raise NotUnderstood("several", text, different)
    return None


def _turned(step: Step, legal: Sequence[Step]) -> list[Step]:
    """Return the step, or the same two squares the other way round if only that is legal."""
    turned = Step(step.verb, step.args[::-1])
    if step not in legal and len(step.args) == 2 and turned in legal and step.verb == "switch":
        return [turned]
    return [step]


def _fits(rules: AnyRules, step: Step, pattern: Pattern) -> bool:
    """Return whether a legal step completes a pattern; returned recipes are never guessed."""
    if Kind.CARDS in rules.verbs[step.verb]:
        return not pattern
    args = (*step.args, *[None] * (len(pattern) - len(step.args)))
    return len(args) == len(pattern) and all(want in (None, got) for want, got in zip(pattern, args, strict=True))


SHOWN_MEANINGS = 3
LONGEST_LINE = 200


class LineRefused(Exception):
    """A typed line cannot be played; its only argument is a sentence with the reason."""


def read_line(
    draft: Draft,
    line: str,
    texts: Texts,
    declined: bool = False,
    warn: Callable[[Draft, Step], None] | None = None,
    hand: Hand = EMPTY,
) -> list[Step]:
    """Return the steps of a line, tried in turn on a copy of the draft; raise `LineRefused` if one fails.

    `warn` sees each step before it is tried, and may raise `LineRefused` itself. `hand` has the earlier numbers.
    """
    trial = draft.fresh()
    for step in draft.steps:
        trial.add(step)
    steps: list[Step] = []
    try:
        if trial.complete:
            raise Illegal("bundle-full")
        for part in (part for part in line[:LONGEST_LINE].split(";") if part.strip()):
            step = read_step(part, trial, ask(trial, texts, declined).slot, texts, hand)
            if warn is not None:
                warn(trial, step)
            trial.add(step)
            steps.append(step)
    except NotUnderstood as error:
        raise LineRefused(_misunderstood(error, trial, texts, hand)) from None
    except RulesError as error:
        raise LineRefused(say_error(texts, error)) from None
    return steps


def choose_line(plan: Plan, line: str, texts: Texts) -> None:
    """Add all steps of a line to the plan, or set its message to what is wrong with the first bad one."""
    try:
        steps = read_line(plan.draft, line, texts, hand=plan.hand)
    except LineRefused as refused:
        plan.refuse(str(refused))
        return
    plan.drop()
    for step in steps:
        if not plan.add(step):
            return


def _misunderstood(error: NotUnderstood, draft: Draft, texts: Texts, hand: Hand) -> str:
    if error.code == "arguments":
        return texts.say("typed.arguments", verb=error.text[:40])
    if error.code == "nothing":
        return texts.say("typed.nothing", text=error.text.strip()[:40])
    rules, hand = draft.base.rules, hand_of(draft.observation, hand_of(draft.base, hand))
    shown = ", ".join(typed_form(rules, hand, step, texts) for step in error.steps[:SHOWN_MEANINGS])
    more = len(error.steps) - SHOWN_MEANINGS
    if more > 0:
        return texts.say("typed.several-more", steps=shown, count=more)
    return texts.say("typed.several", steps=shown)

"""A course: lessons of tasks that lead through positions, read from a file that is checked as it is read.

    edition = "classic"
    players = 2

    [[chapter]]
    name = { en = "…", it = "…" }   a lesson begins; without it the chapter belongs to the last one
    position = '''…'''              the text of a position; without it the chapter continues where the last one ended

    [[chapter.task]]
    say = { en = "…", it = "…" }    at most 25 words including the keys; {Cu} is a tile by its code
    plain = { en = "…", it = "…" }  the same for play line by line, where other signs are shown
    lit = "recipes c2 c3"           panels and squares that the task is about
    press = "1 c 4"                 digits, letters, codes, or names of actions
    do = "place Cu c4"              steps that have to be chosen, or
    open = "book"                   an action that has to be tried, or
    sends = true                    the turn has to be ended; a task with none of these is only read
    reply = "place Av b3; tile Tu"  the rival's steps after that
    wrong = { en = "…", it = "…" }  the rule that explains why nothing else is right

Reading a course plays it, so that every task knows the position and the unsent steps with which it begins.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import NamedTuple

from ..engine.editions import rules_for
from ..engine.errors import Malformed, RulesError
from ..engine.observe import observe
from ..engine.position import Position
from ..engine.position_text import parse_position
from ..engine.rules import AnyRules
from ..engine.sealed_card import Card, format_card
from ..engine.step import Bundle, Step
from ..engine.toml_text import BadToml, read_toml
from ..games.draft import Draft
from ..games.staged_game import settle
from ..text import LANGUAGES

MOST_WORDS = 25
"""The most words in one task, including the keys that it names."""
LEARNER, RIVAL = 0, 1
PANELS = ("bar", "board", "decks", "hand", "kitchen", "pantry", "players", "recipes", "story")
"""The panels that a task can be about, besides squares."""
_TILE = re.compile(r"\{([A-Z][a-z])\}")
_GOES_ON = "accept"
_CHAPTER = {"name", "position", "task"}
_TASK = {"say", "plain", "lit", "press", "do", "open", "sends", "reply", "wrong"}


class BadCourse(Exception):
    """A course that cannot be taken: the place, what is wrong there, and what was found."""

    def __init__(self, where: str, code: str, found: str = "") -> None:
        super().__init__(where, code, found)
        self.where, self.code, self.found = where, code, found


@dataclass(frozen=True, kw_only=True)
class Task:
    instruction: Mapping[str, str]
    """The sentence in every language; `{Cu}` is a tile."""
    plain: Mapping[str, str]
    """The same sentence for people who see the table line by line."""
    press: tuple[str, ...]
    """The keys to press, in order: a digit, letters, or the name of an action."""
    panels: frozenset[str] = frozenset()
    squares: tuple[int, ...] = ()
    before: tuple[Step, ...] = ()
    """The unsent steps at its beginning."""
    goal: tuple[Step, ...] = ()
    """The unsent steps that complete it; the same as `before` if nothing is to be chosen."""
    action: str = ""
    """The action that has to be tried."""
    sends: bool = False
    wrong: Mapping[str, str] | None = None
    position: Position
    """The position in which it begins."""
    faces: Mapping[Card, int]
    """The face of every card in its chapter."""
    replies: tuple[Bundle, ...] = ()
    """The rival's bundles after the turn has ended."""
    after: Position | None = None
    """The position after that."""

    @property
    def chooses(self) -> bool:
        return self.goal != self.before

    @property
    def reads(self) -> bool:
        """True if there is nothing to do but read and go on."""
        return not (self.chooses or self.action or self.sends)


class Lesson(NamedTuple):
    name: Mapping[str, str]
    """The name in every language."""
    tasks: tuple[Task, ...]


class Reached(NamedTuple):
    """A task's place in the course: its lesson, and its step within the lesson; both counted from 1."""

    lesson: int
    lessons: int
    name: Mapping[str, str]
    step: int
    steps: int


@dataclass(frozen=True)
class Course:
    name: str
    rules: AnyRules
    lessons: tuple[Lesson, ...]

    @cached_property
    def tasks(self) -> tuple[Task, ...]:
        return tuple(task for lesson in self.lessons for task in lesson.tasks)

    def reached(self, at: int) -> Reached:
        """Return the place in the course of the task with this number, counted from 0."""
        for number, (name, tasks) in enumerate(self.lessons, 1):
            if at < len(tasks):
                return Reached(number, len(self.lessons), name, at + 1, len(tasks))
            at -= len(tasks)
        raise IndexError(at)


@cache
def find_course(name: str) -> Course:
    """Return a course that comes with the program; raise `KeyError` if there is none with this name."""
    if name not in COURSES:
        raise KeyError(name)
    return read_course(name, (_HERE / f"{name}.toml").read_text(encoding="utf-8"))


_HERE = Path(__file__).parent
COURSES = ("classic", "master")
"""The longer one first: the other covers only the differences."""


def read_course(name: str, text: str) -> Course:
    """Play through the course that the text describes and return it; raise `BadCourse` if it cannot be taken."""
    try:
        raw = read_toml(text)
    except BadToml as error:
        raise BadCourse(f"line {error.line}", "toml") from None
    edition, players, chapters = raw.get("edition"), raw.get("players"), raw.get("chapter")
    if set(raw) != {"edition", "players", "chapter"} or not isinstance(chapters, list) or not chapters:
        raise BadCourse("course", "keys", " ".join(sorted(raw)))
    if not isinstance(edition, str) or not isinstance(players, int):
        raise BadCourse("course", "edition", f"{edition} {players}")
    try:
        reader = _Reader(rules_for(edition, players))
    except (KeyError, Malformed):
        raise BadCourse("course", "edition", f"{edition} {players}") from None
    for number, chapter in enumerate(chapters, 1):
        reader.read_chapter(f"chapter {number}", chapter)
    return Course(name, reader.rules, tuple(Lesson(title, tuple(tasks)) for title, tasks in reader.lessons))


class _Reader:
    """Reads a course and plays it at the same time."""

    def __init__(self, rules: AnyRules) -> None:
        self.rules = rules
        self.lessons: list[tuple[Mapping[str, str], list[Task]]] = []
        self._known: Mapping[Card, int] = {}
        self._draft: Draft | None = None

    def read_chapter(self, where: str, chapter: object) -> None:
        if not isinstance(chapter, dict) or not set(chapter) <= _CHAPTER or not isinstance(chapter.get("task"), list):
            raise BadCourse(where, "keys")
        if "name" in chapter:
            self.lessons.append((self._sentences(where, "name", chapter["name"], 0), []))
        elif not self.lessons:
            raise BadCourse(where, "no-name")
        text = chapter.get("position")
        if text is not None:
            self._begin(where, text)
        elif self._draft is None:
            raise BadCourse(where, "no-position")
        for number, task in enumerate(chapter["task"], 1):
            self._read_task(f"{where}, task {number}", task)

    def _begin(self, where: str, text: object) -> None:
        try:
            if not isinstance(text, str):
                raise Malformed("position", line=1, reason="text", text=str(text)[:40])
            rules, position, faces = parse_position(text, rules_for)
        except Malformed as error:
            raise BadCourse(where, "position", str(error)) from None
        if rules is not self.rules or position.mover != LEARNER:
            raise BadCourse(where, "position", "mover")
        known = dict(faces)
        try:
            for deck in rules.deck_numbers:
                known.update(zip(position.decks[deck], rules.unseen(position, deck, known), strict=True))
        except (KeyError, ValueError):
            raise BadCourse(where, "faces") from None
        self._known = known
        self._look(position)

    def _look(self, position: Position) -> None:
        self._draft = Draft(observe(self.rules, position, LEARNER, self._known))

    @property
    def _now(self) -> Draft:
        assert self._draft is not None, "the first chapter begins with a position"
        return self._draft

    def _read_task(self, where: str, task: object) -> None:
        if not isinstance(task, dict) or not {"say", "press"} <= set(task) <= _TASK:
            raise BadCourse(where, "keys", " ".join(task) if isinstance(task, dict) else "")
        kinds = [key for key in ("do", "open", "sends") if key in task]
        if len(kinds) > 1 or ("reply" in task and kinds != ["sends"]) or ("wrong" in task) != (kinds == ["do"]):
            raise BadCourse(where, "keys", " ".join(task))
        texts = {key: task[key] for key in task if key not in ("say", "plain", "wrong", "sends")}
        for key, value in texts.items():
            if not isinstance(value, str):
                raise BadCourse(where, key, str(value)[:40])
        press = tuple(texts["press"].split())
        if not press or (not kinds and press != (_GOES_ON,)):
            raise BadCourse(where, "press", texts["press"])
        instruction = self._sentences(where, "say", task["say"], len(press) + 1)
        plain = self._sentences(where, "plain", task["plain"], len(press) + 1) if "plain" in task else instruction
        wrong = self._sentences(where, "wrong", task["wrong"], 0) if "wrong" in task else None
        panels, squares = self._lit(where, texts.get("lit", ""))
        position, before = self._now.base.position, self._now.steps
        for part in texts["do"].split("; ") if "do" in texts else ():
            self._choose(where, self._now, part)
        goal, sends = self._now.steps, task.get("sends", False)
        replies = self._send(where, texts.get("reply", "")) if sends else ()
        self.lessons[-1][1].append(
            Task(
                instruction=instruction, plain=plain, press=press, panels=panels, squares=squares, before=before,
                goal=goal, action=texts.get("open", ""), sends=bool(sends), wrong=wrong, position=position,
                faces=self._known, replies=replies, after=self._now.base.position if sends else None,
            )
        )  # fmt: skip

    def _sentences(self, where: str, key: str, value: object, more: int) -> Mapping[str, str]:
        """Check a sentence in every language; with `more` further words it must still be short enough."""
        if not isinstance(value, dict) or set(value) != set(LANGUAGES):
            raise BadCourse(where, key, "languages")
        for language, sentence in value.items():
            if not isinstance(sentence, str) or not sentence.strip():
                raise BadCourse(where, key, language)
            unknown = set(_TILE.findall(sentence)) - set(self.rules.edition.tile_numbers)
            if unknown or re.search(r"[{}]", _TILE.sub("", sentence)):
                raise BadCourse(where, key, " ".join(sorted(unknown)) or "{}")
            if len(sentence.split()) + more > MOST_WORDS:
                raise BadCourse(where, "words", f"{language} {len(sentence.split()) + more}")
        return value

    def _lit(self, where: str, text: str) -> tuple[frozenset[str], tuple[int, ...]]:
        panels, squares = set(), []
        for word in text.split():
            if word in PANELS:
                panels.add(word)
            elif word in self.rules.grid.names:
                squares.append(self.rules.grid.names.index(word))
            else:
                raise BadCourse(where, "lit", word)
        return frozenset(panels), tuple(squares)

    def _choose(self, where: str, draft: Draft, part: str) -> None:
        """Add a step to a draft; recipes in hand may be given by name alone."""
        verb, *words = part.split(" ")
        held = {self.rules.edition.recipes[face].id: format_card(card) for card, face in draft.base.faces.items()}
        if verb in self.rules.claiming:
            words = [held.get(words[0], ""), *words]
        else:
            words = [held.get(word, word) for word in words]
        try:
            draft.add(self.rules.grammar.parse(" ".join((verb, *words))))
        except RulesError as error:
            raise BadCourse(where, "do", f"{part}: {error}") from None

    def _send(self, where: str, reply: str) -> tuple[Bundle, ...]:
        """End the turn or this part of it, play the rival's reply, and check that the learner is to move again."""
        if not self._now.complete:
            raise BadCourse(where, "sends", "there is more to choose")
        position = self._settle(self.rules.apply_bundle(self._now.base.position, self._now.bundle()))
        found = []
        if reply:
            draft = Draft(observe(self.rules, position, RIVAL, self._known))
            for part in reply.split("; "):
                self._choose(where, draft, part)
            if not draft.complete:
                raise BadCourse(where, "reply", reply)
            found.append(draft.bundle())
            position = self._settle(self.rules.apply_bundle(position, draft.bundle()))
        if position.mover != LEARNER and position.outcome is None:
            raise BadCourse(where, "reply", "the learner is not to move")
        self._look(position)
        return tuple(found)

    def _settle(self, position: Position) -> Position:
        return settle(self.rules, position, self._known)

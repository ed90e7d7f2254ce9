"""The game of a lesson: the rules and the table are real, the deal and the rival's replies come from a course."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from ...engine.errors import Illegal, Stale
from ...engine.observe import Observation, observe
from ...engine.position import Position
from ...engine.step import Bundle
from ..game import Can, Event, Played, Player, Rewound
from .course import LEARNER, RIVAL, Course, Task, settle


class LessonGame:
    """A game of the learner at this screen and a rival who does what the course says; nothing is saved."""

    can = Can.PLAY | Can.HINT
    awaiting = False
    clock = 0
    title = ""
    people = (LEARNER,)
    viewer = LEARNER

    def __init__(self, course: Course, at: int, name: str, rival: str) -> None:
        """The table is as the task with this number wants it."""
        self.rules = course.rules
        others = (Player(rival, "normal") for _ in range(RIVAL, course.rules.players))
        self.players: tuple[Player, ...] = (Player(name), *others)
        self._task = course.tasks[at]
        self._position = self._task.position
        self._events: asyncio.Queue[Event | None] = asyncio.Queue()
        self._closed = False

    @property
    def position(self) -> Position:
        return self._position

    @property
    def observation(self) -> Observation:
        return self.seen_by(LEARNER)

    def seen_by(self, seat: int) -> Observation:
        if seat != LEARNER:
            raise Illegal("not-your-seat", seat=seat + 1)
        return observe(self.rules, self._position, seat, self._task.faces)

    def go_to(self, task: Task) -> None:
        """The table is as a task wants it; one that only goes on changes nothing."""
        self._task = task
        if self._position is not task.position:
            self._position = task.position
            self._events.put_nowait(Rewound(task.position))

    async def events(self) -> AsyncIterator[Event]:
        while not self._closed:
            event = await self._events.get()
            if event is None:
                return
            yield event

    def happened(self) -> list[Event]:
        """What has happened since this was last asked, for who does not wait for events."""
        found = []
        while not self._events.empty():
            event = self._events.get_nowait()
            if event is not None:
                found.append(event)
        return found

    async def submit(self, bundle: Bundle) -> None:
        self.play(bundle)

    def play(self, bundle: Bundle) -> None:
        """Plays the bundle and the rival's replies."""
        if self._closed:
            raise Stale("game-closed")
        before, bundles = self._position, (bundle, *self._task.replies)
        for number, one in enumerate(bundles, 1):
            after = settle(self.rules, self.rules.apply_bundle(before, one), self._task.faces)
            if number == len(bundles) and self._task.after is not None:
                # The very object that the next task begins with: that is how it is known.
                after = self._task.after
            self._events.put_nowait(Played(one, before, after))
            self._position = before = after

    async def leave(self, seat: int) -> None:
        del seat
        raise Illegal("not-here")

    async def say(self, text: str) -> None:
        del text
        raise Illegal("not-here")

    async def vote(self, out: int, yes: bool) -> None:
        del out, yes
        raise Illegal("not-here")

    async def rematch(self) -> None:
        raise Illegal("not-here")

    async def confirm_run(self) -> None:
        raise Illegal("not-here")

    async def close(self) -> None:
        self._closed = True
        self._events.put_nowait(None)

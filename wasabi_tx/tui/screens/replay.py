"""A game, or a part of it, moment by moment, on the same table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType

from ...engine.observe import observe
from ...engine.position import NOBODY
from ...engine.rules import Rules
from ...table.game import Player
from ...view.question import Choice, Question
from ...view.sitting import Frame
from ...view.table import look
from ..content import clean
from ..scene import Scene
from ..widgets.body import TableBody
from ..widgets.panel import Pressed
from .acting import Acting, acting_bindings


class ReplayScreen(Acting):
    """Forwards and backwards; what is hidden from a seat stays hidden."""

    where = "replay"
    BINDINGS: ClassVar[list[BindingType]] = acting_bindings("replay")

    def __init__(
        self, rules: Rules[Any], players: Sequence[Player], frames: Sequence[Frame], seat: int | None = None
    ) -> None:
        super().__init__()
        self._rules = rules
        self._players = tuple(players)
        self.frames = list(frames)
        self._seat = seat
        self.at = 0

    def compose(self) -> ComposeResult:
        yield TableBody(self.texts, self.wasabi.settings.keys, "replay")

    def on_mount(self) -> None:
        self.query_one(TableBody).focus()
        self.draw()

    def draw(self) -> None:
        texts, frame = self.texts, self.frames[self.at]
        observation = observe(self._rules, frame.position, self._seat, {})
        view = look(observation, self._players, texts)
        entry = frame.entry
        who = (
            texts.say("log.dealer")
            if entry is None or entry.seat == NOBODY
            else clean(self._players[entry.seat].name, 20)
        )
        words = ", ".join(entry.words) if entry is not None else ""
        where = texts.say("tui.moment", number=self.at + 1, count=len(self.frames))
        choices = (
            Choice(f"← {texts.say('tui.action.previous')}", "action:previous"),
            Choice(f"→ {texts.say('tui.action.next')}", "action:next", default=True),
        )
        self.query_one(TableBody).draw(
            Scene(
                rules=self._rules,
                view=view,
                plan=None,
                parts=(),
                question=Question(where, choices, f"{who}: {words or texts.say('log.nothing')}"),
                wrong=False,
                since=[one.entry for one in self.frames[max(0, self.at - 11) : self.at + 1] if one.entry is not None],
                last=frame.changed,
                cursor=None,
                lifted=False,
                typed="",
                notation=None,
                waiting=False,
                over=frame.position.outcome is not None,
                replayed=True,
            )
        )

    def _go(self, at: int) -> None:
        self.at = max(0, min(at, len(self.frames) - 1))
        self.draw()

    def do_next(self) -> None:
        self._go(self.at + 1)

    def do_previous(self) -> None:
        self._go(self.at - 1)

    def do_first(self) -> None:
        self._go(0)

    def do_last(self) -> None:
        self._go(len(self.frames) - 1)

    def do_close(self) -> None:
        self.wasabi.left_replay(self)

    def restyle(self) -> None:
        self.query_one(TableBody).redraw(self.texts, self.wasabi.settings.keys)
        self.draw()

    async def on_pressed(self, message: Pressed) -> None:
        message.stop()
        kind, _, rest = message.press.partition(":")
        if kind == "action":
            name = {"log": ""}.get(rest, rest)
            if name:
                await self.action_act(name)

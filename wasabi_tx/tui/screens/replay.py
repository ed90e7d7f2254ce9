"""The replay of a game, or of a part of it, moment by moment, on the same table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from types import MappingProxyType

from textual import events
from textual.app import ComposeResult
from textual.timer import Timer

from ...engine.card import Faces
from ...engine.observe import Observation, observe
from ...engine.rules import AnyRules
from ...table.game import Player
from ...table.transcript import GameRecord, Move
from ...view.log.chronicle import TurnEntry
from ...view.log.followed_game import Frame, score_race
from ...view.press import Do
from ...view.table.ending import end_view
from ...view.table.table import TableView, look
from ...view.turn.prompt_choices import Choice, Question
from ..beats import SECONDS
from ..draw import pages
from ..keys import ACTIONS, KeyAction, keys_on
from ..scene import Scene
from ..widgets.body import TableBody
from ..widgets.panel import Pressed
from .base import ActionScreen, Handler

STEP = 1.5
"""How many times as long as another's move at a table a step stays that goes on by itself."""


class ReplayScreen(ActionScreen):
    """Forwards and backwards; what is hidden from a seat stays hidden."""

    where = "replay"

    def __init__(
        self,
        rules: AnyRules,
        players: Sequence[Player],
        frames: Sequence[Frame],
        seat: int | None = None,
        faces: Faces = MappingProxyType({}),
        over: bool = False,
        moves: tuple[Move, ...] = (),
    ) -> None:
        """`faces` are those that the seat knows, or more: only its own hand is shown, until the game is `over`.

        The `moves` of a whole game can be reviewed.
        """
        super().__init__()
        self._rules = rules
        self._players = tuple(players)
        self.frames = list(frames)
        self._seat = seat
        self._faces = faces
        self._over = over
        self._moves = moves
        self.at = 0
        self._runs: Timer | None = None
        """What goes on by itself; nothing while one steps by keys."""

    def compose(self) -> ComposeResult:
        yield TableBody(self.texts, self.wasabi.settings.keys, "replay", self.take_key)

    def on_mount(self) -> None:
        self.query_one(TableBody).keyboard.focus()
        self.draw()

    @property
    def _observation(self) -> Observation:
        return observe(self._rules, self.frames[self.at].position, self._seat, self._faces)

    @property
    def _view(self) -> TableView:
        return look(self._observation, self._players, self.texts)

    @property
    def _entries(self) -> list[TurnEntry]:
        """What had happened by then."""
        return [one.entry for one in self.frames[: self.at + 1] if one.entry is not None]

    def draw(self) -> None:
        texts, frame = self.texts, self.frames[self.at]
        where = texts.say("tui.moment", number=self.at + 1, count=len(self.frames))
        onward = "result" if self._ended and self.at == len(self.frames) - 1 else "next"
        choices = (
            Choice(texts.say("tui.action.previous"), Do("previous")),
            Choice(texts.say(f"tui.action.{onward}"), Do("next"), default=True),
        )
        self.query_one(TableBody).draw(
            Scene(
                rules=self._rules,
                view=self._view,
                plan=None,
                question=Question(where, choices, "" if frame.entry else texts.say("replay.beginning")),
                since=self._entries[-12:],
                race=tuple(score_race(self.frames[: self.at + 1])),
                last=frame.changed,
                cursor=None,
                lifted=False,
                line="",
                waiting=False,
                over=frame.position.outcome is not None,
                replayed=True,
                idle=frozenset(action.id for action in ACTIONS if not self.offers(action)),
            )
        )

    @cached_property
    def _hands_are_open(self) -> bool:
        """Once a game is over, nobody's hand is a secret that was opened."""
        held = {card for frame in self.frames for seat in frame.position.seats for card in seat.recipes}
        return self._over and not held.isdisjoint(self._faces)

    def _show_next_hand(self) -> None:
        """From one player's place to the next."""
        self._seat = 0 if self._seat is None else self._seat + 1
        if self._seat == len(self._players):
            self._seat = None
        self.draw()

    @property
    def running(self) -> bool:
        return self._runs is not None

    def run_or_stop(self) -> None:
        """Goes on step by step by itself, from the beginning if it is at the end; or stops."""
        if self.running:
            self._stop()
            return
        if self.at == len(self.frames) - 1:
            self._go(0)
        self._runs = self.set_interval(
            STEP * min(SECONDS[self.wasabi.settings.pace] or SECONDS["normal"], SECONDS["slow"]), self.step
        )

    def step(self) -> None:
        """One step of those that go on by themselves."""
        self._go(self.at + 1)
        if self.at == len(self.frames) - 1:
            self._stop()

    def _stop(self) -> None:
        if self._runs is not None:
            self._runs.stop()
            self._runs = None

    async def take_key(self, event: events.Key) -> None:
        """Any key but the one that began it stops what goes on by itself, and does what it does."""
        if keys_on(self.where, self.wasabi.settings.keys).get(event.key) != "run":
            self._stop()
        await super().take_key(event)

    def _go_on(self) -> None:
        """To the next step; after the last one comes the result."""
        if self.at == len(self.frames) - 1:
            self.open_result()
        else:
            self._go(self.at + 1)

    def offers(self, action: KeyAction) -> bool:
        return {"result": self._ended, "whose": self._hands_are_open}.get(action.id, True)

    def refuse(self, action: KeyAction) -> None:
        if action.id == "whose":
            self.app.notify(self.texts.say("replay.no-hands"), markup=False)

    @property
    def _ended(self) -> bool:
        """Whether the last step that is shown here is the end of the game."""
        return self.frames[-1].position.outcome is not None

    def open_result(self) -> None:
        """How the game ended; from there one comes back here."""
        from ...table.review import ReviewWish
        from .ending import EndPage

        if self._ended:
            last = self.frames[-1].position
            race = score_race(self.frames)
            ending = end_view(self._rules, last, self._players, self.texts, race=race, you=self._seat)
            wish = None
            if self._moves and self._seat is not None:
                game = GameRecord(self._rules, self._players, self._faces, self._moves)
                wish = ReviewWish(game, self._seat)
            page = EndPage(ending, self.texts, ("replay_game",), leaves="close", review=wish)
            self.app.push_screen(page, self._after_result)

    def _after_result(self, way: str | None) -> None:
        if way == "replay_game":
            self._go(0)

    def _go(self, at: int) -> None:
        self.at = max(0, min(at, len(self.frames) - 1))
        self.draw()

    def handlers(self) -> Mapping[str, Handler]:
        return {
            **super().handlers(),
            "run": self.run_or_stop,
            "next": self._go_on,
            "result": self.open_result,
            "previous": lambda: self._go(self.at - 1),
            "first": lambda: self._go(0),
            "last": lambda: self._go(len(self.frames) - 1),
            "whose": self._show_next_hand,
            "book": lambda: self.open_book(self._observation),
            "who": self._open_who,
            "log": self._open_log,
            "help": self._open_help,
            "close": lambda: self.wasabi.left_replay(self),
        }

    def _open_who(self) -> None:
        self.open_who(self._observation, self._view)

    def _open_log(self) -> None:
        self.open_page("log", pages.log_lines(self._entries, self._players, self.texts, self._observation.seat))

    def _open_help(self) -> None:
        keys = self.wasabi.settings.keys
        self.open_help(self._rules, pages.help_lines(self._rules, None, self.texts, keys, "replay"))

    def restyle(self) -> None:
        self.query_one(TableBody).redraw(self.texts, self.wasabi.settings.keys)
        self.draw()

    async def on_pressed(self, message: Pressed) -> None:
        message.stop()
        if isinstance(message.press, Do):
            await self.action_act(message.press.action)

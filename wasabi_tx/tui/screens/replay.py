"""The replay of a game, or of a part of it, moment by moment, on the same table."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from types import MappingProxyType
from typing import ClassVar

from textual import events, on
from textual.binding import BindingType
from textual.reactive import var
from textual.timer import Timer

from ...engine.observe import Observation, observe
from ...engine.rules import AnyRules
from ...engine.sealed_card import Faces
from ...games.game import Player, first_person
from ...games.transcript import GameRecord, Move
from ...games.what_if import may_branch
from ...turn.followed_game import Frame, score_race
from ...turn.prompt_choices import Choice, Question
from ...view.log.chronicle import TurnEntry
from ...view.press import Do
from ...view.table.ending import end_view
from ...view.table.table import TableView, describe_table
from ..beats import SECONDS
from ..bindings import ACTIONS, KeyAction, bindings_on
from ..draw import pages
from ..views.moment import TableMoment
from ..widgets.painted import Painted
from .table.shown import ShownTable

STEP = 1.5
"""The duration of an automatic step, as a multiple of another player's move at a table."""


class ReplayScreen(ShownTable):
    """Forwards and backwards; what is hidden from a seat stays hidden."""

    where = "replay"
    BINDINGS: ClassVar[list[BindingType]] = bindings_on("replay")

    at: var[int] = var(0, init=False)
    """The step that is shown."""

    def __init__(
        self,
        rules: AnyRules,
        players: Sequence[Player],
        frames: Sequence[Frame],
        seat: int | None = None,
        faces: Faces = MappingProxyType({}),
        over: bool = False,
        moves: tuple[Move, ...] = (),
        file: str = "",
    ) -> None:
        """Make the replay; only the seat's own hand is shown until the game is `over`.

        `faces` are the known cards. The `moves` of a whole game can be reviewed.
        """
        super().__init__()
        self._rules = rules
        self._players = tuple(players)
        self.frames = list(frames)
        self._seat = seat
        self._faces = faces
        self._over = over
        self._moves = moves
        self._file = file
        """The saved game, of which a page can be made."""
        self._runs: Timer | None = None
        """The timer of automatic steps; None while the user steps by keys."""

    def on_mount(self) -> None:
        self.watch(self.app, "texts", self.refresh_table, init=False)

    def watch_at(self) -> None:
        self.refresh_table()

    @property
    def _observation(self) -> Observation:
        return observe(self._rules, self.frames[self.at].position, self._seat, self._faces)

    @property
    def _view(self) -> TableView:
        return describe_table(self._observation, self._players, self.texts)

    @property
    def _entries(self) -> list[TurnEntry]:
        """The log up to the shown step."""
        return [one.entry for one in self.frames[: self.at + 1] if one.entry is not None]

    def moment(self) -> TableMoment:
        texts, frame = self.texts, self.frames[self.at]
        where = texts.say("tui.moment", number=self.at + 1, count=len(self.frames))
        onward = "result" if self._ended and self.at == len(self.frames) - 1 else "next"
        choices = (
            Choice(texts.say("tui.action.previous"), Do("previous")),
            Choice(texts.say(f"tui.action.{onward}"), Do("next"), default=True),
        )
        return TableMoment(
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
            over=frame.position.outcome is not None,
            replayed=True,
            idle=frozenset(action.id for action in ACTIONS if not self.offers(action)),
        )

    @cached_property
    def _hands_are_open(self) -> bool:
        """True once the game is over and hands were revealed."""
        held = {card for frame in self.frames for seat in frame.position.seats for card in seat.recipes}
        return self._over and not held.isdisjoint(self._faces)

    def action_whose(self) -> None:
        """Switch to the next player's point of view."""
        self._seat = 0 if self._seat is None else self._seat + 1
        if self._seat == len(self._players):
            self._seat = None
        self.refresh_table()

    @property
    def running(self) -> bool:
        return self._runs is not None

    def action_run(self) -> None:
        """Play the steps automatically, again from the beginning at the end, or stop."""
        if self.running:
            self._stop()
            return
        if self.at == len(self.frames) - 1:
            self._go(0)
        self._runs = self.set_interval(
            STEP * min(SECONDS[self.wasabi.settings.pace] or SECONDS["normal"], SECONDS["slow"]), self.step
        )

    def step(self) -> None:
        """Play one automatic step."""
        self._go(self.at + 1)
        if self.at == len(self.frames) - 1:
            self._stop()

    def _stop(self) -> None:
        if self._runs is not None:
            self._runs.stop()
            self._runs = None

    async def run_key(self, event: events.Key) -> None:
        """Stop what goes on by itself with any key but the one that began it, and do what the key does."""
        active = self.active_bindings.get(event.key)
        if active is None or active.binding.id != "run":
            self._stop()
        await super().run_key(event)

    def action_next(self) -> None:
        """Show the next step; show the result after the last one."""
        if self.at == len(self.frames) - 1:
            self.action_result()
        else:
            self._go(self.at + 1)

    def offers(self, action: KeyAction) -> bool:
        return {
            "result": self._ended,
            "whose": self._hands_are_open,
            "save_page": bool(self._file),
            "what_if": bool(self._record.moves),
        }.get(action.id, True)

    def refuse(self, action: KeyAction) -> None:
        if action.id == "whose":
            self.app.notify(self.texts.say("replay.no-hands"), markup=False)
        elif action.id == "what_if":
            self.app.notify(self.texts.say("replay.not-over"), markup=False)
        if action.id == "save_page":
            self.app.notify(self.texts.say("tui.end.no-file"), markup=False)

    @property
    def _ended(self) -> bool:
        """True if the last step shown here is the end of the game."""
        return self.frames[-1].position.outcome is not None

    def action_result(self) -> None:
        """Show the result of the game on top of the replay."""
        from ...games.review import ReviewWish
        from .ending import EndPage

        if self._ended:
            last = self.frames[-1].position
            race = score_race(self.frames)
            ending = end_view(self._rules, last, self._players, self.texts, race=race, you=self._seat)
            wish = None
            if self._moves and self._seat is not None:
                wish = ReviewWish(self._record, self._seat)
            page = EndPage(ending, ("replay_game",), leaves="close", review=wish, file=self._file)
            self.app.push_screen(page, self._after_result)

    @cached_property
    def _record(self) -> GameRecord:
        """The whole game, as far as it is known here; without moves where only a part of it is shown."""
        return GameRecord(self._rules, self._players, self._faces, self._moves if self._ended else ())

    @property
    def _player(self) -> int:
        """The seat that would play on from here: the viewer's, or else the first person's."""
        return self._seat if self._seat is not None else first_person(self._players)

    def action_what_if(self) -> None:
        """Play on from here, against bots."""
        if may_branch(self._record, self.at, self._player):
            self.wasabi.open_what_if(self._record, self.at, self._player)
        else:
            self.show_notice(self.texts.say("replay.nothing-to-play"))

    def _after_result(self, way: str | None) -> None:
        if way == "replay_game":
            self._go(0)

    def _go(self, at: int) -> None:
        self.at = max(0, min(at, len(self.frames) - 1))

    def action_previous(self) -> None:
        self._go(self.at - 1)

    def action_first(self) -> None:
        self._go(0)

    def action_last(self) -> None:
        self._go(len(self.frames) - 1)

    def action_save_page(self) -> None:
        self.wasabi.save_page(self._file)

    def action_close(self) -> None:
        self.wasabi.left_replay(self)

    def action_book(self) -> None:
        self.open_book(self._observation)

    def action_who(self) -> None:
        self.open_who(self._observation, self._view)

    def action_log(self) -> None:
        self.open_page("log", pages.log_lines(self._entries, self._players, self.texts, self._observation.seat))

    def action_help(self) -> None:
        self.open_help(self._rules)

    @on(Painted.Pressed)
    async def _press(self, message: Painted.Pressed) -> None:
        """Run the action of a key that was clicked."""
        if isinstance(message.press, Do):
            await self.action_act(message.press.action)

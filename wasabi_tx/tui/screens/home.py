"""Home: everything that can be done, one key away."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import BindingType

from ...text.cells import cut, fit
from ...view.press import ChooseRow
from ..keys import BY_ID, bindings_on, shown_keys
from ..services import GameWish, NotPossible
from ..spans import Line, Span
from ..widgets.panel import Panel, Pressed
from .base import ActionScreen, Handler

if TYPE_CHECKING:
    from ..services import TableWish

WAYS = ("play", "table", "hotseat", "continue", "replay", "settings", "help", "leave")
ONLINE = ("host", "join", "watch", "lobby")
"""What there is besides if tables online can be reached."""
ONLINE_AT = 3
TABLE = "table:"
"""What tells a seat at a table online from a file."""
WIDTH = 60


class Menu(Panel):
    """The list of ways; focused, so that keys reach the screen."""

    can_focus = True


class HomeScreen(ActionScreen):
    where = "home"
    BINDINGS: ClassVar[list[BindingType]] = bindings_on("home")

    def __init__(self) -> None:
        super().__init__()
        self.at = 0

    @property
    def ways(self) -> tuple[str, ...]:
        online = ONLINE if self.wasabi.goes_online else ()
        return (*WAYS[:ONLINE_AT], *online, *WAYS[ONLINE_AT:])

    def compose(self) -> ComposeResult:
        yield Menu("menu")

    def on_mount(self) -> None:
        self.query_one(Menu).focus()

    def on_resize(self) -> None:
        self.restyle()

    def on_screen_resume(self) -> None:
        self.restyle()

    def restyle(self) -> None:
        menu = self.query_one(Menu)
        menu.show(tuple(self._lines(self.size.width, self.size.height)))
        menu.refresh()

    def _lines(self, width: int, height: int) -> list[Line]:
        """The menu in the middle of the screen, whatever its size."""
        say, room = self.texts.say, min(WIDTH, width)
        logo = f"🍣  {say('tui.logo')}  🍙" if self.wasabi.palette.glyphs == "emoji" else say("tui.logo")
        lines: list[Line] = [_centred(logo, room, "key"), _centred(say("tui.motto"), room, "muted"), ()]
        for number, way in enumerate(self.ways):
            chosen, press = number == self.at, ChooseRow(number)
            name, words = fit(f" {say(f'tui.home.{way}')}", 18), say(f"tui.home-about.{way}")
            lead = Span("► " if chosen else "  ", "key", press)
            lines.append(
                (
                    lead,
                    Span(name, "default" if chosen else "strong", press),
                    Span(cut(f"  {words}", max(0, room - 20)), "muted", press),
                )
            )
        names = ("help", "theme", "palette", "leave")
        remapped = self.wasabi.settings.keys
        keys = [f"{shown_keys(BY_ID[one], remapped, self.texts)[0]} {say(f'tui.action.{one}')}" for one in names]
        lines += [(), _centred("   ".join(keys), room, "muted")]
        indent = Span(" " * ((width - room) // 2), "text")
        return [()] * max(0, (height - len(lines)) // 3) + [(indent, *line) for line in lines]

    def handlers(self) -> Mapping[str, Handler]:
        return {
            **super().handlers(),
            "row_up": lambda: self._move(-1),
            "row_down": lambda: self._move(1),
            "choose": lambda: self._go(self.ways[self.at]),
            "help": self._open_help,
            "leave": self.app.exit,
        }

    def _move(self, by: int) -> None:
        self.at = (self.at + by) % len(self.ways)
        self.restyle()

    def on_pressed(self, message: Pressed) -> None:
        message.stop()
        if isinstance(message.press, ChooseRow):
            self.at = message.press.row
            self.restyle()
            self._go(self.ways[self.at])

    def _go(self, way: str) -> None:
        match way:
            case "play":
                self._start(GameWish("classic", 1, 1, "normal"))
            case "table":
                self._choose_table(people=1)
            case "hotseat":
                self._choose_table(people=2)
            case "continue" | "replay":
                self._choose_saved(way)
            case "join" | "watch":
                self.wasabi.ask_invite(way)
            case "host":
                self._open_hosting()
            case "lobby":
                self._open_lobby()
            case "settings":
                self.open_settings()
            case "help":
                self._open_help()
            case "leave":
                self.app.exit()

    def _open_hosting(self) -> None:
        from .hosting import HostPage

        self.app.push_screen(HostPage(), self._host)

    def _host(self, wish: TableWish | None) -> None:
        if wish is not None:
            self.wasabi.visit(self.wasabi.online.host(wish, self.texts))

    def _open_lobby(self) -> None:
        from .lobby import LobbyScreen

        self.app.push_screen(LobbyScreen(self.wasabi.online))

    def _start(self, wish: GameWish) -> None:
        try:
            opened = self.wasabi.games.start(wish, self.texts)
        except NotPossible as refused:
            self.app.notify(str(refused), severity="error", markup=False)
            return
        self.wasabi.open_game(opened)

    def _choose_table(self, people: int) -> None:
        """Edition and seats, from a list of all that make sense."""
        from ...bots.level_names import LEVEL_NAMES
        from .page import ListPage

        say, options = self.texts.say, []
        for name, words in self.wasabi.games.editions(self.texts):
            for persons in (1,) if people == 1 else (2, 3, 4):
                for bots in range(1 if people == 1 else 0, 5 - persons):
                    if persons == 1 and bots:
                        for level in LEVEL_NAMES:
                            key = f"{name} {persons} {bots} {level}"
                            options.append(
                                (key, f"{words}: {say('tui.bots', count=bots)}, {say(f'tui.level.{level}')}")
                            )
                    else:
                        seats = say("tui.people", count=persons) + (f", {say('tui.bots', count=bots)}" if bots else "")
                        options.append((f"{name} {persons} {bots} normal", f"{words}: {seats}"))
        title = say("tui.home.table" if people == 1 else "tui.home.hotseat")
        self.app.push_screen(ListPage(title, options, say("tui.close")), self._chosen)

    def _chosen(self, key: str | None) -> None:
        if key:
            edition, people, bots, level = key.split(" ")
            self._start(GameWish(edition, int(people), int(bots), level))

    def _choose_saved(self, way: str) -> None:
        from .page import ListPage

        say = self.texts.say
        try:
            saved = [one for one in self.wasabi.games.saved(self.texts) if way == "replay" or not one.finished]
            if way == "continue" and self.wasabi.goes_online:
                seats = self.wasabi.online.unfinished(self.texts)
                saved = [*(replace(one, name=f"{TABLE}{one.name}") for one in seats), *saved]
        except NotPossible as refused:
            self.app.notify(str(refused), severity="error", markup=False)
            return
        if not saved:
            self.app.notify(say("tui.nothing-saved"), markup=False)
            return
        options = [(one.name, one.words) for one in saved]
        page = ListPage(say(f"tui.home.{way}"), options, say("tui.close"))
        self.app.push_screen(page, self._continue if way == "continue" else self._replay)

    def _continue(self, name: str | None) -> None:
        if not name:
            return
        if name.startswith(TABLE):
            self.wasabi.visit(self.wasabi.online.resume(name.removeprefix(TABLE), self.texts))
            return
        try:
            self.wasabi.open_game(self.wasabi.games.resume(name, self.texts))
        except NotPossible as refused:
            self.app.notify(str(refused), severity="error", markup=False)

    def _replay(self, name: str | None) -> None:
        if not name:
            return
        try:
            self.wasabi.open_replay(self.wasabi.games.read(name, self.texts))
        except NotPossible as refused:
            self.app.notify(str(refused), severity="error", markup=False)

    def _open_help(self) -> None:
        from ...engine.editions import rules_for
        from ..draw.pages import help_lines

        lines = help_lines(rules_for("classic", 2), None, self.texts, self.wasabi.settings.keys, "home")
        self.open_page("help", lines)


def _centred(text: str, width: int, role: str) -> Line:
    words = cut(text, width)
    return (Span(" " * ((width - cell_len(words)) // 2), "text"), Span(words, role))

"""Home: everything that can be done, one key away."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from ...engine.editions import rules_for
from ..actions import BY_ID, shown_keys
from ..content import plain
from ..desk import Refused, Wish
from . import about
from .acting import Acting, acting_bindings
from .page import ListPage, TextPage

LOGO = "🍣  W A S A B I !  🍙"
BARE_LOGO = "W A S A B I !"
WAYS = ("play", "table", "hotseat", "continue", "replay", "settings", "help", "leave")


class Home(Acting):
    where = "home"
    BINDINGS: ClassVar[list[BindingType]] = acting_bindings("home")

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(id="logo")
            yield Static(id="motto")
            yield OptionList(*(Option("", id=way) for way in WAYS))
            yield Static(id="keys")

    def on_mount(self) -> None:
        self.query_one(OptionList).focus()
        self.restyle()

    def on_screen_resume(self) -> None:
        self.restyle()

    def restyle(self) -> None:
        say = self.texts.say
        self.query_one("#logo", Static).update(plain(LOGO if self.wasabi.palette.glyphs == "emoji" else BARE_LOGO))
        self.query_one("#motto", Static).update(plain(say("tui.motto")))
        options = self.query_one(OptionList)
        for way in WAYS:
            options.replace_option_prompt(way, plain(f"{say(f'tui.home.{way}'):<20} {say(f'tui.home-about.{way}')}"))
        shown = [
            (shown_keys(BY_ID[name], self.wasabi.settings.keys)[0], name)
            for name in ("help", "theme", "palette", "leave")
        ]
        keys = "   ".join(f"{key} {say(f'tui.action.{name}')}" for key, name in shown)
        self.query_one("#keys", Static).update(plain(keys))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        way = event.option.id or ""
        if way == "play":
            self._start(Wish("classic", 1, 1, "normal"))
        elif way == "table":
            self._choose_table(people=1)
        elif way == "hotseat":
            self._choose_table(people=2)
        elif way in ("continue", "replay"):
            self._choose_saved(way)
        else:
            getattr(self, f"do_{way}")()

    def _start(self, wish: Wish) -> None:
        try:
            opened = self.wasabi.desk.start(wish, self.texts)
        except Refused as refused:
            self.app.notify(str(refused), severity="error", markup=False)
            return
        self.wasabi.open_game(opened)

    def _choose_table(self, people: int) -> None:
        """Edition and seats, from a list of all that make sense."""
        say, options = self.texts.say, []
        for name, words in self.wasabi.desk.editions(self.texts):
            for persons in (1,) if people == 1 else (2, 3, 4):
                for bots in range(1 if people == 1 else 0, 5 - persons):
                    if persons == 1 and bots:
                        for level in ("easy", "normal"):
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
            self._start(Wish(edition, int(people), int(bots), level))

    def _choose_saved(self, way: str) -> None:
        say = self.texts.say
        try:
            saved = [one for one in self.wasabi.desk.saved(self.texts) if way == "replay" or not one.finished]
        except Refused as refused:
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
        try:
            self.wasabi.open_game(self.wasabi.desk.resume(name, self.texts))
        except Refused as refused:
            self.app.notify(str(refused), severity="error", markup=False)

    def _replay(self, name: str | None) -> None:
        if not name:
            return
        try:
            self.wasabi.open_replay(self.wasabi.desk.read(name, self.texts))
        except Refused as refused:
            self.app.notify(str(refused), severity="error", markup=False)

    def do_help(self) -> None:
        lines = about.help_lines(rules_for("classic", 2), None, self.texts, self.wasabi.settings.keys, "home")
        self.app.push_screen(TextPage(self.texts.say("tui.about.help"), lines, self.texts.say("tui.close")))

    def do_leave(self) -> None:
        self.app.exit()

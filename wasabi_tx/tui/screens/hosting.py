"""Hosting a table: every choice has a default, and the first Enter takes them all."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from ...bots.level_names import LEVEL_NAMES
from ...table.online.terms import DAY, HOUR
from ...text import Texts
from ...text.cells import fit
from ...text.foreign import clean
from ...view.online.waiting_room import clock_line
from ..draw.keys_line import KeyHint
from ..keys import bindings_on
from ..services import TableWish
from ..wasabi_app import wasabi_app
from ..widgets.foot_bar import FootBar
from ..widgets.marked_list import MarkedList
from .page import Page, following

CLOCKS = (0, 60, 180, 600, 8 * HOUR, DAY, 3 * DAY, 7 * DAY)
"""Seconds a turn; from 8 hours on it is by correspondence."""
MOST = 4
NAMES = (
    "open",
    "anywhere",
    "edition",
    "seats",
    "least",
    "bots",
    "level",
    "welcome",
    "private",
    "clock",
    "quick-start",
    "hints",
    "watchers-talk",
)
SWITCHES = ("hints", "quick-start", "watchers-talk")


class HostPage(Page[TableWish]):
    """Gives the wish, or nothing."""

    BINDINGS: ClassVar[list[BindingType]] = bindings_on("hosting")

    def __init__(self) -> None:
        super().__init__()
        self.wish = TableWish(options=("quick-start",))

    def compose(self) -> ComposeResult:
        with Vertical():
            yield MarkedList(*(Option("", id=name) for name in NAMES))
            yield FootBar()

    def on_mount(self) -> None:
        self._editions = wasabi_app(self).games.editions(self._texts)
        self.query_one(OptionList).focus()
        self._show()

    @property
    def _texts(self) -> Texts:
        return wasabi_app(self).texts

    def _show(self) -> None:
        say = self._texts.say
        options = self.query_one(OptionList)
        for name in NAMES:
            words = say(f"hosting.{name}")
            line = words if name == "open" else f"{fit(words, 32)} ‹ {self._value(name)} ›"
            options.replace_option_prompt(name, Content(line))
        self.entitle(say("tui.home.host"))
        opens = not self.query_one(OptionList).highlighted
        others = () if opens else (KeyHint("← →", say("tui.change-it").lower()),)
        self.show_keys(say("hosting.open" if opens else "tui.change-it"), *others)

    def on_option_list_option_highlighted(self) -> None:
        self._show()

    def _value(self, name: str) -> str:
        say, wish = self._texts.say, self.wish
        yes_no = {True: say("tui.yes"), False: say("tui.no")}
        match name:
            case "edition":
                return clean(dict(self._editions).get(wish.edition, wish.edition), 30)
            case "level":
                return say(f"tui.level.{wish.level}")
            case "clock":
                return clock_line(wish.clock, self._texts)
            case "anywhere":
                return say(f"hosting.for-{'anywhere' if wish.anywhere else 'network'}")
            case "welcome" | "private":
                return yes_no[bool(getattr(wish, name))]
            case "hints" | "quick-start" | "watchers-talk":
                return yes_no[name in wish.options]
        return str(getattr(wish, name))

    def action_act(self, name: str) -> None:
        option = self.query_one(OptionList).highlighted
        if name not in ("value_before", "value_after"):
            super().action_act(name)
        elif option is not None and NAMES[option] != "open":
            self._turn(NAMES[option], -1 if name == "value_before" else 1)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        name = event.option.id or "open"
        if name == "open":
            self.dismiss(self.wish)
        else:
            self._turn(name, 1)

    def _turn(self, name: str, by: int) -> None:
        wish = self.wish
        match name:
            case "edition":
                wish = replace(wish, edition=following([key for key, _ in self._editions], wish.edition, by))
            case "seats":
                wish = replace(wish, seats=following(range(2, MOST + 1), wish.seats, by))
                wish = replace(wish, least=wish.seats)
            case "least":
                wish = replace(wish, least=following(range(2, wish.seats + 1), wish.least, by))
            case "bots":
                wish = replace(wish, bots=following(range(wish.seats), wish.bots, by))
            case "level":
                wish = replace(wish, level=following(LEVEL_NAMES, wish.level, by))
            case "clock":
                wish = replace(wish, clock=following(CLOCKS, wish.clock, by))
            case "hints" | "quick-start" | "watchers-talk":
                wish = replace(wish, options=tuple(one for one in SWITCHES if (one in wish.options) != (one == name)))
            case "anywhere":
                wish = replace(wish, anywhere=not wish.anywhere)
            case "private":
                wish = replace(wish, private=not wish.private)
            case "welcome":
                wish = replace(wish, welcome=not wish.welcome)
        self.wish = replace(wish, bots=min(wish.bots, wish.seats - 1))
        self._show()

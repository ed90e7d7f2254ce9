"""The parts that waiting room and lobby share: a head, the belt, one button, the keys, and a line to type."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widget import Widget
from textual.widgets import Static

from ...text.foreign import clean
from ..bindings import footer_on
from ..safe_text import plain
from ..widgets.belt import Belt
from ..widgets.line import Line, Taken
from ..widgets.page_foot import PageFoot
from ..widgets.page_head import PageHead
from .base import WasabiScreen

ROOMY = 34
"""Fewest rows for a screen with plates below its head."""


class Primary(NamedTuple):
    """The action of a screen's one button or, without an action, what the user waits for."""

    action: str
    words: str
    note: str = ""


class OnlineScreen(WasabiScreen[None]):
    """A subclass implements `compose_body` and `refresh_body`, and has `online_screen.tcss` in its `CSS_PATH`.

    It keeps its widgets instead of querying them, because events may arrive while the screen is being removed.
    """

    _named = ""
    _editions: Mapping[str, str] = MappingProxyType({})

    def __init__(self) -> None:
        super().__init__()
        self.head = PageHead()
        self.belt = Belt(classes="-large")
        self.button = PageFoot(classes="-button")
        self.keys = PageFoot(classes="-plain")
        self.lead = Static(id="lead")
        self.keyboard = Line(self.run_key)

    def compose(self) -> ComposeResult:
        yield self.head
        yield self.belt
        yield from self.compose_body()
        with Horizontal(id="bar"):
            yield self.button
            yield self.lead
            yield self.keyboard
        yield self.keys

    def compose_body(self) -> Iterable[Widget]:
        """Yield everything between the head, or the belt, and the button."""
        raise NotImplementedError

    def on_mount(self) -> None:
        self.keyboard.focus()
        self.watch(self.app, "texts", self.draw, init=False)
        self.watch(self.app, "paints", self.draw, init=False)
        self.draw()

    def on_resize(self) -> None:
        self.draw()

    def on_screen_resume(self) -> None:
        self.draw()

    # Drawing

    def draw(self) -> None:
        """Show what is known now."""
        width, height = self.size
        if not width or not self.is_running:
            return
        self.belt.display = self.wasabi.paints.depth and height >= ROOMY
        self.head.heading, self.head.state, self.head.alarm = self.header()
        self.refresh_body()
        primary = self.primary()
        self._show_button(primary)
        gone = {*self.idle(), *([primary.action] if primary is not None else ())}
        self.keys.hints = tuple(self.hint(one.id) for one in footer_on(self.where) if one.id not in gone)

    def _show_button(self, primary: Primary | None) -> None:
        if primary is None:
            self.button.button, self.button.note = None, ""
        elif primary.action:
            self.button.button, self.button.note = self.hint(primary.action, clean(primary.words, 40)), primary.note
        else:
            self.button.button, self.button.note = None, primary.words

    def header(self) -> tuple[str, str, bool]:
        """Return the screen's subject and state, and True if that state is a problem."""
        raise NotImplementedError

    def primary(self) -> Primary | None:
        """Return the one button's action; None if no key is more useful than the others."""
        return None

    def idle(self) -> Collection[str]:
        """Return the actions that do nothing here now."""
        return ()

    def refresh_body(self) -> None:
        """Show all that `compose_body` yielded as it is now."""
        raise NotImplementedError

    def edition_name(self, edition: str) -> str:
        """Return an edition's name in the user's language, or its id if it is unknown. The files are read once."""
        language = self.texts.language
        if self._named != language:
            self._named, self._editions = language, dict(self.wasabi.games.editions(self.texts))
        return self._editions.get(edition, edition)

    # Typed lines

    async def send_talk(self, text: str) -> None:
        """Say a line to everybody here."""
        raise NotImplementedError

    def action_talk(self) -> None:
        self.open_line()

    def open_line(self, taken: Taken | None = None, lead: str = "tui.talk-to") -> None:
        """Open a line for talk, or for the function that receives it, after the words of `lead`."""
        self.lead.update(plain(f" {self.texts.say(lead)} "))
        self.keyboard.open(taken or self._say, self._line_changed)

    def _line_changed(self) -> None:
        self.set_class(self.keyboard.is_open, "-typing")
        self.draw()

    async def _say(self, line: str) -> None:
        if line.strip():
            self.run_worker(self.send_talk(line), name="say")

    def action_help(self) -> None:
        """Open the keys of this screen and the rules, without the pictures of a table."""
        from ...engine.editions import rules_for

        self.open_help(rules_for("classic", 2), board=False)

"""The base of every screen: its keys come from the one list, and each runs an action of the screen."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Sequence
from inspect import isawaitable
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeVar

from textual import events, on
from textual.screen import Screen

from ...text.foreign import clean
from ..bindings import BY_ID, KeyAction, shown_keys, translated
from ..widgets.page_foot import KeyHint

if TYPE_CHECKING:
    from textual.binding import ActiveBinding

    from ...engine.observe import Observation
    from ...engine.rules import AnyRules
    from ...text import Texts
    from ...view.table.table import TableView
    from ..app import WasabiApp
    from ..paints import Paints
    from ..text_lines import TextLine
    from ..widgets.tall_picture import TallPicture

LONGEST = 400
MOMENT = 0.05
"""Most seconds until an event from elsewhere is drawn."""

R = TypeVar("R")


class WasabiScreen(Screen[R]):
    """Runs the method `action_ID` when the key of an action is pressed, or something with that meaning is clicked.

    A subclass sets `BINDINGS = bindings_on(where)`. A screen that is typed into yields `Line(self.run_key)` and gives
    it the focus.
    """

    # Paintings have no text to select, and for every click Textual would draw the whole screen twice.
    ALLOW_SELECT: ClassVar[bool] = False
    where: ClassVar[str] = ""
    _drawing = False

    @on(events.Mount)
    def _watch_signs(self) -> None:
        self.watch(self.app, "paints", self._follow_signs, init=False)

    def _follow_signs(self, before: Paints, after: Paints) -> None:
        """Refresh all text if the set of signs changed, which no style of a widget tells."""
        if before.ascii != after.ascii:
            self.query("*").refresh()

    @property
    def wasabi(self) -> WasabiApp:
        """The running app; our screens run in no other."""
        from ..app import WasabiApp

        assert isinstance(self.app, WasabiApp)
        return self.app

    @property
    def texts(self) -> Texts:
        return self.wasabi.texts

    @property
    def parts(self) -> Sequence[object]:
        """Objects other than the screen that implement its actions."""
        return ()

    def offers(self, action: KeyAction) -> bool:
        """Return whether an action can be done here at all: keys, footer, palette and help follow it."""
        del action
        return True

    def refuse(self, action: KeyAction) -> None:
        """Say why an action is not offered here."""
        del action

    @property
    def active_bindings(self) -> dict[str, ActiveBinding]:
        """The bindings that work now, described in the language of the app."""
        language = self.texts.language
        return {
            key: active._replace(binding=(binding := translated(active.binding, language)), tooltip=binding.tooltip)
            for key, active in super().active_bindings.items()
        }

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Disable actions that are not offered; their keys still arrive, so that `refuse` can say why."""
        if action == "act" and (named := BY_ID.get(str(parameters[0]))) is not None:
            return True if self.offers(named) else None
        return super().check_action(action, parameters)

    async def action_act(self, name: str) -> None:
        """Run an action of the list by its id."""
        if (named := BY_ID.get(name)) is not None and not self.offers(named):
            self.refuse(named)
            return
        result = self.find_action(name)()
        if isawaitable(result):
            await result

    def find_action(self, name: str) -> Callable[[], Awaitable[None] | None]:
        """Return the method `action_NAME` of this screen, or of the first part that has one."""
        found = next(part for part in (self, *self.parts) if hasattr(part, f"action_{name}"))
        method: Callable[[], Awaitable[None] | None] = getattr(found, f"action_{name}")
        return method

    async def run_key(self, event: events.Key) -> None:
        """Do what a key is bound to now, before the next key is read."""
        active = self.active_bindings.get(event.key)
        if active is None:
            return
        event.stop()
        if active.enabled:
            await self.app.run_action(active.binding.action, active.node)
        elif active.binding.id is not None:
            self.refuse(BY_ID[active.binding.id])

    def key_of(self, action: str) -> str:
        """Return the first key of an action as the person here has set it."""
        return shown_keys(BY_ID[action], self.wasabi.settings.keys, self.texts)[0]

    def hint(self, action: str, words: str = "") -> KeyHint:
        """Return the key of an action with a few words, by default its name; a click runs it."""
        return KeyHint(self.key_of(action), words or self.texts.say(f"tui.action.{action}"), action)

    def show_notice(self, words: str, severity: Literal["information", "warning", "error"] = "information") -> None:
        """Show a notification, with any text of strangers made harmless."""
        self.app.notify(clean(words, LONGEST), severity=severity, timeout=8, markup=False)

    def open_page(self, key: str, lines: Sequence[TextLine], picture: TallPicture[Any] | None = None) -> None:
        """Open something to read; its title is the name of the action that opens it."""
        from .page import TextPage

        self.app.push_screen(TextPage(self.texts.say(f"tui.action.{key}"), lines, picture))

    def open_who(self, observation: Observation, view: TableView) -> None:
        """Open what everybody has and has completed."""
        from ..draw.who import WhoPicture, WhoView

        self.open_page("who", (), WhoPicture(WhoView(observation, view)))

    def open_help(
        self, rules: AnyRules, slot: str | None = None, without: Collection[str] = (), *, board: bool = True
    ) -> None:
        """Open help on the keys of this screen and on the rules, for a `board` with pictures of what lies there."""
        from ..draw.legend import LegendPicture
        from ..draw.pages import help_pages
        from .help import HelpPage

        keys = {name: self.key_of(name) for name in ("accept", "under")}
        pages = help_pages(rules, slot, self.texts, self.wasabi.settings.keys, self.where, without)
        self.app.push_screen(HelpPage(pages, self.texts, LegendPicture(rules.edition, keys) if board else None))

    def open_book(self, observation: Observation) -> None:
        """Open the recipe book as the observation shows it."""
        from .book import BookPage

        self.app.push_screen(BookPage(observation, self.texts))

    def action_settings(self) -> None:
        from ..forms.settings import SettingsForm
        from .form import FormPage

        self.app.push_screen(FormPage(SettingsForm(self.wasabi)))

    def action_theme(self) -> None:
        from .themes import ThemesPage

        self.app.push_screen(ThemesPage())

    def action_palette(self) -> None:
        self.app.action_command_palette()

    def draw(self) -> None:
        """Bring the screen up to date."""
        raise NotImplementedError

    def draw_soon(self) -> None:
        """Schedule one redraw for everything that happens within a moment."""
        if not self._drawing:
            self._drawing = True
            self.set_timer(MOMENT, self._draw_late)

    def _draw_late(self) -> None:
        self._drawing = False
        # Textual may already be taking away the widgets of a screen that was switched.
        if self.is_running:
            self.draw()

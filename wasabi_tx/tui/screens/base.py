"""The base of every whole screen: its keys come from the one list, and each runs what the screen does for it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Literal

from textual.screen import Screen

from ...text.foreign import clean
from ..compositor import ExactCompositor
from ..keys import BY_ID, KeyAction, keys_on
from ..wasabi_app import wasabi_app

if TYPE_CHECKING:
    from textual import events

    from ...engine.observe import Observation
    from ...engine.rules import AnyRules
    from ...text import Texts
    from ...view.table.table import TableView
    from ..app import WasabiApp
    from ..spans import Line
    from .page import Picture

LONGEST = 400
MOMENT = 0.05
"""Seconds that what happens elsewhere may wait to be drawn."""

Handler = Callable[[], Awaitable[None] | None]
"""What an action does."""


class ActionScreen(Screen[None]):
    """Runs the handler of an action when its key is pressed, or something with the same meaning is clicked."""

    # Paintings have no text to select, and for every click Textual would draw the whole screen twice.
    ALLOW_SELECT: ClassVar[bool] = False
    where: ClassVar[str] = ""
    _drawing = False

    def __init__(self) -> None:
        super().__init__()
        self._compositor = ExactCompositor()

    @property
    def wasabi(self) -> WasabiApp:
        return wasabi_app(self)

    @property
    def texts(self) -> Texts:
        return self.wasabi.texts

    def handlers(self) -> Mapping[str, Handler]:
        """What each action of this screen does, by the action's name."""
        return {
            "theme": self.open_themes,
            "settings": self.open_settings,
            "palette": self.app.action_command_palette,
        }

    def offers(self, action: KeyAction) -> bool:
        """Whether an action can be done here at all: keys, footer, palette and help follow it."""
        del action
        return True

    def refuse(self, action: KeyAction) -> None:
        """This action was asked for, and this screen does not offer it."""
        del action

    async def action_act(self, name: str) -> None:
        if not self.offers(BY_ID[name]):
            self.refuse(BY_ID[name])
            return
        result = self.handlers()[name]()
        if result is not None:
            await result

    async def take_key(self, event: events.Key) -> None:
        """Does what a key of this screen does, before the keyboard looks at the next one."""
        name = keys_on(self.where, self.wasabi.settings.keys).get(event.key)
        if name is not None:
            event.stop()
            await self.action_act(name)

    def tell(self, words: str, severity: Literal["information", "warning", "error"] = "information") -> None:
        """A notification; text of strangers in it is made harmless."""
        self.app.notify(clean(words, LONGEST), severity=severity, timeout=8, markup=False)

    def open_page(self, key: str, lines: Sequence[Line], picture: Picture | None = None) -> None:
        """Something to read; its title is the name of the action that opens it."""
        from .page import TextPage

        say = self.texts.say
        self.app.push_screen(TextPage(say(f"tui.action.{key}"), lines, picture))

    def open_who(self, observation: Observation, view: TableView) -> None:
        """What everybody has and has completed."""
        from ..draw.sheet import Means
        from ..draw.who import paint_who
        from ..scene import ingredients

        edition = observation.rules.edition
        cards = {one.code: one.names[self.texts.language].partition(" (")[0] for one in edition.actions}
        means = Means(self.wasabi.paints, self.texts, ingredients(edition), cards, {})
        self.open_page("who", (), lambda width: paint_who(observation, view, means, width))

    def open_help(self, rules: AnyRules, lines: Sequence[Line]) -> None:
        """Help with pictures of what lies at a table."""
        from ..draw.legend import paint_legend
        from ..draw.sheet import Means
        from ..keys import shown_keys
        from ..scene import ingredients

        keys = {name: shown_keys(BY_ID[name], self.wasabi.settings.keys, self.texts)[0] for name in ("accept", "under")}
        means = Means(self.wasabi.paints, self.texts, ingredients(rules.edition), {}, keys)
        self.open_page("help", lines, lambda width: paint_legend(rules.edition, means, width))

    def open_book(self, observation: Observation) -> None:
        """The recipe book as the observation shows it."""
        from .book import BookPage

        self.app.push_screen(BookPage(observation, self.texts))

    def open_settings(self) -> None:
        from ..forms.settings import SettingsForm
        from .form import FormPage

        self.app.push_screen(FormPage(SettingsForm(self.wasabi)))

    def open_themes(self) -> None:
        from .themes import ThemesPage

        self.app.push_screen(ThemesPage())

    def draw(self) -> None:
        """Brings the screen up to date."""
        raise NotImplementedError

    def draw_soon(self) -> None:
        """Draws once for all that happens within a moment."""
        if not self._drawing:
            self._drawing = True
            self.set_timer(MOMENT, self._draw_late)

    def _draw_late(self) -> None:
        self._drawing = False
        self.draw()

    def restyle(self) -> None:
        """Theme, language or keys have changed."""

"""Settings: each line is a setting; Enter changes it at once."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from ...text import LANGUAGES, Texts
from ...view.names import LONGEST, clean_name
from ...view.theme import GLYPHS
from ..keyboard import edited
from ..safe_text import clean, fit, plain
from ..wasabi_app import wasabi_app
from ..widgets.marked_list import MarkedList
from .page import Page, following

NAMES = ("name", "language", "theme", "glyphs", "reduced_motion", "bell")


class SettingsPage(Page[None]):
    typed: str | None = None
    """The name that is being typed; None while nobody types."""

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(classes="title")
            yield MarkedList(*(Option("", id=name) for name in NAMES))
            yield Static(id="sample")
            yield Static(classes="foot")

    def on_mount(self) -> None:
        self.query_one(OptionList).focus()
        self._show()

    @property
    def _texts(self) -> Texts:
        return wasabi_app(self).texts

    def _show(self) -> None:
        app, say = wasabi_app(self), self._texts.say
        settings = app.settings
        theme = next(
            (one.names[self._texts.language] for one in app.themes if one.id == settings.theme), settings.theme
        )
        yes_no = {True: say("tui.yes"), False: say("tui.no")}
        values = {
            "name": (settings.name or say("tui.as-login")) if self.typed is None else f"{self.typed}_",
            "language": say("tui.language.name"),
            "theme": theme,
            "glyphs": say(f"tui.glyphs.{settings.glyphs}"),
            "reduced_motion": yes_no[settings.reduced_motion],
            "bell": yes_no[settings.bell],
        }
        options = self.query_one(OptionList)
        for name in NAMES:
            words = fit(say(f"tui.setting.{name}"), 24)
            options.replace_option_prompt(name, Content(f"{words} {clean(values[name], 40)}"))
        how = say("tui.settings-how") if self.typed is None else say("tui.typing-how", count=LONGEST)
        self.query_one(".title", Static).update(plain(say("tui.about.settings")))
        self.query_one(".foot", Static).update(plain(how))
        self.query_one("#sample", Static).update(plain(say("tui.glyph-test") + "\n|🍣|🥑|🍙|🦐|\n|Sa|Av|Ma|Sh|"))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        app = wasabi_app(self)
        settings = app.settings
        self.typed = None
        match event.option.id:
            case "name":
                self.typed = ""
            case "language":
                app.change(language=following(LANGUAGES, self._texts.language))
            case "theme":
                app.next_theme()
            case "glyphs":
                app.change(glyphs=following(GLYPHS, settings.glyphs))
            case "reduced_motion":
                app.change(reduced_motion=not settings.reduced_motion)
            case "bell":
                app.change(bell=not settings.bell)
        self._show()

    def on_key(self, event: events.Key) -> None:
        if self.typed is None:
            return
        event.stop()
        if event.key == "enter":
            self._rename(self.typed)
        else:
            self.typed = edited(self.typed, event, LONGEST)
        self._show()

    def on_paste(self, event: events.Paste) -> None:
        if self.typed is not None:
            event.stop()
            self.typed = (self.typed + clean(event.text))[:LONGEST]
            self._show()

    def _rename(self, text: str) -> None:
        self.typed, name = None, clean_name(text)
        if name is not None:
            wasabi_app(self).change(name=name)

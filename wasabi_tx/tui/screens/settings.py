"""Settings: each line is a setting; Enter changes it at once."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from ...text import LANGUAGES, Texts
from ...view.theme import GLYPHS
from ..content import plain
from .page import Page

NAMES = ("language", "theme", "glyphs", "reduced_motion", "bell")


class SettingsPage(Page[None]):
    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(classes="title")
            yield OptionList(*(Option("", id=name) for name in NAMES))
            yield Static(id="sample")
            yield Static(classes="foot")

    def on_mount(self) -> None:
        self.query_one(OptionList).focus()
        self._show()

    @property
    def _texts(self) -> Texts:
        texts: Texts = self.app.texts  # type: ignore[attr-defined]
        return texts

    def _show(self) -> None:
        from ..app import WasabiApp

        app, say = self.app, self._texts.say
        assert isinstance(app, WasabiApp)
        settings = app.settings
        theme = next(
            (one.names[self._texts.language] for one in app.themes if one.id == settings.theme), settings.theme
        )
        yes_no = {True: say("tui.yes"), False: say("tui.no")}
        values = {
            "language": say(f"tui.language.{self._texts.language}"),
            "theme": theme,
            "glyphs": say(f"tui.glyphs.{settings.glyphs}"),
            "reduced_motion": yes_no[settings.reduced_motion],
            "bell": yes_no[settings.bell],
        }
        options = self.query_one(OptionList)
        for name in NAMES:
            options.replace_option_prompt(name, plain(f"{say(f'tui.setting.{name}'):<24} {values[name]}"))
        self.query_one(".title", Static).update(plain(say("tui.about.settings")))
        self.query_one(".foot", Static).update(plain(say("tui.settings-how")))
        self.query_one("#sample", Static).update(plain(say("tui.glyph-test") + "\n|🍣|🥑|🍙|🦐|\n|Sa|Av|Ma|Sh|"))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        from ..app import WasabiApp

        app = self.app
        assert isinstance(app, WasabiApp)
        settings = app.settings
        match event.option.id:
            case "language":
                app.change(language=_after(LANGUAGES, self._texts.language))
            case "theme":
                app.next_theme()
            case "glyphs":
                app.change(glyphs=_after(GLYPHS, settings.glyphs))
            case "reduced_motion":
                app.change(reduced_motion=not settings.reduced_motion)
            case "bell":
                app.change(bell=not settings.bell)
        self._show()


def _after(values: tuple[str, ...], value: str) -> str:
    return values[(values.index(value) + 1) % len(values)] if value in values else values[0]

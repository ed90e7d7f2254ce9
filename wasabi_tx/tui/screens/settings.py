"""Settings: each line is a setting; Enter changes it at once."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from ...text import LANGUAGES, Texts
from ...text.cells import fit
from ...text.foreign import clean
from ...view.names import LONGEST, clean_name
from ...view.settings import PACES
from ...view.theme import GLYPHS
from ..forms.form import following
from ..safe_text import plain
from ..wasabi_app import wasabi_app
from ..widgets.foot_bar import FootBar
from ..widgets.keyboard import Keyboard
from ..widgets.marked_list import MarkedList
from .page import Page

VALUE_AT = 27
"""The column of a value in the list, its mark included."""
NAMES = ("name", "language", "theme", "glyphs", "reduced_motion", "pace", "quick_start", "notes", "bell")


class SettingsPage(Page[None]):
    def compose(self) -> ComposeResult:
        self.keyboard = Keyboard()
        with Vertical():
            yield MarkedList(*(Option("", id=name) for name in NAMES))
            yield Static(id="sample")
            yield FootBar()
            yield self.keyboard

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
            "name": "" if self.keyboard.is_open else settings.name or say("tui.as-login"),
            "language": say("tui.language.name"),
            "theme": theme,
            "glyphs": say(f"tui.glyphs.{settings.glyphs}"),
            "reduced_motion": yes_no[settings.reduced_motion],
            "pace": say(f"tui.pace.{settings.pace}"),
            "quick_start": yes_no[settings.quick_start],
            "notes": yes_no[settings.notes],
            "bell": yes_no[settings.bell],
        }
        options = self.query_one(OptionList)
        for name in NAMES:
            words = fit(say(f"tui.setting.{name}"), 24)
            options.replace_option_prompt(name, Content(f"{words} {clean(values[name], 40)}"))
        self.entitle(say("tui.action.settings"))
        if self.keyboard.is_open:
            enter, below = "tui.take-name", say("tui.typing-how", count=LONGEST)
        elif self._at == "glyphs":
            enter, below = "tui.change-it", say("tui.glyph-test") + "\n|🍣|🥑|🍙|🦐|\n|Sa|Av|Ma|Sh|"
        else:
            enter = "tui.choose-from-list" if self._at == "theme" else "tui.change-it"
            below = say(f"tui.setting-about.{self._at}")
        self.show_keys(say(enter))
        self.query_one("#sample", Static).update(plain(below))

    @property
    def _at(self) -> str:
        """The setting under the cursor."""
        return NAMES[self.query_one(OptionList).highlighted or 0]

    def on_option_list_option_highlighted(self) -> None:
        self._show()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        app = wasabi_app(self)
        settings = app.settings
        match event.option.id:
            case "name":
                self._type_name()
            case "language":
                app.change(language=following(LANGUAGES, self._texts.language))
            case "theme":
                self._choose_theme()
            case "glyphs":
                app.change(glyphs=following(GLYPHS, settings.glyphs))
            case "reduced_motion" | "quick_start" | "notes" | "bell" as name:
                app.change(**{name: not getattr(settings, name)})
            case "pace":
                app.change(pace=following(PACES, settings.pace))
        self._show()

    def _choose_theme(self) -> None:
        from .themes import ThemesPage

        self.app.push_screen(ThemesPage(), lambda _: self._show())

    def _type_name(self) -> None:
        """The name is typed where it is shown."""
        self.keyboard.display = True
        self.set_focus(self.keyboard)
        self.keyboard.open(self._rename, self._typing, LONGEST)

    def _typing(self) -> None:
        """Typing a name begins or ends."""
        options = self.query_one(OptionList)
        if not self.keyboard.is_open:
            self.keyboard.display = False
            self.set_focus(options)
        self._place_name()
        self._show()

    def _place_name(self) -> None:
        options, box = self.query_one(OptionList), self.query_one(Vertical).content_region
        self.keyboard.place(options.region.x - box.x + VALUE_AT, options.region.y - box.y, LONGEST + 1)

    def on_resize(self) -> None:
        self.call_after_refresh(self._place_name)

    async def _rename(self, text: str) -> None:
        name = clean_name(text)
        if name is not None:
            wasabi_app(self).change(name=name)
        self._show()

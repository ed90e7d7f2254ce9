"""Settings as fields: each change takes effect at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...app.settings import PACES
from ...app.theme import GLYPHS
from ...text import LANGUAGES, Texts
from ...text.foreign import clean
from ...view.names import clean_name
from ...view.press import ENTERS
from .form import Field, FieldGroup, Form, following

if TYPE_CHECKING:
    from ..app import WasabiApp

GROUPS = {
    "you": ("name", "language"),
    "look": ("theme", "glyphs", "reduced_motion", "pace"),
    "play": ("enter", "as_printed", "notes", "bell"),
}


def setting_field(app: WasabiApp, name: str, texts: Texts) -> Field:
    """Make the field of a setting: its value and an explanation."""
    say, settings = texts.say, app.settings
    about, sample = say(f"tui.setting-about.{name}"), ""
    match name:
        case "name":
            value = clean(settings.name)
            return Field(name, say("tui.setting.name"), value, about, typed=True, placeholder=say("tui.as-login"))
        case "language":
            value = say("tui.language.name")
        case "theme":
            value, sample = clean(app.shown_theme.names[texts.language], 20), "tiles"
        case "glyphs":
            value, about = say(f"tui.glyphs.{settings.glyphs}"), say(f"tui.glyphs-about.{settings.glyphs}")
            sample = "emoji" if settings.glyphs == "emoji" else "tiles"
        case "pace":
            value = say(f"tui.pace.{settings.pace}")
        case "enter":
            value, about = say(f"tui.enter.{settings.enter}"), say(f"tui.enter-about.{settings.enter}")
        case _:
            value = say("tui.yes" if getattr(settings, name) else "tui.no")
    return Field(name, say(f"tui.setting.{name}"), value, about, sample=sample)


def turned(app: WasabiApp, name: str, by: int) -> dict[str, object]:
    """Return a setting with its next or previous value."""
    settings = app.settings
    match name:
        case "language":
            return {name: following(LANGUAGES, app.texts.language, by)}
        case "theme":
            return {name: following([one.id for one in app.themes], app.shown_theme.id, by)}
        case "glyphs":
            return {name: following(GLYPHS, settings.glyphs, by)}
        case "pace":
            return {name: following(PACES, settings.pace, by)}
        case "enter":
            return {name: following(ENTERS, settings.enter, by)}
    return {name: not getattr(settings, name)}


class SettingsForm(Form[None]):
    result: None = None

    def __init__(self, app: WasabiApp) -> None:
        self._app = app

    def title(self, texts: Texts) -> str:
        return texts.say("tui.action.settings")

    def button(self, texts: Texts) -> str:
        return texts.say("form.done")

    def summary(self, texts: Texts) -> str:
        return texts.say("form.at-once")

    def groups(self, texts: Texts) -> list[FieldGroup]:
        return [
            FieldGroup(texts.say(f"form.{group}"), tuple(setting_field(self._app, name, texts) for name in names))
            for group, names in GROUPS.items()
        ]

    def turn(self, field: str, by: int) -> None:
        self._app.change(**turned(self._app, field, by))

    def write(self, field: str, text: str) -> None:
        name = clean_name(text)
        if name is not None:
            self._app.change(**{field: name})

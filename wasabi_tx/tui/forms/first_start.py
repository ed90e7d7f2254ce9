"""The first start: name, language, theme and signs, all filled in; each change shows at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...text import LANGUAGES, Texts
from ...text.foreign import clean
from ...view.names import clean_name
from ...view.theme import GLYPHS
from .form import Field, FieldGroup, following

if TYPE_CHECKING:
    from ..app import WasabiApp


class FirstStartForm:
    def __init__(self, app: WasabiApp, name: str) -> None:
        self._app = app
        self.result = name

    def title(self, texts: Texts) -> str:
        return texts.say("first.welcome")

    def button(self, texts: Texts) -> str:
        return texts.say("first.go")

    def leaving(self, texts: Texts) -> str:
        return texts.say("tui.action.leave")

    def summary(self, texts: Texts) -> str:
        del texts
        return ""

    def intro(self, texts: Texts) -> str:
        return texts.say("first.about")

    def groups(self, texts: Texts) -> list[FieldGroup]:
        say, glyphs, theme = texts.say, self._app.settings.glyphs, self._app.palette.theme
        fields = (
            Field("name", say("first.name"), clean(self.result), say("first.about-name"), typed=True),
            Field("language", say("first.language"), say("tui.language.name"), say("tui.setting-about.language")),
            Field(
                "theme",
                say("tui.setting.theme"),
                clean(theme.names[texts.language], 20),
                say("first.about-theme"),
                sample="tiles",
            ),
            Field(
                "glyphs",
                say("first.glyphs"),
                say(f"tui.glyphs.{glyphs}"),
                say(f"first.about-glyphs.{glyphs}"),
                sample="emoji" if glyphs == "emoji" else "tiles",
            ),
        )
        return [FieldGroup(say("first.you"), fields)]

    def turn(self, field: str, by: int) -> None:
        app = self._app
        match field:
            case "language":
                app.try_out(language=following(LANGUAGES, app.texts.language, by))
            case "theme":
                app.try_out(theme=following([one.id for one in app.themes], app.palette.theme.id, by))
            case "glyphs":
                app.try_out(glyphs=following(GLYPHS, app.settings.glyphs, by))

    def write(self, field: str, text: str) -> None:
        del field
        self.result = clean_name(text) or self.result

"""The first start: a few settings, all filled in; each change shows at once, and Enter saves them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...text import Texts
from ...text.foreign import clean
from ...view.names import clean_name
from .form import FieldGroup, Form
from .settings import setting_field, turned

if TYPE_CHECKING:
    from ..app import WasabiApp

NAMES = ("name", "language", "theme", "glyphs")


class FirstStartForm(Form[str]):
    def __init__(self, app: WasabiApp, name: str) -> None:
        self._app = app
        self.result = name

    def title(self, texts: Texts) -> str:
        return texts.say("first.welcome")

    def button(self, texts: Texts) -> str:
        return texts.say("first.go")

    def leaving(self, texts: Texts) -> str:
        return texts.say("tui.action.leave")

    def intro(self, texts: Texts) -> str:
        return texts.say("first.about")

    def groups(self, texts: Texts) -> list[FieldGroup]:
        name, *others = (setting_field(self._app, name, texts) for name in NAMES)
        return [FieldGroup(texts.say("form.you"), (name._replace(value=clean(self.result)), *others))]

    def turn(self, field: str, by: int) -> None:
        self._app.try_out(**turned(self._app, field, by))

    def write(self, field: str, text: str) -> None:
        del field
        self.result = clean_name(text) or self.result

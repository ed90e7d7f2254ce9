"""A form: fields in groups, each with a value that can be turned to the next one, and the result of them all."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Generic, NamedTuple, TypeVar

from ...text import Texts

R = TypeVar("R")
T = TypeVar("T")


class Field(NamedTuple):
    id: str
    label: str
    value: str
    about: str
    """A sentence about the value, for the field under the cursor."""
    title: str = ""
    """The title above that sentence, if it is not the label."""
    seat: int = 0
    """The seat that the field is about, if it is about one."""
    portrait: str = ""
    """The picture of who sits there."""
    fixed: bool = False
    """True if there is nothing to choose; the cursor skips it."""
    typed: bool = False
    """True if the value is typed, not chosen."""
    placeholder: str = ""
    """The text in an empty line."""
    sample: str = ""
    """A sample of the value: `tiles`, or `emoji` that line up or do not."""


class FieldGroup(NamedTuple):
    title: str
    fields: tuple[Field, ...]


class Form(ABC, Generic[R]):
    """Fields in groups; a subclass sets `result`, the choices of the filled-in form."""

    result: R

    @abstractmethod
    def title(self, texts: Texts) -> str: ...

    @abstractmethod
    def button(self, texts: Texts) -> str:
        """Return the label of Enter, which submits the whole form."""

    @abstractmethod
    def groups(self, texts: Texts) -> list[FieldGroup]: ...

    @abstractmethod
    def turn(self, field: str, by: int) -> None:
        """Set a field to its next or previous value."""

    def summary(self, texts: Texts) -> str:
        """Return all choices in a few words."""
        del texts
        return ""

    def intro(self, texts: Texts) -> str:
        """Return an introduction below the game's title, or "" if the user has read it."""
        del texts
        return ""

    def leaving(self, texts: Texts) -> str:
        """Return the label of Esc."""
        return texts.say("tui.action.close")

    def write(self, field: str, text: str) -> None:
        """Set the text typed into a field, in a form that has one."""


def following(values: Sequence[T], value: T, by: int = 1) -> T:
    """Return the value after (or before) this one, wrapping around."""
    return values[(values.index(value) + by) % len(values)] if value in values else values[0]

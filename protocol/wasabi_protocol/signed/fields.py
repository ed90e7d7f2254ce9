"""Field kinds and their bounds, checked before any message is created."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from wasabi_protocol.verdicts import Code, Refused

if TYPE_CHECKING:
    from wasabi_protocol.signed.canonical import Value


def _bad(detail: str) -> Refused:
    return Refused(Code.BAD_FIELD, detail)


@dataclass(frozen=True, slots=True)
class Integer:
    """An integer with low <= n <= high."""

    low: int
    high: int

    def read(self, value: Value) -> int:
        if type(value) is not int or not self.low <= value <= self.high:
            raise _bad(f"an integer from {self.low} to {self.high}")
        return value


@dataclass(frozen=True, slots=True)
class Flag:
    """True or false."""

    def read(self, value: Value) -> bool:
        if type(value) is not bool:
            raise _bad("true or false")
        return value


@dataclass(frozen=True, slots=True)
class Binary:
    """Bytes of one of the given lengths, or up to `most` if none is given."""

    lengths: tuple[int, ...] = ()
    most: int = 0

    def read(self, value: Value) -> bytes:
        if type(value) is not bytes:
            raise _bad("bytes")
        if len(value) not in self.lengths if self.lengths else len(value) > self.most:
            raise _bad(f"bytes of length {self.lengths or self.most}")
        return value


@dataclass(frozen=True, slots=True)
class Text:
    """UTF-8 text of at most `most` bytes (exactly that many if `exact`), from the characters of `alphabet` if given."""

    most: int
    alphabet: str = ""
    exact: bool = False

    def read(self, value: Value) -> str:
        if type(value) is not str:
            raise _bad("text")
        length = len(value.encode())
        if length > self.most or (self.exact and length != self.most):
            raise _bad(f"text of {self.most} bytes")
        if self.alphabet and not all(letter in self.alphabet for letter in value):
            raise _bad("a character outside the alphabet")
        return value


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of a few words."""

    words: tuple[str, ...]

    def read(self, value: Value) -> str:
        if type(value) is not str or value not in self.words:
            raise _bad("one of " + ", ".join(self.words))
        return value


@dataclass(frozen=True, slots=True)
class Many:
    """A list of `low` to `high` values of one kind."""

    of: Kind
    low: int
    high: int

    def read(self, value: Value) -> tuple[object, ...]:
        if type(value) is not list or not self.low <= len(value) <= self.high:
            raise _bad(f"a list of {self.low} to {self.high}")
        return tuple(self.of.read(item) for item in value)


@dataclass(frozen=True, slots=True)
class RowOf:
    """A list with one kind for each place."""

    kinds: tuple[Kind, ...]

    def read(self, value: Value) -> tuple[object, ...]:
        if type(value) is not list or len(value) != len(self.kinds):
            raise _bad(f"a list of {len(self.kinds)}")
        return tuple(kind.read(item) for kind, item in zip(self.kinds, value, strict=True))


@dataclass(frozen=True, slots=True)
class Whole:
    """Any canonical value; the sealed decks check it themselves."""

    def read(self, value: Value) -> Value:
        return value


Kind = Integer | Flag | Binary | Text | OneOf | Many | RowOf | Whole

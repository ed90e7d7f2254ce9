"""Lines of text of the form `key: words, words`, parsed with errors that name the line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .errors import Malformed
from .geometry import Geometry


class Words:
    """The rest of one line, after its key."""

    def __init__(self, number: int, text: str) -> None:
        self.number_of_line = number
        self.text = text

    def fault(self, problem: str) -> Malformed:
        return Malformed("position", line=self.number_of_line, problem=problem, text=self.text[:60])

    @property
    def words(self) -> list[str]:
        """The words separated by spaces; a lone dash means none."""
        return [] if self.text == "-" else self.text.split()

    def comma(self, index: int) -> str:
        """Return the part at this index between commas."""
        parts = self.text.split(", ")
        if index >= len(parts):
            raise self.fault("missing-part")
        return parts[index]

    def parts(self) -> dict[str, list[str]]:
        """Return the parts between bars, by their first word."""
        parts: dict[str, list[str]] = {}
        for part in self.text.split(" | "):
            key, _, rest = part.strip().partition(" ")
            if key in parts:
                raise self.fault("twice")
            if key:
                parts[key] = [] if rest == "-" else rest.split()
        return parts

    def look_up(self, numbers: Mapping[str, int], word: str) -> int:
        if word not in numbers:
            raise self.fault("unknown-word")
        return numbers[word]

    def square(self, grid: Geometry, word: str) -> int:
        try:
            return grid.parse_square(word)
        except Malformed:
            raise self.fault("square") from None

    def integer(self, words: Sequence[str], low: int, high: int) -> int:
        """Return the single word as a number, checked against the bounds."""
        if len(words) == 1 and words[0].isascii() and words[0].isdigit() and len(words[0]) <= 6:
            value = int(words[0])
            if low <= value <= high:
                return value
        raise self.fault("number")

    def number(self, index: int, low: int, high: int) -> int:
        return self.integer([self.comma(index)], low, high)

    def number_after(self, word: str, low: int, high: int, default: int | None = None) -> int:
        """Return the number in the comma-separated part that starts with this word."""
        for part in self.text.split(", "):
            if part.startswith(f"{word} "):
                return self.integer([part.removeprefix(f"{word} ")], low, high)
        if default is None:
            raise self.fault("missing-part")
        return default

    def number_before(self, word: str, low: int, high: int) -> int:
        """Return the number in the comma-separated part that ends with this word."""
        for part in self.text.split(", "):
            if part.endswith(f" {word}"):
                return self.integer([part.removesuffix(f" {word}")], low, high)
        raise self.fault("missing-part")


class Lines:
    """The lines of a text by key; each must be read, so that no typing error goes unnoticed."""

    def __init__(self, text: str) -> None:
        self._lines: dict[str, Words] = {}
        self._blocks: dict[str, list[Words]] = {}
        self._seen: set[str] = set()
        last = None
        for number, raw in enumerate(text.splitlines(), 1):
            line = raw.rstrip()
            if not line or line.startswith("#"):
                continue
            key, separator, rest = self._split(line)
            if separator:
                if key in self._lines:
                    raise Malformed("position", line=number, problem="twice", text=line[:60])
                self._lines[key] = Words(number, rest)
                self._blocks[key] = []
                last = key
            elif last is None:
                raise Malformed("position", line=number, problem="unknown-line", text=line[:60])
            else:
                self._blocks[last].append(Words(number, line.strip()))

    @staticmethod
    def _split(line: str) -> tuple[str, str, str]:
        """Split `key: rest`, or `key | rest` for a line of parts."""
        key, separator, rest = line.partition(":")
        if not separator or " | " in key:
            key, separator, rest = line.partition(" | ")
        return key.strip(), separator, rest.strip()

    def find(self, key: str) -> Words | None:
        self._seen.add(key)
        return self._lines.get(key)

    def take_line(self, key: str) -> Words:
        line = self.find(key)
        if line is None:
            raise Malformed("position", line=0, problem="missing-line", text=key)
        return line

    def block(self, key: str, rows: int) -> list[Words]:
        """Return the plain lines below the line with this key; there must be exactly `rows`."""
        head = self.take_line(key)
        found = self._blocks[key]
        if len(found) != rows:
            raise head.fault("rows")
        self._blocks[key] = []
        return found

    def finish(self) -> None:
        """Raise `Malformed` for lines that nothing has read."""
        for key, line in self._lines.items():
            if key not in self._seen:
                raise line.fault("unknown-line")
            if self._blocks[key]:
                raise self._blocks[key][0].fault("unknown-line")

"""Whole games in terminals: each edition by keyboard and by mouse, at both usual sizes, and with fewer and fewer means.

`python -m tests.lab.terminals` plays all of them and prints a line for each; words select the games whose names contain
them.
"""

from __future__ import annotations

import re
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from tests.tui.reader import over, play_on
from tests.tui.terminal import BARE, SGR, Terminal, opened
from wasabi_tx.text import Texts

PLAY = "import sys; sys.argv = ['wasabi-tx', *{words!r}]; from wasabi_tx.cli import run; run()"
SIZES = ((80, 24), (120, 40))
RICH = re.compile(r"(?:^|;)[34]8[;:]")
"""A colour beyond the sixteen: one of 256, or any."""
ANY = re.compile(r"(?:^|;)[34]8[;:]2[;:]")
"""A colour beyond the 256."""


@dataclass(frozen=True)
class Means:
    """The abilities of a terminal, and what must never be written to it."""

    environment: dict[str, str]
    settings: str = ""
    never: re.Pattern[str] = re.compile(r"(?!)")
    """Escape sequences that it does not support."""
    ascii: bool = False


MEANS = {
    "any colour": Means({"COLORTERM": "truecolor"}),
    "256 colours": Means({"TERM": "xterm-256color"}, never=ANY),
    "16 colours": Means({"TERM": "xterm-16color"}, never=RICH),
    "NO_COLOR": Means({"NO_COLOR": "1", "COLORTERM": "truecolor"}, never=re.compile(rf"\A(?!(?:{BARE.pattern})\Z)")),
    "ASCII": Means({"TERM": "xterm-256color"}, 'glyphs = "ascii"\n', ascii=True),
}


@dataclass(frozen=True)
class Evening:
    """One whole game against a bot in one terminal."""

    edition: str
    means: str = "256 colours"
    size: tuple[int, int] = (80, 24)
    mouse: bool = False
    language: str = "en"
    seed: str = "evening"

    def __str__(self) -> str:
        by = "mouse" if self.mouse else "keyboard"
        return f"{self.edition}, {self.means}, {self.size[0]}x{self.size[1]}, {by}, {self.language}"


def evenings() -> Iterator[Evening]:
    for edition, size, mouse in product(("classic", "master"), SIZES, (False, True)):
        yield Evening(edition, size=size, mouse=mouse)
    for edition, means in product(("classic", "master"), MEANS):
        for size in SIZES:
            yield Evening(edition, means, size)
        yield Evening(edition, means, language="it")


def play(evening: Evening, home: Path) -> Terminal:
    """Play the game to its end page, and quit; return the terminal with everything that was written to it."""
    means, texts = MEANS[evening.means], Texts(evening.language)
    words = ["play", "--edition", evening.edition, "--seed", evening.seed, "--language", evening.language]
    with opened(home, PLAY.format(words=words), evening.size, means.settings, **means.environment) as terminal:
        play_on(terminal, evening.mouse, texts)
        terminal.until(lambda lines: over(lines, texts))
        terminal.type("\x03")
        assert terminal.ended() == 0
    check(terminal, means)
    return terminal


def check(terminal: Terminal, means: Means) -> None:
    written = terminal.written.decode()
    assert "Traceback" not in written
    looks = set(SGR.findall(written))
    assert looks, "letters are at least bold"
    wrong = sorted(look for look in looks if means.never.search(look))
    assert not wrong, f"colours that it does not know: {wrong}"
    if means.ascii:
        signs = sorted({sign for sign in written if not sign.isascii()})
        assert not signs, f"beyond ASCII: {signs}"


def main(words: list[str]) -> int:
    wrong = 0
    for evening in dict.fromkeys(evenings()):
        if not all(word in str(evening) for word in words):
            continue
        began = time.monotonic()
        with tempfile.TemporaryDirectory() as home:
            try:
                terminal = play(evening, Path(home))
            except AssertionError as error:
                wrong += 1
                print(f"{evening}: WRONG\n{error}", flush=True)
                continue
        print(f"{evening}: {time.monotonic() - began:.0f} s, {len(terminal.written):,} bytes", flush=True)
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

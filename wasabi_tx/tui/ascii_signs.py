"""ASCII signs for terminals that show nothing else: whatever a widget draws passes here on its way to the screen."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

SIGNS = str.maketrans(
    {
        "►": ">", "▸": ">", "✓": "+", "·": ".", "★": "*", "→": ">", "◂": "<", "▒": "#", "─": "-", "│": "|", "┴": "+",
        "┬": "+", "●": "#", "○": ".", "›": ">", "…": "~", "–": "-", "×": "x", "█": "#", "▌": "|", "‹": "<", "↑": "^",
        "↓": "v", "←": "<", "¹": "1", "²": "2", "³": "3", "⁴": "4", "⁵": "5", "⁶": "6", "⁷": "7", "⁸": "8", "⁹": "9",
        "┼": "+", "├": "+", "┤": "+", "┌": "+", "┐": "+", "└": "+", "•": ".", "♪": "*", "’": "'", "■": "c", "▴": "^",
        "━": "=", "−": "-", "≡": "=", "░": ".", "▀": " ", "▄": " ", "✦": "*", "┘": "+", "╭": "+", "╮": "+", "╯": "+",
        "╰": "+", "▔": "-", "▁": "-", "▊": "|", "▎": "|", "▐": "|", "“": '"', "”": '"', "‘": "'", "‖": "=", "◌": "?",
    }
)  # fmt: skip
"""Every sign beyond ASCII that is drawn, with a replacement of the same width."""


@lru_cache(maxsize=4096)
def in_ascii(text: str) -> str:
    """Convert text to ASCII of the same width: similar signs, no accents, and question marks for the rest."""
    return text if text.isascii() else "".join(map(_one, text.translate(SIGNS)))


def _one(char: str) -> str:
    plain = unicodedata.normalize("NFKD", char)[0]
    return plain if plain.isascii() and cell_len(char) == 1 else "?" * cell_len(char)


class AsciiSigns(LineFilter):
    """Lets nothing beyond ASCII through."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:  # noqa: ARG002 - as Textual calls it
        return [Segment(in_ascii(text), style, control) for text, style, control in segments]

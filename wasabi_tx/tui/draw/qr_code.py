"""A QR code in lines of text: two rows of squares in a line, with the light border that cameras need."""

from __future__ import annotations

from ..text_lines import TextLine

_HALVES = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}
BORDER = 2


def qr_lines(text: str, on_dark: bool) -> list[TextLine]:
    """Return a text's QR code; `on_dark` inverts it for light text on dark."""
    import segno

    code = segno.make(text, error="l", micro=False)
    rows = [[bool(square) != on_dark for square in row] for row in code.matrix_iter(border=BORDER)]
    if len(rows) % 2:
        rows.append([on_dark] * len(rows[0]))
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return [TextLine("".join(_HALVES[half] for half in zip(*pair, strict=True)), "bold") for pair in pairs]

"""Lettering in blocks: capitals and digits, large enough for a title, in colours that run from light to dark.

Small digits are written with the same letters, one pixel a block.
"""

from __future__ import annotations

from ..canvas import Canvas, mix

LETTERS = {
    "A": (".###.", "#...#", "#...#", "#####", "#...#", "#...#", "#...#"),
    "B": ("####.", "#...#", "#...#", "####.", "#...#", "#...#", "####."),
    "C": (".####", "#....", "#....", "#....", "#....", "#....", ".####"),
    "D": ("####.", "#...#", "#...#", "#...#", "#...#", "#...#", "####."),
    "E": ("#####", "#....", "#....", "####.", "#....", "#....", "#####"),
    "F": ("#####", "#....", "#....", "####.", "#....", "#....", "#...."),
    "G": (".####", "#....", "#....", "#..##", "#...#", "#...#", ".####"),
    "H": ("#...#", "#...#", "#...#", "#####", "#...#", "#...#", "#...#"),
    "I": ("###", ".#.", ".#.", ".#.", ".#.", ".#.", "###"),
    "J": ("..###", "....#", "....#", "....#", "....#", "#...#", ".###."),
    "K": ("#...#", "#..#.", "#.#..", "##...", "#.#..", "#..#.", "#...#"),
    "L": ("#....", "#....", "#....", "#....", "#....", "#....", "#####"),
    "M": ("#...#", "##.##", "#.#.#", "#.#.#", "#...#", "#...#", "#...#"),
    "N": ("#...#", "##..#", "##..#", "#.#.#", "#..##", "#..##", "#...#"),
    "O": (".###.", "#...#", "#...#", "#...#", "#...#", "#...#", ".###."),
    "P": ("####.", "#...#", "#...#", "####.", "#....", "#....", "#...."),
    "Q": (".###.", "#...#", "#...#", "#...#", "#.#.#", "#..#.", ".##.#"),
    "R": ("####.", "#...#", "#...#", "####.", "#.#..", "#..#.", "#...#"),
    "S": (".####", "#....", "#....", ".###.", "....#", "....#", "####."),
    "T": ("#####", "..#..", "..#..", "..#..", "..#..", "..#..", "..#.."),
    "U": ("#...#", "#...#", "#...#", "#...#", "#...#", "#...#", ".###."),
    "V": ("#...#", "#...#", "#...#", "#...#", "#...#", ".#.#.", "..#.."),
    "W": ("#...#", "#...#", "#...#", "#.#.#", "#.#.#", "##.##", "#...#"),
    "X": ("#...#", "#...#", ".#.#.", "..#..", ".#.#.", "#...#", "#...#"),
    "Y": ("#...#", "#...#", ".#.#.", "..#..", "..#..", "..#..", "..#.."),
    "Z": ("#####", "....#", "...#.", "..#..", ".#...", "#....", "#####"),
    "+": (".....", "..#..", "..#..", "#####", "..#..", "..#..", "....."),
    "0": (".###.", "#...#", "#..##", "#.#.#", "##..#", "#...#", ".###."),
    "1": (".#.", "##.", ".#.", ".#.", ".#.", ".#.", "###"),
    "2": (".###.", "#...#", "....#", "..##.", ".#...", "#....", "#####"),
    "3": ("####.", "....#", "....#", ".###.", "....#", "....#", "####."),
    "4": ("#..#.", "#..#.", "#..#.", "#####", "...#.", "...#.", "...#."),
    "5": ("#####", "#....", "#....", "####.", "....#", "....#", "####."),
    "6": (".###.", "#....", "#....", "####.", "#...#", "#...#", ".###."),
    "7": ("#####", "....#", "...#.", "...#.", "..#..", "..#..", "..#.."),
    "8": (".###.", "#...#", "#...#", ".###.", "#...#", "#...#", ".###."),
    "9": (".###.", "#...#", "#...#", ".####", "....#", "....#", ".###."),
    " ": ("..", "..", "..", "..", "..", "..", ".."),
    "!": ("##", "##", "##", "##", "##", "..", "##"),
}
HEIGHT = 8
"""Rows of cells, the shadow included."""
_BLOCK = 2
"""Columns of a block; it is one row high, which makes it square."""


def lettering_width(words: str) -> int | None:
    """Return the columns that the words take; None if there is no shape for a letter."""
    if not words or any(letter not in LETTERS for letter in words):
        return None
    return sum(_BLOCK * len(LETTERS[letter][0]) for letter in words) + len(words) - 1


def paint_lettering(canvas: Canvas, x: int, y: int, words: str, colour: int) -> None:
    """Paint words from their upper left corner, each block with a shadow where nothing follows below."""
    light, shadow = mix(colour, 0xFFFFFF, 0.45), mix(colour, 0, 0.55)
    for letter in words:
        rows = LETTERS[letter]
        for row, blocks in enumerate(rows):
            tone = mix(light, mix(colour, 0, 0.12), row / (len(rows) - 1))
            for column, block in enumerate(blocks):
                left = x + _BLOCK * column
                if block == "#":
                    canvas.fill(left, 2 * (y + row), _BLOCK, 2, tone)
                elif row and rows[row - 1][column] == "#":
                    canvas.fill(left, 2 * (y + row), _BLOCK, 1, shadow)
        for column, block in enumerate(rows[-1]):
            if block == "#":
                canvas.fill(x + _BLOCK * column, 2 * (y + len(rows)), _BLOCK, 1, shadow)
        x += _BLOCK * len(rows[0]) + 1


DIGITS_HIGH = 7
"""Pixels of a number in small digits."""


def digits_width(number: int) -> int:
    return sum(len(LETTERS[digit][0]) + 1 for digit in str(number)) - 1


def paint_digits(canvas: Canvas, x: int, y: int, number: int, colour: int) -> None:
    """Paint a number from its upper left pixel, one pixel a block."""
    light = mix(colour, 0xFFFFFF, 0.45)
    for digit in str(number):
        rows = LETTERS[digit]
        for row, blocks in enumerate(rows):
            tone = mix(light, colour, row / (len(rows) - 1))
            for column, block in enumerate(blocks):
                if block == "#":
                    canvas.fill(x + column, y + row, 1, 1, tone)
        x += len(rows[0]) + 1

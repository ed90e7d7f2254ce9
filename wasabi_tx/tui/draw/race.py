"""The score race: everybody's total over the turns, drawn with the numbers of the seats."""

from __future__ import annotations

from collections.abc import Sequence

from ..spans import Line, Span


def race_lines(scores: Sequence[tuple[int, ...]], width: int, height: int) -> list[Line]:
    """A chart of at most so many cells; the leader's number is drawn on top of others'."""
    if not scores:
        return []
    top = max(1, *(max(row) for row in scores))
    room = max(2, width - 5)
    columns = min(room, len(scores))
    sampled = [scores[n * (len(scores) - 1) // max(1, columns - 1)] for n in range(columns)]
    stretch = room // columns
    grid: list[list[Span]] = [[Span(" ", "rule")] * room for _ in range(height)]
    for x, row in enumerate(sampled):
        for seat in sorted(range(len(row)), key=lambda seat: row[seat]):
            y = height - 1 - row[seat] * (height - 1) // top
            for wide in range(stretch):
                sign = str(seat + 1) if wide == 0 else "·"
                grid[y][x * stretch + wide] = Span(sign, f"seat-{seat + 1}" if wide == 0 else "rule")
    lines: list[Line] = []
    for y, cells in enumerate(grid):
        value = top - y * top // max(1, height - 1) if y in (0, height - 1, height // 2) else None
        label = f"{value:>3} " if value is not None else "    "
        lines.append((Span(label, "muted"), Span("│", "rule"), *cells))
    lines.append((Span("    └" + "─" * room, "rule"),))
    return lines

"""Laws for the colours of a theme: the least contrast, and which colours look alike."""

from __future__ import annotations

import math
from itertools import combinations

from wasabi_tx.app.colour import DEFICIENCIES, Linear, linear, seen_with

LEAST_CONTRAST = 4.5
CONFUSABLE = 12.0
"""Colours closer than this in CIELAB look alike at the size of a tile."""


def lab(light: Linear) -> Linear:
    """Return CIELAB under daylight, in which distances are about what eyes see."""
    red, green, blue = (min(1.0, max(0.0, value)) for value in light)
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883
    fx, fy, fz = (_lab_channel(value) for value in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def _lab_channel(value: float) -> float:
    return math.cbrt(value) if value > 0.008856 else 7.787 * value + 16 / 116


def confusable(colours: list[str]) -> list[tuple[str, str, str]]:
    """Return pairs of different colours that look alike, each with the kind of eyes."""
    pairs = []
    for eyes in ("typical", *DEFICIENCIES):
        for one, other in combinations(dict.fromkeys(colours), 2):
            seen = [linear(one), linear(other)]
            if eyes in DEFICIENCIES:
                seen = [seen_with(eyes, light) for light in seen]
            if math.dist(lab(seen[0]), lab(seen[1])) < CONFUSABLE:
                pairs.append((eyes, one, other))
    return pairs

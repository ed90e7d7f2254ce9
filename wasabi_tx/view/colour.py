"""Colours as numbers: contrast of ink on a ground, and which colours eyes confuse."""

from __future__ import annotations

import math
from itertools import combinations

Linear = tuple[float, float, float]

BLACK, WHITE = "#000000", "#ffffff"
LEAST_CONTRAST = 4.5
CONFUSABLE = 12.0
"""Colours closer than this in CIELAB look alike at the size of a tile."""

# Simulation of full colour-vision deficiency in linear RGB (Machado, Oliveira and Fernandes, 2009).
DEFICIENCIES: dict[str, tuple[Linear, Linear, Linear]] = {
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


def linear(colour: str) -> Linear:
    """A six-digit hex colour as linear light."""
    red, green, blue = (_linear_channel(int(colour[at : at + 2], 16) / 255) for at in (1, 3, 5))
    return red, green, blue


def _linear_channel(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def luminance(colour: str) -> float:
    red, green, blue = linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """The WCAG contrast ratio, from 1 to 21."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def ink_on(ground: str) -> str:
    """Black or white, whichever reads better."""
    return max((BLACK, WHITE), key=lambda ink: contrast(ink, ground))


def seen_with(deficiency: str, light: Linear) -> Linear:
    red, green, blue = (
        sum(weight * value for weight, value in zip(row, light, strict=True)) for row in DEFICIENCIES[deficiency]
    )
    return red, green, blue


def lab(light: Linear) -> Linear:
    """CIELAB under daylight: distances in it are about what eyes see."""
    red, green, blue = (min(1.0, max(0.0, value)) for value in light)
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883
    fx, fy, fz = (_lab_channel(value) for value in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def _lab_channel(value: float) -> float:
    return math.cbrt(value) if value > 0.008856 else 7.787 * value + 16 / 116


def confusable(colours: list[str]) -> list[tuple[str, str, str]]:
    """Pairs of different colours that look alike, each with the eyes to which they do."""
    pairs = []
    for eyes in ("typical", *DEFICIENCIES):
        for one, other in combinations(dict.fromkeys(colours), 2):
            seen = [linear(one), linear(other)]
            if eyes in DEFICIENCIES:
                seen = [seen_with(eyes, light) for light in seen]
            if math.dist(lab(seen[0]), lab(seen[1])) < CONFUSABLE:
                pairs.append((eyes, one, other))
    return pairs

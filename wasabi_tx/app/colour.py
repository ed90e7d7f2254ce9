"""Colours as numbers: contrast of ink on a ground, and simulated colour-vision deficiency."""

from __future__ import annotations

Linear = tuple[float, float, float]

BLACK, WHITE = "#000000", "#ffffff"

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
    """Return a six-digit hex colour as linear light."""
    red, green, blue = (_linear_channel(int(colour[at : at + 2], 16) / 255) for at in (1, 3, 5))
    return red, green, blue


def _linear_channel(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def luminance(colour: str) -> float:
    red, green, blue = linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Return the WCAG contrast ratio, from 1 to 21."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def ink_on(ground: str) -> str:
    """Return black or white, whichever reads better."""
    return max((BLACK, WHITE), key=lambda ink: contrast(ink, ground))


def seen_with(deficiency: str, light: Linear) -> Linear:
    red, green, blue = (
        sum(weight * value for weight, value in zip(row, light, strict=True)) for row in DEFICIENCIES[deficiency]
    )
    return red, green, blue

"""Themes as Textual has them: every colour of a theme file is a variable of CSS, with those that are mixed from it."""

from __future__ import annotations

from textual.theme import Theme as TextualTheme

from ..app.colour import contrast
from ..app.theme import NATIVE, Theme
from .canvas import mix
from .paints import INK, PAPER

SEATS = (1, 2, 3, 4)
_TRACK = ("scrollbar-background", "scrollbar-background-hover", "scrollbar-background-active", "scrollbar-corner-color")
_NATIVE = (
    "ansi-background", "ansi-foreground", "input-cursor-background", "input-cursor-foreground",
    "input-selection-background", "input-selection-foreground", "screen-selection-background",
    "screen-selection-foreground", "scrollbar", "scrollbar-hover", "scrollbar-active", "scrollbar-background",
    "scrollbar-corner-color", "scrollbar-background-hover", "scrollbar-background-active", "block-hover-background",
)  # fmt: skip
"""Variables that Textual needs in a theme with the terminal's own colours."""


def theme_name(theme: Theme) -> str:
    """Return the name under which Textual knows a theme."""
    return f"wasabi-{theme.id}"


def textual_theme(theme: Theme) -> TextualTheme:
    """Return a theme for Textual, with a variable for each colour of our own, and one for the signs it has."""
    base = theme.whole_base
    native = not theme.mixes
    # Textual mixes shades of its own colours, and a little of them is lost on the way: ours are kept exactly.
    variables = {name: colour for name, colour in base.items() if name != "text"}
    for name, ground in theme.tiles.items():
        ink = _ink_on(ground) if ground.startswith("#") else theme.tile_ink(name, name)
        variables |= {f"tile-{name}": ground, f"on-tile-{name}": ink or NATIVE}
    variables["signs"] = theme.glyphs
    variables |= _native_variables(base) if native else _mixed_variables(base)
    return TextualTheme(
        name=theme_name(theme),
        primary=base["accent"],
        secondary=base["accent"],
        accent=base["accent"],
        foreground=base["text"],
        background=base["background"],
        surface=base["surface"],
        panel=base["panel"],
        boost=NATIVE if native else None,
        success=base["good"],
        warning=base["warning"],
        error=base["error"],
        dark=theme.dark,
        ansi=base["background"].startswith("ansi"),
        variables=variables,
    )


def _mixed_variables(base: dict[str, str]) -> dict[str, str]:
    """Return the variables derived from colours that we chose ourselves."""
    green = base["accent-shape"]
    return {
        "border": base["muted"],
        "border-blurred": base["muted"],
        "block-cursor-foreground": base["background"],
        "block-cursor-background": base["accent"],
        "block-cursor-text-style": "bold",
        "block-cursor-blurred-foreground": base["text"],
        "block-cursor-blurred-background": base["surface"],
        "scrollbar": base["line"],
        "scrollbar-hover": base["muted"],
        "scrollbar-active": base["accent"],
        **dict.fromkeys(_TRACK, base["background"]),
        "brand": _ink_on(green),
        "brand-ground": green,
        "button-key": _ink_on(green),
        "button-key-ground": green,
        "button-ground": _mixed(base["background"], green, 0.3),
        "bar-ground": _mixed(base["background"], green, 0.14),
        "bar-mark": green,
        "key-ground": _mixed(base["panel"], base["text"], 0.16),
        "chosen": _ink_on(green),
        "chosen-ground": green,
        **{f"on-seat-{seat}": _ink_on(base[f"seat-{seat}"]) for seat in SEATS},
    }


def _native_variables(base: dict[str, str]) -> dict[str, str]:
    """Return the same for the terminal's own colours, which cannot be mixed: letters show what grounds would."""
    return {
        "border": base["muted"],
        "border-blurred": base["muted"],
        "block-cursor-foreground": NATIVE,
        "block-cursor-background": NATIVE,
        "block-cursor-text-style": "bold reverse",
        "block-cursor-blurred-foreground": base["text"],
        "block-cursor-blurred-background": base["surface"],
        "brand": base["text"],
        "brand-ground": base["panel"],
        "button-key": base["accent"],
        "button-key-ground": base["surface"],
        "button-ground": base["surface"],
        "bar-ground": base["surface"],
        "bar-mark": base["accent"],
        "key-ground": base["surface"],
        "chosen": base["text"],
        "chosen-ground": base["background"],
        **{f"on-seat-{seat}": base["background"] for seat in SEATS},
        **dict.fromkeys(_NATIVE, NATIVE),
    }


def _ink_on(ground: str) -> str:
    """Return the colour that is easiest to read on a background."""
    return max((f"#{INK:06x}", f"#{PAPER:06x}"), key=lambda one: contrast(one, ground))


def _mixed(colour: str, towards: str, share: float) -> str:
    return f"#{mix(int(colour[1:], 16), int(towards[1:], 16), share):06x}"

"""The Textual theme and the palette of drawn lines that follow from one of our themes."""

from __future__ import annotations

from functools import cached_property

from rich.color import Color
from rich.style import Style
from textual.theme import Theme as TextualTheme

from ..view.theme import NATIVE, Theme

_ROLES: dict[str, tuple[str, str, str]] = {
    "text": ("text", "background", ""),
    "muted": ("muted", "background", ""),
    "strong": ("text", "background", "bold"),
    "accent": ("accent", "background", ""),
    "key": ("accent", "background", "bold"),
    "good": ("good", "background", ""),
    "warning": ("warning", "background", "bold"),
    "error": ("error", "background", "bold"),
    "rule": ("muted", "background", "dim"),
    "title": ("muted", "background", "bold"),
    "brand": ("background", "accent", "bold"),
    "head": ("text", "panel", "bold"),
    "head-muted": ("muted", "panel", ""),
    "head-good": ("good", "panel", ""),
    "turn": ("background", "accent", "bold"),
    "choice": ("text", "surface", ""),
    "default": ("background", "accent", "bold"),
    "held": ("background", "warning", "bold"),
    "legal": ("accent", "background", "bold"),
    "empty": ("muted", "background", "dim"),
    "cursor": ("warning", "background", "bold"),
    "cover": ("good", "background", ""),
    "cup": ("accent", "surface", "bold"),
    "bar": ("muted", "panel", ""),
    "bar-mark": ("accent", "panel", ""),
    "button": ("background", "accent", "bold"),
    "button-words": ("text", "panel", "bold"),
    "badge-1": ("background", "seat-1", "bold"),
    "badge-2": ("background", "seat-2", "bold"),
    "badge-3": ("background", "seat-3", "bold"),
    "badge-4": ("background", "seat-4", "bold"),
    "foot": ("muted", "surface", ""),
    "foot-key": ("accent", "surface", "bold"),
    "seat-1": ("seat-1", "background", "bold"),
    "seat-2": ("seat-2", "background", "bold"),
    "seat-3": ("seat-3", "background", "bold"),
    "seat-4": ("seat-4", "background", "bold"),
}
"""For each role: the ink, the ground, and how letters look."""

_BARE: dict[str, str] = {
    "brand": "reverse bold", "button": "reverse bold", "button-words": "bold", "bar": "", "bar-mark": "bold",
    "badge-1": "reverse bold", "badge-2": "reverse bold", "badge-3": "reverse bold", "badge-4": "reverse bold",
    "head": "reverse bold", "head-muted": "reverse", "head-good": "reverse", "turn": "bold", "choice": "underline",
    "default": "reverse", "held": "reverse bold", "cup": "bold", "foot": "reverse", "foot-key": "reverse bold",
}  # fmt: skip
"""How grounds are shown where a theme has no colours."""


class Palette:
    """Styles by role; made once a theme."""

    def __init__(self, theme: Theme, glyphs: str) -> None:
        self.theme = theme
        self.glyphs = "ascii" if theme.glyphs == "ascii" else glyphs
        self._styles: dict[str, Style] = {}
        self._tiles: dict[tuple[str, str], Style] = {}

    @cached_property
    def ascii(self) -> bool:
        return self.glyphs == "ascii"

    def style(self, role: str) -> Style:
        found = self._styles.get(role)
        if found is None:
            found = self._styles[role] = self._make(role)
        return found

    def _make(self, role: str) -> Style:
        ink, ground, look = _ROLES[role]
        base = self.theme.whole_base
        if not self.theme.base:
            return Style.parse(_BARE.get(role, look) or "none")
        if base["background"] == NATIVE and ground != "background":
            return Style.parse(_BARE.get(role, look) or "none") + Style(color=_colour(base[ink]))
        return Style.parse(look or "none") + Style(color=_colour(base[ink]), bgcolor=_colour(base[ground]))

    def tile(self, code: str, category: str) -> Style:
        """The style of a tile's face."""
        found = self._tiles.get((code, category))
        if found is None:
            ground, ink = self.theme.tile_ground(code, category), self.theme.tile_ink(code, category)
            if ground is None:
                found = Style(bold=True)
            else:
                # Many terminals draw bold black as grey, so the terminal's own colours stay thin.
                thick = ground.startswith("#")
                found = Style(bold=thick, color=_colour(ink or NATIVE), bgcolor=_colour(ground))
            self._tiles[code, category] = found
        return found


def _colour(name: str) -> Color:
    return Color.parse(name.removeprefix("ansi_")) if name.startswith("ansi_") else Color.parse(name)


_NATIVE = (
    "ansi-background", "ansi-foreground", "input-cursor-background", "input-cursor-foreground",
    "input-selection-background", "input-selection-foreground", "screen-selection-background",
    "screen-selection-foreground", "scrollbar", "scrollbar-hover", "scrollbar-active", "scrollbar-background",
    "scrollbar-corner-color", "scrollbar-background-hover", "scrollbar-background-active", "block-hover-background",
)  # fmt: skip
"""What Textual wants to know of a theme with the terminal's own colours."""


def textual_theme(theme: Theme) -> TextualTheme:
    """The same theme for Textual's own widgets: lists, palette, notifications."""
    base = theme.whole_base
    native = base["background"].startswith("ansi")
    variables = {
        "border": base["muted"],
        "border-blurred": base["muted"],
        "block-cursor-foreground": NATIVE if native else base["background"],
        "block-cursor-background": NATIVE if native else base["accent"],
        "block-cursor-text-style": "bold reverse" if native else "bold",
        "block-cursor-blurred-foreground": base["text"],
        "block-cursor-blurred-background": base["surface"],
        "muted": base["muted"],
    }
    if native:
        variables |= dict.fromkeys(_NATIVE, NATIVE)
    return TextualTheme(
        name=f"wasabi-{theme.id}",
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
        ansi=native,
        variables=variables,
    )

"""Theme files: the user's own, then those that come with the package, then the repository's."""

from __future__ import annotations

from pathlib import Path

from .transcripts import read_text

_PACKAGE = Path(__file__).parent.parent
SHIPPED = (_PACKAGE / "themes", _PACKAGE.parent / "themes")
"""In a wheel themes lie inside the package; an editable install finds them beside it."""


def find_themes(user: Path) -> dict[str, Path]:
    """Every theme by name; a user's theme takes the place of a shipped one of the same name."""
    found: dict[str, Path] = {}
    for folder in (*reversed(SHIPPED), user):
        if folder.is_dir():
            found.update({path.stem: path for path in sorted(folder.glob("*.toml"))})
    return found


def read_theme(path: Path) -> str:
    return read_text(path, limit=100_000)

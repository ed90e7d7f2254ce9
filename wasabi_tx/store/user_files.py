"""Files that a user may add: editions and themes by name, besides those in the package."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from .durable import make_folder, replace_file
from .transcripts import read_text

# The rules are imported only where an edition is needed: the home screen reads themes without them.
if TYPE_CHECKING:
    from ..engine.edition import Edition
    from ..engine.rules import AnyRules

LONGEST_EDITION = 300_000
"""The most bytes of an edition file; the packaged ones have 20,000."""


def user_editions(folder: Path) -> dict[str, Path]:
    """Return the user's edition files by name; the names of packaged editions are reserved."""
    from ..engine.editions import RESERVED

    if not folder.is_dir():
        return {}
    return {path.stem: path for path in sorted(folder.glob("*.toml")) if path.stem not in RESERVED}


def edition_names(folder: Path, language: str) -> dict[str, str]:
    """Return the display name of each edition that can be played."""
    from ..engine.edition import EditionError
    from ..engine.editions import PACKAGED

    found = {}
    for name in [*PACKAGED, *user_editions(folder)]:
        with suppress(EditionError, OSError):
            found[name] = find_edition(name, folder).names[language]
    return found


def find_edition(name: str, folder: Path) -> Edition:
    """Return an edition by name; raise `KeyError` if there is none, `EditionError` if it cannot be played."""
    from ..engine.editions import RESERVED, packaged_edition, read_playable

    if name in RESERVED:
        return packaged_edition(name)
    return read_playable(read_text(user_editions(folder)[name], LONGEST_EDITION))


def add_edition(path: Path, folder: Path) -> Edition:
    """Copy an edition file into the user's folder under the edition's own id, so that everybody finds it by that.

    Raise `EditionError` if it cannot be played, `ValueError` if its id is that of a packaged edition.
    """
    from ..engine.editions import RESERVED, read_playable

    text = read_text(path, LONGEST_EDITION)
    edition = read_playable(text)
    if edition.id in RESERVED:
        raise ValueError(edition.id)
    target = folder / f"{edition.id}.toml"
    if not target.exists() or not target.samefile(path):
        make_folder(folder)
        replace_file(target, text.encode())
    return edition


def find_rules(name: str, players: int, folder: Path) -> AnyRules:
    from ..engine.editions import RESERVED, rules_for, rules_from_text

    if name in RESERVED:
        return rules_for(name, players)
    return rules_from_text(read_text(user_editions(folder)[name], LONGEST_EDITION), players)


_PACKAGE = Path(__file__).parent.parent
SHIPPED = (_PACKAGE / "themes", _PACKAGE.parent / "themes")
"""The folders of shipped themes: inside the package in a wheel, beside it in an editable install."""


def shipped(name: str) -> Path:
    """Return a file of the shipped themes, whatever the user's own are."""
    return next(path for folder in SHIPPED if (path := folder / name).exists())


def find_themes(user: Path) -> dict[str, Path]:
    """Return every theme by name; a user's theme replaces a shipped one with the same name."""
    found: dict[str, Path] = {}
    for folder in (*reversed(SHIPPED), user):
        if folder.is_dir():
            found.update({path.stem: path for path in sorted(folder.glob("*.toml"))})
    return found


def find_pictures(user: Path) -> list[Path]:
    """Return the files with pictures of ingredients: those of the package, then the user's own."""
    found = {path.name: path for folder in reversed(SHIPPED) for path in sorted((folder / "pictures").glob("*.toml"))}
    return [*found.values(), *sorted((user / "pictures").glob("*.toml"))]


def read_theme(path: Path) -> str:
    return read_text(path, limit=100_000)

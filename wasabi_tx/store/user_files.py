"""Files that a user may add: editions and themes by name, beside those that come with the package."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from .durable import make_folder, replace_file
from .transcripts import read_text

# The rules are imported where an edition is wanted: home reads the themes and shows itself without them.
if TYPE_CHECKING:
    from ..engine.edition import Edition
    from ..engine.rules import AnyRules

LONGEST_EDITION = 300_000
"""Bytes; the packaged ones have 20,000."""


def user_editions(folder: Path) -> dict[str, Path]:
    """The user's edition files by name; a packaged edition's name stays the packaged one's."""
    from ..engine.editions import PACKAGED

    if not folder.is_dir():
        return {}
    return {path.stem: path for path in sorted(folder.glob("*.toml")) if path.stem not in PACKAGED}


def edition_names(folder: Path, language: str) -> dict[str, str]:
    """What each edition that can be played is called."""
    from ..engine.edition import EditionError
    from ..engine.editions import PACKAGED

    found = {}
    for name in [*PACKAGED, *user_editions(folder)]:
        with suppress(EditionError, OSError):
            found[name] = find_edition(name, folder).names[language]
    return found


def find_edition(name: str, folder: Path) -> Edition:
    """`KeyError` if there is none of this name, an `EditionError` if its file cannot be played."""
    from ..engine.editions import PACKAGED, packaged_edition, read_playable

    if name in PACKAGED:
        return packaged_edition(name)
    return read_playable(read_text(user_editions(folder)[name], LONGEST_EDITION))


def add_edition(path: Path, folder: Path) -> Edition:
    """Copies an edition file into the user's folder, under the edition's own id, so that everybody finds it by that.

    An `EditionError` if it cannot be played, a `ValueError` if its id is that of a packaged edition.
    """
    from ..engine.editions import PACKAGED, read_playable

    text = read_text(path, LONGEST_EDITION)
    edition = read_playable(text)
    if edition.id in PACKAGED:
        raise ValueError(edition.id)
    target = folder / f"{edition.id}.toml"
    if not target.exists() or not target.samefile(path):
        make_folder(folder)
        replace_file(target, text.encode())
    return edition


def find_rules(name: str, players: int, folder: Path) -> AnyRules:
    from ..engine.editions import PACKAGED, rules_for, rules_from_text

    if name in PACKAGED:
        return rules_for(name, players)
    return rules_from_text(read_text(user_editions(folder)[name], LONGEST_EDITION), players)


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


def find_pictures(user: Path) -> list[Path]:
    """Files with pictures of ingredients: those that come with the package, then the user's own."""
    found = {path.name: path for folder in reversed(SHIPPED) for path in sorted((folder / "pictures").glob("*.toml"))}
    return [*found.values(), *sorted((user / "pictures").glob("*.toml"))]


def read_theme(path: Path) -> str:
    return read_text(path, limit=100_000)

"""Finding saved games, and the rules that they were played by."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ..engine.edition import EditionError
from ..engine.rules import AnyRules
from ..games.local import Journal, LocalGame
from ..games.transcript import Broken, RulesFinder, Transcript, read_transcript
from ..store.games import SUFFIX as ONLINE
from ..store.paths import find_paths, short_path
from ..store.transcripts import TranscriptFile, read_text
from ..store.user_files import find_rules, user_editions
from ..text import Texts
from ..view.sentences import say_broken, say_problem
from .failure import Failure


def find_saved(file: Path) -> Path:
    """Return the path, or the game of this name in the games folder."""
    inside = find_paths().games / file.name
    return inside if not file.exists() and file.parent == Path() and inside.exists() else file


def rules_finder(texts: Texts) -> RulesFinder:
    """Return a finder of editions by id, which a user's file may have under another name."""
    folder = find_paths().editions

    def find(edition: str, players: int) -> AnyRules:
        try:
            return find_rules(edition, players, folder)
        except KeyError:
            for name in user_editions(folder):
                try:
                    rules = find_rules(name, players, folder)
                except (EditionError, OSError):
                    continue
                if rules.edition.id == edition:
                    return rules
            raise
        except EditionError as error:
            raise Failure(f"{edition}: {say_problem(texts, error.problems[0])}") from None
        except OSError as error:
            raise Failure(texts.say("cli.unreadable", file=edition, reason=error)) from None

    return find


def read_saved(path: Path, texts: Texts) -> Transcript:
    """Return a saved game of either kind; raise `Failure` if it cannot be read."""
    if path.suffix == ONLINE:
        from .online_files import read_online

        return read_online(path, texts)[0]
    try:
        return read_transcript(read_text(path), rules_finder(texts))
    except OSError as error:
        raise Failure(texts.say("cli.unreadable", file=short_path(path), reason=error)) from None
    except Broken as broken:
        raise Failure(f"{short_path(path)}: {say_broken(texts, broken)}") from None


def journal_of(change: Callable[[str], None], texts: Texts) -> Journal:
    """Return the same change of a file, which raises `Failure` if it cannot be written; earlier text stays."""

    def write(text: str) -> None:
        try:
            change(text)
        except OSError as error:
            raise Failure(texts.say("play.cannot-save", reason=error)) from None

    return write


def put_away(game: LocalGame, file: TranscriptFile) -> None:
    """Close the file of a game; a game in which nobody here has moved leaves none."""
    if game.begun:
        file.close()
    else:
        file.delete()

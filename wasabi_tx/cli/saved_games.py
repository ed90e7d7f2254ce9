"""Where saved games are found, and the rules that they were played by."""

from __future__ import annotations

from pathlib import Path

from ..engine.edition import EditionError
from ..engine.rules import AnyRules
from ..store.games import SUFFIX as ONLINE
from ..store.paths import find_paths, short_path
from ..store.transcripts import TranscriptFile, read_text
from ..store.user_files import find_rules, user_editions
from ..table.local import Journal
from ..table.transcript import Broken, RulesFinder, Transcript, read_transcript
from ..text import Texts
from ..view.sentences import say_broken, say_problem
from . import Failure


def find_saved(file: Path) -> Path:
    """A path, or the bare name of a game in the games folder."""
    inside = find_paths().games / file.name
    return inside if not file.exists() and file.parent == Path() and inside.exists() else file


def rules_finder(texts: Texts) -> RulesFinder:
    """Finds an edition by its id, which a user's file may have under another name."""
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
    """A saved game of either kind, or a sentence that says why it cannot be read."""
    if path.suffix == ONLINE:
        from .online_files import read_online

        return read_online(path, texts)[0]
    try:
        return read_transcript(read_text(path), rules_finder(texts))
    except OSError as error:
        raise Failure(texts.say("cli.unreadable", file=short_path(path), reason=error)) from None
    except Broken as broken:
        raise Failure(f"{short_path(path)}: {say_broken(texts, broken)}") from None


def first_person(transcript: Transcript) -> int:
    """The first seat that a person played; the first of all if none did."""
    return next((number for number, player in enumerate(transcript.players) if player.bot is None), 0)


def journal_of(file: TranscriptFile, texts: Texts) -> Journal:
    """Writes to the file, or says in one sentence why that does not work; what was written before stays."""

    def write(text: str) -> None:
        try:
            file.append(text)
        except OSError as error:
            raise Failure(texts.say("play.cannot-save", reason=error)) from None

    return write

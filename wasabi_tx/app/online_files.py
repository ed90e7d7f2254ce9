"""Saved games of online tables: checking them and turning them into transcripts."""

from __future__ import annotations

from pathlib import Path

from ..games.transcript import Transcript
from ..online.replayed import transcript_of
from ..online.result import CheckedFile, check_record
from ..store.games import read_game
from ..store.paths import short_path
from ..text import Texts
from .failure import Failure, failures_as_sentences
from .saved_games import rules_finder


def check_game(path: Path, texts: Texts) -> CheckedFile:
    """Read a game file and check it from the first signature to the last rule."""
    try:
        data = read_game(path)
    except OSError as error:
        raise Failure(texts.say("cli.unreadable", file=short_path(path), reason=error)) from None
    return check_game_data(data, texts)


def check_game_data(data: bytes, texts: Texts) -> CheckedFile:
    with failures_as_sentences(texts):
        return check_record(data, rules_finder(texts))


def read_online(path: Path, texts: Texts) -> tuple[Transcript, CheckedFile]:
    """Return the game in a file up to its first fault, and what the file proves."""
    checked = check_game(path, texts)
    transcript = None if checked.session is None else transcript_of(checked.session)
    if transcript is None:
        raise Failure(texts.say("verify.no-game", file=short_path(path)))
    return transcript, checked

"""Online files: games at online tables that were saved, checked and turned into what a replay shows."""

from __future__ import annotations

from pathlib import Path

from ..store.paths import short_path
from ..table.online.replayed import transcript_of
from ..table.online.result import CheckedFile
from ..table.transcript import Transcript
from ..text import Texts
from . import Failure
from .commands.verify import check_game


def read_online(path: Path, texts: Texts) -> tuple[Transcript, CheckedFile]:
    """The game in a file, up to the first thing that does not hold, and what the file proves."""
    checked = check_game(path, texts)
    transcript = None if checked.session is None else transcript_of(checked.session)
    if transcript is None:
        raise Failure(texts.say("verify.no-game", file=short_path(path)))
    return transcript, checked

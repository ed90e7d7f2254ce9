"""Make pages from saved games, and read the game in a page back."""

from __future__ import annotations

from pathlib import Path

from ...games.transcript import Broken, read_transcript
from ...store.durable import replace_file
from ...store.games import SUFFIX, read_game
from ...store.paths import short_path
from ...store.transcripts import read_text
from ...text import Texts
from ...view.sentences import say_broken
from ..failure import Failure
from ..online_files import check_game_data
from ..saved_games import rules_finder
from .page import MOST, is_whole, local_page, signed_page


class NotValid(Failure):
    """The game is not valid, so no page is made of it."""


def make_page(path: Path, texts: Texts) -> str:
    """Return the page of a saved game of either kind; raise `Failure` unless all of it is valid."""
    try:
        game = read_game(path) if path.suffix == SUFFIX else read_text(path)
    except OSError as error:
        raise Failure(texts.say("cli.unreadable", file=short_path(path), reason=error)) from None
    if isinstance(game, str):
        try:
            return local_page(game, read_transcript(game, rules_finder(texts)), texts.language)
        except Broken as broken:
            raise NotValid(f"{short_path(path)}: {say_broken(texts, broken)}") from None
    checked = check_game_data(game, texts)
    if not is_whole(checked):
        raise NotValid(texts.say("page.not-valid" if checked.fault else "page.not-begun", file=short_path(path)))
    return signed_page(game, checked, texts.language)


def write_page(path: Path, page: str, texts: Texts) -> None:
    try:
        replace_file(path, page.encode())
    except OSError as error:
        raise Failure(texts.say("page.unwritable", file=short_path(path), reason=error)) from None


def read_page(path: Path, texts: Texts) -> str:
    try:
        return read_text(path, MOST)
    except OSError as error:
        raise Failure(texts.say("cli.unreadable", file=short_path(path), reason=error)) from None

"""A game as one page to send around: its contents, and how much of them can be trusted."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable

from ...engine.edition import Edition
from ...engine.editions import RESERVED, packaged_edition
from ...engine.toml_text import read_json
from ...games.transcript import Transcript
from ...online.export import signed_positions
from ...online.result import CheckedFile
from ...text import ENGLISH, LANGUAGES
from .packing import packed
from .shell import in_page, names_of, shell

FORMAT = 1
SUFFIXES = (".html", ".htm")
MOST = 30_000_000
"""The most bytes of a page: those of the longest game."""
_GAME = re.compile(r'<script type="application/json" id="game">(.*?)</script>', re.DOTALL)
_LANGUAGE = re.compile(r'<html lang="([a-z]{2})">')


class NoGame(Exception):
    """The page contains no game of this program."""


def viewer_page(language: str) -> str:
    """Return the page without a game: it opens other people's pages and trusts nothing but their data."""
    return _page(None, language)


def is_whole(checked: CheckedFile) -> bool:
    """Return whether a checked game can be shown: it is valid, and its seats were drawn."""
    return checked.fault is None and checked.session is not None and checked.session.state.position is not None


def signed_page(record: bytes, checked: CheckedFile, language: str) -> str:
    """Return the page of a game from an online table, whose file was checked."""
    assert checked.session is not None
    session = checked.session
    assert session.state.position is not None
    edition = session.state.position.rules.edition
    text = base64.b64encode(record).decode()
    return _page(_data("online", text, signed_positions(session), edition, language), language)


def local_page(text: str, game: Transcript, language: str) -> str:
    """Return the page of a local game, which nobody has signed."""
    positions = [game.start, *(move.after for move in game.moves)]
    raw = [game.rules.canonical(position) for position in positions]
    return _page(_data("local", text, raw, game.rules.edition, language), language)


def _page(data: object, language: str) -> str:
    before, after = shell(language)
    return f"{before}{in_page(data)}{after}"


def _data(kind: str, record: str, positions: Iterable[bytes], edition: Edition, language: str) -> dict[str, object]:
    own = edition.hash not in {packaged_edition(name).hash for name in RESERVED}
    return {
        "format": FORMAT,
        "kind": kind,
        "record": record,
        "pictures": base64.b64encode(packed(positions)).decode(),
        "edition": edition.canonical,
        "names": names_of(edition, language) if own else None,
    }


def game_in(page: str) -> bytes | str:
    """Return only the game in a page: the bytes of a record, or the text of a transcript."""
    found = _GAME.search(page)
    try:
        match read_json(found[1], MOST) if found else None:
            case {"kind": "online", "record": str(record)}:
                return base64.b64decode(record, validate=True)
            case {"kind": "local", "record": str(record)}:
                return record
    except ValueError:
        pass
    raise NoGame


def language_of(page: str) -> str:
    """Return the language that a page declares."""
    found = _LANGUAGE.search(page[:200])
    return found[1] if found and found[1] in LANGUAGES else ENGLISH

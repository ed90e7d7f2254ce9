"""`wasabi-tx export`: a game file as text, as JSON, or as a page to send around."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from ...app.failure import Failure
from ...app.game_page.files import NotValid, make_page, write_page
from ...app.game_page.page import viewer_page
from ...app.online_files import check_game
from ...app.output import echo, emit
from ...app.preferences import texts_for
from ...app.saved_games import find_saved
from ...games import transcript
from ...online import export as record
from ...store.games import SUFFIX
from ...store.paths import short_path
from ...text import Texts
from ...view.sentences import say_broken
from .. import Misuse, show_failure
from ..options import json_option, language_option
from ..running import result_json
from .verify import INVALID, check_text, say_checked, text_json


@click.command()
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--html", type=click.Path(path_type=Path), help="write one page that shows and checks the game anywhere")
@json_option
@language_option
def export(file: Path | None, html: Path | None, as_json: bool, language: str | None) -> None:
    """Print a game file for other programs: as text, one line per entry, or as JSON, one object per entry.

    With --html, write one page to send around, which needs no network; without FILE, a page that opens such pages.
    Exit code 3 if an entry is invalid; then only the entries before it are printed, and no page is written.
    """
    texts = texts_for(language)
    path = None if file is None else find_saved(file)
    if html is not None:
        _write_page(path, html, texts)
        return
    if path is None:
        raise Misuse(texts.say("page.file-or-html"))
    (_export_game if path.suffix == SUFFIX else _export_text)(path, as_json, texts)


def _write_page(path: Path | None, html: Path, texts: Texts) -> None:
    """Write the page of a game, or the viewer alone."""
    try:
        page = viewer_page(texts.language) if path is None else make_page(path, texts)
    except NotValid as failure:
        show_failure(str(failure))
        raise click.exceptions.Exit(INVALID) from None
    write_page(html, page, texts)
    echo(texts.say("page.written", file=short_path(html), kilobytes=-(-len(page.encode()) // 1000)))


def _export_game(path: Path, as_json: bool, texts: Texts) -> None:
    """Print an online game."""
    checked = check_game(path, texts)
    if checked.session is None:
        raise Failure(texts.say("verify.no-game", file=short_path(path)))
    if as_json:
        _emit(record.export_slots(checked.session), result_json(checked.result))
    else:
        _echo(record.export_lines(checked.session))
    if checked.fault is not None:
        echo(f"wasabi-tx: {say_checked(path, checked, texts)}", err=True)
        raise click.exceptions.Exit(INVALID)


def _export_text(path: Path, as_json: bool, texts: Texts) -> None:
    """Print a local game."""
    try:
        game = check_text(path, texts)
    except transcript.Broken as broken:
        raise Failure(f"{short_path(path)}: {say_broken(texts, broken)}") from None
    if as_json:
        _emit(transcript.export_moves(game), text_json(game))
    else:
        _echo(transcript.export_lines(game))


def _emit(objects: Iterable[dict[str, Any]], result: dict[str, Any]) -> None:
    """Print the entries, and the result last."""
    for one in (*objects, result):
        emit(one)


def _echo(lines: Iterable[str]) -> None:
    for line in lines:
        echo(line)

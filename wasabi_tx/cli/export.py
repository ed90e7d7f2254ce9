"""`wasabi-tx export`: a game file as text or as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from ..store.games import SUFFIX
from ..store.paths import short_path
from ..table import transcript
from ..table.online import export as record
from ..text import Texts
from ..view.sentences import say_broken
from . import Failure
from .meeting import emit, json_option, result_json
from .options import language_option, texts_for
from .saved import find_saved
from .verify import check_game, check_text, text_json


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@json_option
@language_option
def export(file: Path, as_json: bool, language: str | None) -> None:
    """A game file for other programs: as text, one line for each entry, or as JSON, one object for each."""
    texts = texts_for(language)
    path = find_saved(file)
    lines, objects = _game(path, texts) if path.suffix == SUFFIX else _text(path, texts)
    if as_json:
        for one in objects:
            emit(one)
    else:
        for line in lines:
            click.echo(line)


def _game(path: Path, texts: Texts) -> tuple[Iterator[str], Iterator[dict[str, Any]]]:
    """A game online."""
    checked = check_game(path, texts)
    if checked.session is None:
        raise Failure(texts.say("verify.no-game", file=short_path(path)))
    return record.export_lines(checked.session), _ended(
        record.export_slots(checked.session), result_json(checked.result)
    )


def _text(path: Path, texts: Texts) -> tuple[Iterator[str], Iterator[dict[str, Any]]]:
    """A local game."""
    try:
        game = check_text(path, texts)
    except transcript.Broken as broken:
        raise Failure(f"{short_path(path)}: {say_broken(texts, broken)}") from None
    return transcript.export_lines(game), _ended(transcript.export_moves(game), text_json(game))


def _ended(objects: Iterator[dict[str, Any]], result: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """What came of it stands at the end."""
    yield from objects
    yield result

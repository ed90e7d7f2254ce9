"""`wasabi-tx export`: a game file as text or as JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from ..store.paths import short_path
from ..table.online.export import export_lines, export_slots
from . import Failure
from .meeting import json_option, result_json
from .options import language_option, texts_for
from .saved import find_saved
from .verify import check_game


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@json_option
@language_option
def export(file: Path, as_json: bool, language: str | None) -> None:
    """A game file for other programs: as text, one line for each entry, or as JSON, one object for each."""
    texts = texts_for(language)
    path = find_saved(file)
    checked = check_game(path, texts)
    if checked.session is None:
        raise Failure(texts.say("verify.no-game", file=short_path(path)))
    if not as_json:
        for line in export_lines(checked.session):
            click.echo(line)
        return
    result: dict[str, Any] = {**result_json(checked.result)}
    for slot in export_slots(checked.session):
        click.echo(json.dumps(slot, ensure_ascii=False))
    click.echo(json.dumps(result, ensure_ascii=False))

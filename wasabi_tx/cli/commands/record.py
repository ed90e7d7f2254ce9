"""`wasabi-tx record`: your results against each opponent, the recipes you have cooked, and your best scores."""

from __future__ import annotations

import click

from ...app.output import echo
from ...app.preferences import texts_for
from ...app.record import find_record
from ...store.paths import find_paths
from ...view.record import record_lines
from ...view.table.plain_table import wrap
from ..options import language_option


@click.command()
@language_option
def record(language: str | None) -> None:
    """Show your record: wins against each rival and friend, recipes cooked of all, best scores, puzzles.

    It comes from the finished games that are saved on this machine.
    """
    texts = texts_for(language)
    for number, (title, lines) in enumerate(record_lines(find_record(find_paths(), texts), texts)):
        echo("\n" * bool(number) + title)
        for line in lines:
            for row in wrap(f"  {line}", "    "):
                echo(row)

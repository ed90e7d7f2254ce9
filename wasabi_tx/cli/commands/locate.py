"""`wasabi-tx locate`: where things are kept."""

from __future__ import annotations

import click

from ...store.paths import find_paths
from ..output import echo, emit


@click.command()
@click.option("--json", "as_json", is_flag=True, help="one JSON object")
def locate(as_json: bool) -> None:
    """The folders in which things are kept; WASABI_TX_HOME moves all of them."""
    paths = find_paths()
    places = {
        "config": paths.config,
        "editions": paths.editions,
        "themes": paths.themes,
        "games": paths.games,
        "log": paths.log,
    }
    if as_json:
        emit({name: str(path) for name, path in places.items()})
        return
    for name, path in places.items():
        echo(f"{name:9} {path}")

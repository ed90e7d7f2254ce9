"""`wasabi-tx themes`: the available themes, each with a sample, and the errors in broken ones."""

from __future__ import annotations

import click

from ...app.colour import ink_on
from ...app.local_games import LocalGames, colours_here
from ...app.output import echo
from ...app.preferences import texts_for
from ...app.theme import Theme
from ...engine.editions import packaged_edition
from ...text.foreign import harmless
from ..options import language_option


@click.command()
@language_option
def themes(language: str | None) -> None:
    """List the themes for the settings; yours go into the folder that `wasabi-tx doctor` shows."""
    texts = texts_for(language)
    desk = LocalGames(language)
    found, problems = desk.themes()
    chosen = desk.settings()[0].theme
    for theme in found:
        mark = "*" if theme.id == chosen else " "
        words = harmless(f"{mark} {theme.id:14} {theme.names[texts.language]:18} ")
        click.echo(words + _sample(theme))
    for problem in problems:
        echo(problem, err=True)


def _sample(theme: Theme) -> str:
    """Return one tile of each category, in colours if they are wanted."""
    words = []
    for category in packaged_edition("classic").categories:
        one = next(i for i in packaged_edition("classic").ingredients if i.category == category.id)
        ground = theme.tile_ground(one.code, one.category)
        if ground is None or not ground.startswith("#") or not colours_here():
            words.append(f" {one.code} ")
        else:
            words.append(click.style(f" {one.code} ", fg=_rgb(ink_on(ground)), bg=_rgb(ground)))
    return "".join(words)


def _rgb(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)

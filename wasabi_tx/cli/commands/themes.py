"""`wasabi-tx themes`: the themes that can be chosen, each with a sample, and what is wrong with those that cannot."""

from __future__ import annotations

import click

from ...engine.editions import packaged_edition
from ...text.foreign import harmless
from ...view.colour import ink_on
from ...view.theme import Theme
from ..local_games import MachineGames, colours_here
from ..options import language_option, texts_for
from ..output import echo


@click.command()
@language_option
def themes(language: str | None) -> None:
    """The themes that can be chosen in the settings; your own go into the folder that `wasabi-tx locate` names."""
    texts = texts_for(language)
    desk = MachineGames(language)
    found, problems = desk.themes()
    chosen = desk.settings()[0].theme
    for theme in found:
        mark = "*" if theme.id == chosen else " "
        words = harmless(f"{mark} {theme.id:14} {theme.names[texts.language]:18} ")
        click.echo(words + _sample(theme))
    for problem in problems:
        echo(problem, err=True)


def _sample(theme: Theme) -> str:
    """One tile of each category; in colours if they are wanted."""
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

"""`wasabi-tx themes`: the colours that can be chosen."""

from __future__ import annotations

import click

from ..store.paths import find_paths
from ..store.themes import find_themes, read_theme
from ..view.theme import ThemeError, parse_theme
from .options import language_option, texts_for


@click.command()
@language_option
@click.pass_context
def themes(ctx: click.Context, language: str | None) -> None:
    """The themes; your own go into the folder that `wasabi-tx locate` names."""
    texts = texts_for(language)
    broken = 0
    for name, path in sorted(find_themes(find_paths().themes).items()):
        try:
            theme = parse_theme(name, read_theme(path))
        except ThemeError as error:
            broken += 1
            click.echo(texts.say("tui.theme-broken", name=name, where=error.where, found=error.found), err=True)
        except OSError as error:
            broken += 1
            click.echo(texts.say("cli.unreadable", file=path, reason=error.strerror or error), err=True)
        else:
            click.echo(f"{name:14} {theme.names[texts.language]}")
    ctx.exit(1 if broken else 0)

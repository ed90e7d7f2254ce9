"""`wasabi-tx replay`: step through a saved game."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from ..plain.console import Console
from ..plain.replay import Replay
from ..plain.saved import read_holding
from ..store.transcripts import read_text
from ..view.sentences import say_broken
from . import Failure, on_terminal
from .options import language_option, texts_for
from .saved import find_saved, rules_finder


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--steps", is_flag=True, help="print every turn at once")
@click.option("--plain", is_flag=True, help="line by line, for screen readers, scripts and pipes")
@language_option
def replay(file: Path, steps: bool, plain: bool, language: str | None) -> None:
    """Step through a saved game turn by turn; what does not hold is named, and all before it is shown."""
    texts = texts_for(language)
    path = find_saved(file)
    try:
        holding = read_holding(read_text(path), rules_finder(texts))
    except OSError as error:
        raise Failure(texts.say("cli.unreadable", file=path, reason=error.strerror or error)) from None
    on_screen = not plain and not steps and on_terminal()
    if holding.transcript is not None and on_screen:
        from .home import replay_on_screen

        replay_on_screen(holding.transcript, language)
    elif holding.transcript is not None:
        screen = Replay(holding.transcript, Console(sys.stdin, sys.stdout), texts)
        if steps:
            screen.print_all()
        else:
            screen.walk()
    if holding.broken is not None:
        raise Failure(f"{path}: {say_broken(texts, holding.broken)}")

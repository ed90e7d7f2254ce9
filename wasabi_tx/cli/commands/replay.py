"""`wasabi-tx replay`: step through a saved game."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from ...app.editions import rules_by_name
from ...app.failure import Failure
from ...app.preferences import texts_for
from ...app.saved_games import find_saved, rules_finder
from ...games.transcript import Transcript, is_of_edition
from ...plain.console import Console
from ...plain.replay import PlainReplay, read_holding
from ...store.games import SUFFIX as ONLINE
from ...store.games import list_games
from ...store.paths import find_paths, short_path
from ...store.transcripts import list_transcripts, read_text
from ...text import Texts
from ...view.sentences import say_broken
from .. import on_terminal
from ..options import language_option


@click.command()
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--edition", default=None, help="newest game of this edition; FILE must match it")
@click.option("--steps", is_flag=True, help="print every turn at once")
@click.option("--plain", is_flag=True, help="line by line, for screen readers, scripts and pipes")
@language_option
def replay(file: Path | None, edition: str | None, steps: bool, plain: bool, language: str | None) -> None:
    """Step through a saved game turn by turn: FILE, or the newest one.

    An invalid entry is reported, and everything before it is shown.
    """
    texts = texts_for(language)
    wanted = None if edition is None else rules_by_name(edition, 2, texts).edition.id
    path = find_saved(file) if file is not None else _newest(wanted, texts)
    if path.suffix == ONLINE:
        _replay_online(path, wanted, steps, plain, language)
        return
    try:
        text = read_text(path)
    except OSError as error:
        raise Failure(texts.say("cli.unreadable", file=path, reason=error)) from None
    if wanted is not None and not is_of_edition(text, wanted):
        raise Failure(texts.say("cli.other-edition", file=short_path(path), edition=edition))
    holding = read_holding(text, rules_finder(texts))
    if holding.transcript is not None:
        _show(holding.transcript, path, steps, plain, language)
    if holding.broken is not None:
        raise Failure(f"{path}: {say_broken(texts, holding.broken)}")


def _show(transcript: Transcript, path: Path, steps: bool, plain: bool, language: str | None) -> None:
    if not plain and not steps and on_terminal():
        from ...tui.launch import replay_on_screen

        replay_on_screen(transcript, str(path), language)
        return
    screen = PlainReplay(transcript, Console(sys.stdin, sys.stdout), texts_for(language))
    if steps:
        screen.print_all()
    else:
        screen.walk()


def _replay_online(path: Path, edition: str | None, steps: bool, plain: bool, language: str | None) -> None:
    """Replay a game from an online table; everything in it is checked before it is shown."""
    from ...app.online_files import read_online
    from .verify import say_checked

    texts = texts_for(language)
    transcript, checked = read_online(path, texts)
    if edition is not None and transcript.rules.edition.id != edition:
        raise Failure(texts.say("cli.other-edition", file=short_path(path), edition=edition))
    _show(transcript, path, steps, plain, language)
    if checked.fault is not None:
        raise Failure(say_checked(path, checked, texts))


def _newest(edition: str | None, texts: Texts) -> Path:
    """Return the newest saved game, or the newest of one edition."""
    folder = find_paths().games
    try:
        found = list_transcripts(folder, lambda text: edition is None or is_of_edition(text, edition))
        if list_games(folder):
            from ...online.replayed import games_online

            found += [one.path for one in games_online(folder) if edition in (None, one.edition)]
        found.sort(key=lambda path: path.stat().st_mtime, reverse=True)
    except OSError as error:
        raise Failure(texts.say("cli.unreadable", file=folder, reason=error)) from None
    if not found:
        raise Failure(texts.say("cli.no-saved", folder=short_path(folder)))
    return found[0]

"""`wasabi-tx resume`: continue an unfinished game, local or at an online table."""

from __future__ import annotations

from pathlib import Path

import click

from ...app.failure import Failure
from ...app.machine import broker_named
from ...app.output import echo
from ...app.preferences import texts_for
from ...app.saved_games import find_saved, journal_of, rules_finder
from ...games.local import LocalGame
from ...games.transcript import Broken, Transcript, read_transcript
from ...store.paths import find_paths, short_path
from ...store.transcripts import is_finished, list_transcripts, read_text, reopen_transcript
from ...text import Texts
from ...view.log.chronicle import Chronicle
from ...view.sentences import say_broken
from .. import on_terminal
from ..options import broker_option, language_option
from ..resume_online import list_online, resume_online
from .play import play_plain


@click.command()
@click.argument("game", required=False, type=click.Path(path_type=Path))
@click.option("--list", "listing", is_flag=True, help="only list the unfinished games")
@broker_option
@click.option("--plain", is_flag=True, help="line by line, for screen readers, scripts and pipes")
@language_option
def resume(game: Path | None, listing: bool, broker: str | None, plain: bool, language: str | None) -> None:
    """Continue a game: a local game's file, an online table's name, or the newest unfinished one."""
    texts = texts_for(language)
    folder = find_paths().games
    through = broker_named(broker, texts)
    if not listing and resume_online(game, texts, language, plain or not on_terminal(), through):
        return
    try:
        unfinished = list_transcripts(folder, lambda text: not is_finished(text))
    except OSError as error:
        raise Failure(texts.say("cli.unreadable", file=folder, reason=error)) from None
    if listing:
        _list(unfinished, texts)
        if not list_online(texts) and not unfinished:
            echo(texts.say("cli.no-games", folder=short_path(folder)), err=True)
        return
    if game is None and not unfinished:
        raise Failure(texts.say("cli.no-games", folder=short_path(folder)))
    path = unfinished[0] if game is None else find_saved(game)
    if game is not None and not path.exists() and game.name == str(game) and not game.suffix:
        # A word without a suffix is the name of a table, or of nothing.
        raise Failure(texts.say("cli.no-such-game", name=str(game)))
    earlier = _read(path, texts)
    if earlier.last.outcome is not None:
        raise Failure(texts.say("cli.finished", file=short_path(path)))
    try:
        saved = reopen_transcript(path, earlier.lines)
    except OSError as error:
        raise Failure(texts.say("cli.unwritable", folder=path, reason=error)) from None
    local = LocalGame.resumed(earlier, journal_of(saved.append, texts), erase=journal_of(saved.erase, texts))
    if not plain and on_terminal():
        from ...tui.launch import play_on_screen

        if not play_on_screen(local, saved, language, earlier):
            echo(texts.say("play.resume", file=short_path(saved.path)))
        return
    chronicle = Chronicle(earlier.rules, earlier.players, texts)
    chronicle.follow(earlier)
    play_plain(local, chronicle, saved, texts)


def _read(path: Path, texts: Texts) -> Transcript:
    try:
        return read_transcript(read_text(path), rules_finder(texts))
    except OSError as error:
        raise Failure(texts.say("cli.unreadable", file=path, reason=error)) from None
    except Broken as broken:
        raise Failure(f"{path}: {say_broken(texts, broken)}") from None


def _list(paths: list[Path], texts: Texts) -> None:
    for path in paths:
        try:
            earlier = _read(path, texts)
        except Failure as failure:
            echo(str(failure), err=True)
            continue
        names = ", ".join(player.name for player in earlier.players)
        edition = earlier.rules.edition.names[texts.language]
        echo(texts.say("cli.saved", file=path.name, edition=edition, names=names, turn=earlier.last.turn))

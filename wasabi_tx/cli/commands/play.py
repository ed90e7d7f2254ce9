"""`wasabi-tx play`: a local game, against bots or with friends at one keyboard."""

from __future__ import annotations

import asyncio
import secrets
import sys
from contextlib import suppress
from datetime import datetime

import click

from ...bots.level_names import LEVEL_NAMES
from ...plain.console import Console
from ...plain.session import COME_BACK, PlainSession
from ...store.paths import find_paths, short_path
from ...store.transcripts import TranscriptFile, new_transcript
from ...table.bot_process import ThinkerLost
from ...table.game import Player
from ...table.local import LocalGame
from ...text import Texts
from ...view.log.chronicle import Chronicle
from ...view.names import LONGEST, clean_name, people_names
from ...view.rivals import find_rivals
from .. import Failure, Misuse, on_terminal
from ..options import (
    check_level,
    check_rivals,
    edition_option,
    language_option,
    own_name,
    preferences,
    rival_option,
    rules_by_name,
    seed_option,
    texts_for,
)
from ..output import echo
from ..saved_games import journal_of

MOST_PLAYERS = 4
LONGEST_SEED = 64


@click.command()
@click.option("--bots", type=click.IntRange(0, 3), default=None, help="how many bots; 1 if you play alone")
@click.option("--level", type=click.Choice(LEVEL_NAMES), default="normal", show_default=True, help="how well bots play")
@rival_option
@click.option("--hotseat", type=click.IntRange(1, 4), default=1, show_default=True, help="people at this keyboard")
@click.option("--name", "names", multiple=True, help="your name; once for each person")
@seed_option
@click.option("--setup", is_flag=True, help="choose starting tiles and first recipes yourselves; else they are dealt")
@click.option("--plain", is_flag=True, help="line by line, for screen readers, scripts and pipes")
@edition_option
@language_option
def play(
    bots: int | None,
    level: str,
    rivals: tuple[str, ...],
    hotseat: int,
    names: tuple[str, ...],
    seed: str | None,
    setup: bool,
    plain: bool,
    edition: str,
    language: str | None,
) -> None:
    """Play on this machine: against bots, with friends at one keyboard, or both."""
    texts = texts_for(language)
    machines = bots if bots is not None else int(hotseat == 1)
    count = hotseat + machines
    if not 2 <= count <= MOST_PLAYERS:
        raise Misuse(texts.say("cli.seats", people=hotseat, bots=machines, count=count))
    people = _people(names, hotseat, texts)
    check_rivals(rivals, machines, texts)
    chance = _seed(seed, texts)
    players = (*(Player(name) for name in people), *find_rivals(people, machines, level, chance, rivals))
    rules = rules_by_name(edition, count, texts)
    if machines:
        check_level(level, rules, texts)
    folder = find_paths().games
    try:
        file = new_transcript(folder, rules.edition.id, datetime.now().astimezone())
    except OSError as error:
        raise Failure(texts.say("cli.unwritable", folder=folder, reason=error)) from None
    quick = not setup and preferences(find_paths()).quick_start
    game = LocalGame(rules, players, chance, journal_of(file, texts), quick=quick)
    if plain or not on_terminal():
        play_plain(game, Chronicle(rules, players, texts), file, texts)
        return
    from ..local_games import play_on_screen

    if not play_on_screen(game, file, language):
        echo(texts.say("play.resume", file=short_path(file.path)))


def play_plain(game: LocalGame, chronicle: Chronicle, file: TranscriptFile, texts: Texts) -> None:
    """Plays a game on the terminal; the file is closed afterwards."""
    console = Console(sys.stdin, sys.stdout)
    session = PlainSession(game, console, texts, chronicle, short_path(file.path))
    try:
        asyncio.run(session.run())
    except KeyboardInterrupt:
        console.say("", texts.say("play.resume-by", file=short_path(file.path), command=COME_BACK))
    except ThinkerLost:
        raise Failure(texts.say("play.bots-gone", file=short_path(file.path))) from None
    except BrokenPipeError:
        raise
    except OSError as error:
        raise Failure(texts.say("play.stopped", reason=error, file=short_path(file.path))) from None
    finally:
        # What could not be written has been reported, and closing would try it once more.
        with suppress(OSError):
            file.close()


def _people(names: tuple[str, ...], count: int, texts: Texts) -> list[str]:
    if len(names) > count:
        raise Misuse(texts.say("cli.names", names=len(names), people=count))
    people: list[str] = []
    for given in names:
        name = clean_name(given)
        if name is None or name != given.strip() or len(given.strip()) > LONGEST:
            raise Misuse(texts.say("cli.bad-name"))
        if name.casefold() in {other.casefold() for other in people}:
            raise Misuse(texts.say("cli.same-names", name=name))
        people.append(name)
    own = own_name()
    return people_names(people or ([own] if own else []), count, texts)


def _seed(seed: str | None, texts: Texts) -> str:
    if seed is None:
        return secrets.token_hex(8)
    if not seed.strip() or seed != seed.strip() or not seed.isprintable() or len(seed) > LONGEST_SEED:
        raise Misuse(texts.say("cli.bad-seed"))
    return seed

"""`wasabi-tx play`: a local game, against bots or with friends at one keyboard."""

from __future__ import annotations

import asyncio
import secrets
import sys
from contextlib import suppress
from datetime import datetime

import click

from ...app.editions import check_level, rules_by_name
from ...app.failure import Failure
from ...app.output import echo
from ...app.preferences import own_name, preferences, texts_for
from ...app.saved_games import journal_of, put_away
from ...bots.level_names import LEVEL_NAMES
from ...engine.editions import PRINTED
from ...games.bot_process import ThinkerLost
from ...games.game import Player
from ...games.local import LocalGame
from ...plain.console import Console
from ...plain.session import COME_BACK, PlainSession
from ...store.paths import find_paths, short_path
from ...store.transcripts import TranscriptFile, new_transcript
from ...text import Texts
from ...view.log.chronicle import Chronicle
from ...view.names import LONGEST, clean_name, people_names
from ...view.rivals import find_rivals
from .. import Misuse, on_terminal
from ..invite_argument import name_for
from ..options import as_printed_option, check_rivals, edition_option, language_option, rival_option, seed_option

MOST_PLAYERS = 4
LONGEST_SEED = 64


@click.command()
@click.option("--bots", type=click.IntRange(0, 3), default=None, help="number of bots (default: 1 if you play alone)")
@click.option("--anybody", is_flag=True, help="online, with whoever wants to play; a bot if nobody comes in a minute")
@click.option("--level", type=click.Choice(LEVEL_NAMES), default="normal", show_default=True, help="bots' level")
@rival_option
@click.option("--hotseat", type=click.IntRange(1, 4), default=1, show_default=True, help="people at this keyboard")
@click.option("--name", "names", multiple=True, help="your name; repeat for each person")
@seed_option
@as_printed_option
@click.option("--plain", is_flag=True, help="line by line, for screen readers, scripts and pipes")
@edition_option
@language_option
def play(
    bots: int | None,
    anybody: bool,
    level: str,
    rivals: tuple[str, ...],
    hotseat: int,
    names: tuple[str, ...],
    seed: str | None,
    as_printed: bool,
    plain: bool,
    edition: str,
    language: str | None,
) -> None:
    """Play on this machine, against bots or with friends at one keyboard; or with anybody, online."""
    texts = texts_for(language)
    if anybody and (bots is not None or rivals or hotseat > 1 or len(names) > 1 or seed is not None or as_printed):
        raise Misuse(texts.say("cli.anybody-alone"))
    if anybody and not plain and on_terminal():
        from ...tui.launch import open_home

        open_home(language, anybody=edition)
        return
    if anybody and _met_anybody(edition, name_for(names[0] if names else None, texts), texts):
        return
    machines = bots if bots is not None else int(hotseat == 1)
    count = hotseat + machines
    if not 2 <= count <= MOST_PLAYERS:
        raise Misuse(texts.say("cli.seats", people=hotseat, bots=machines, count=count))
    people = _people(names, hotseat, texts)
    check_rivals(rivals, machines, texts)
    chance = _seed(seed, texts)
    players = (*(Player(name) for name in people), *find_rivals(people, machines, level, chance, rivals))
    as_printed = as_printed or preferences(find_paths()).as_printed
    rules = rules_by_name(PRINTED.get(edition, edition) if as_printed else edition, count, texts)
    if machines:
        check_level(level, rules, texts)
    folder = find_paths().games
    try:
        file = new_transcript(folder, rules.edition.id, datetime.now().astimezone())
    except OSError as error:
        raise Failure(texts.say("cli.unwritable", folder=folder, reason=error)) from None
    journal, erase = journal_of(file.append, texts), journal_of(file.erase, texts)
    game = LocalGame(rules, players, chance, journal, quick=not as_printed, erase=erase)
    if plain or not on_terminal():
        play_plain(game, Chronicle(rules, players, texts), file, texts)
        return
    from ...tui.launch import play_on_screen

    if not play_on_screen(game, file, language):
        echo(texts.say("play.resume", file=short_path(file.path)))


def play_plain(game: LocalGame, chronicle: Chronicle, file: TranscriptFile, texts: Texts) -> None:
    """Play a game on the terminal, then close the file."""
    console = Console(sys.stdin, sys.stdout)
    session = PlainSession(game, console, texts, chronicle, short_path(file.path), kept=lambda: game.begun)
    try:
        asyncio.run(_played(session, game))
    except KeyboardInterrupt:
        if game.begun:
            console.print_lines("", texts.say("play.resume-by", file=short_path(file.path), command=COME_BACK))
    except ThinkerLost:
        raise Failure(texts.say("play.bots-gone", file=short_path(file.path))) from None
    except BrokenPipeError:
        raise
    except OSError as error:
        raise Failure(texts.say("play.stopped", reason=error, file=short_path(file.path))) from None
    finally:
        # A failed write was already reported, and closing would retry it.
        with suppress(OSError):
            put_away(game, file)


async def _played(session: PlainSession, game: LocalGame) -> None:
    try:
        await session.run()
    finally:
        await game.close()


def _met_anybody(edition: str, name: str | None, texts: Texts) -> bool:
    """Play line by line with somebody who wants to play as well; return False if nobody comes."""
    from ...app.online_tables import NobodyCame, OnlineTables
    from ...plain.online_table import sit_plain

    def tell(state: str) -> None:
        echo(texts.say(f"seek.{state}"))

    try:
        sit_plain(lambda tables: tables.meet_anybody(edition, texts, tell), OnlineTables(name), texts)
    except NobodyCame:
        tell("nobody")
        return False
    return True


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

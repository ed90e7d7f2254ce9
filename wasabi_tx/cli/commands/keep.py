"""`wasabi-tx keep`: one process without a screen that holds unfinished games online while nobody sits there."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import click

from ...store.paths import find_paths, short_path
from ...store.seats import KEEPER, SeatLock, SeatTaken, list_situations
from ...table.online.keep.seat import unfinished_of_person
from ...table.online.keep.situation import known_games
from ...text import Texts
from ...view.online.call import Call, say_call
from ...view.online.call_settings import EXAMPLE, FILE
from .. import Failure
from ..keeper import Keeper
from ..keeper_service import service_help
from ..online_common import json_option, run_until_stopped, this_machine
from ..options import language_option, texts_for
from ..output import echo, emit
from ..ringing import TEST, ChangedCalls, Ringer, call_settings


@click.command()
@click.option("--votes", type=click.Choice(["no", "yes"]), default="no", help="yes agrees once somebody's time is over")
@click.option("--ring", is_flag=True, help="only try every way in which you want to be called")
@click.option("--install-help", is_flag=True, help="how it starts with this machine: systemd, launchd, Windows")
@json_option
@language_option
def keep(votes: str, ring: bool, install_help: bool, as_json: bool, language: str | None) -> None:
    """Hold your unfinished games online while no screen does: for games that last for days.

    It gives the others what their cards need from you, keeps and passes on the log, and calls you when a decision is
    yours, in the ways that calls.toml names. It plays nothing but what you have planned for your turn. A screen that
    opens a game takes the seat over at once, and gives it back when it closes.
    """
    texts = texts_for(language)
    if install_help:
        echo(service_help(texts))
        return
    games = find_paths().games
    if ring:
        _try_calls(games, texts)
        return
    changes = ChangedCalls()
    ringer = Ringer(call_settings(texts), games, texts)
    machine = replace(this_machine(texts), votes_yes=votes == "yes")

    def line(seat: str, words: str) -> None:
        echo(f"{datetime.now().astimezone():%Y-%m-%d %H:%M}  {seat[:6]}  {words}")

    def call(found: Call) -> bool:
        if not ringer.ring(found):
            return False
        if as_json:
            emit({"call": found.kind, "table": found.table, "names": found.names, "turn": found.turn})
        elif found.kind != "cut-off":
            # Of that there was a line, with the reason.
            line(found.seat, say_call(found, texts))
        return True

    def tell(seat: str, trouble: str) -> None:
        if as_json:
            emit({"table": seat[:6], "trouble": trouble})
        else:
            line(seat, texts.say("keep.cannot", why=trouble) if trouble else texts.say("keep.can-again"))

    def tick() -> None:
        if changes.look():
            try:
                ringer.settings = call_settings(texts)
            except Failure as failure:
                failure.show()
        ringer.tick()

    async def run() -> None:
        if not as_json:
            echo(_what_is_kept(games, texts))
        await Keeper(machine, texts, call, tick=tick, tell=tell).run()

    try:
        with SeatLock(games, KEEPER):
            run_until_stopped(run, terminated=0)
    except SeatTaken:
        raise Failure(texts.say("keep.already")) from None
    finally:
        ringer.close()


def _what_is_kept(games: Path, texts: Texts) -> str:
    begun = len(known_games(games))
    rooms = len({name for name, _ in unfinished_of_person(games)} - set(list_situations(games)))
    found = [("keep.games", begun), ("keep.rooms", rooms)]
    what = ", ".join(texts.say(words, count=count) for words, count in found if count)
    return texts.say("keep.keeps", what=what) if what else texts.say("keep.keeps-none")


def _try_calls(games: Path, texts: Texts) -> None:
    """Rings in every way that the settings name, and says how each of them went."""
    path, failed = find_paths().config / FILE, False
    if not path.exists():
        echo(texts.say("keep.no-way", file=short_path(path)))
        echo(EXAMPLE)
    try:
        ringer = Ringer(call_settings(texts), games, texts)
    except Failure:
        echo(EXAMPLE)
        raise
    ways = ringer.ways(TEST)
    if not ways:
        echo(texts.say("keep.all-off", file=short_path(path)))
    for way, act in ways:
        if way == "terminal" and not sys.stdout.isatty():
            echo(texts.say("keep.rang-not", way=way, reason=texts.say("keep.no-terminal")))
            continue
        try:
            act()
        except Exception as error:
            # Libraries of others may raise anything.
            failed = True
            echo(texts.say("keep.rang-not", way=way, reason=_say_why(error, texts)), err=True)
        else:
            echo(texts.say("keep.rang", way=way))
    ringer.close()
    if failed:
        raise click.exceptions.Exit(1)


def _say_why(error: Exception, texts: Texts) -> str:
    """Why a call did not work, without the words of the command."""
    match error:
        case subprocess.CalledProcessError(returncode=code):
            return texts.say("keep.exit-code", code=code)
        case subprocess.TimeoutExpired(timeout=seconds):
            return texts.say("keep.too-slow", seconds=round(seconds))
        case ModuleNotFoundError():
            return texts.say("keep.no-package")
    return str(error) or type(error).__name__

"""`wasabi-tx keep`: one process without a screen that holds unfinished online games while nobody sits there."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import click

from ...app.call_settings import EXAMPLE, FILE
from ...app.failure import Failure
from ...app.keeper import Keeper
from ...app.machine import this_machine
from ...app.output import echo, emit
from ...app.preferences import texts_for
from ...app.ringing import TEST, ChangedCalls, Ringer, call_settings
from ...online.saved.seat import unfinished_of_person
from ...online.saved.situation import known_games
from ...store.paths import find_paths, short_path
from ...store.seat_notes import SITUATION, list_notes
from ...store.seats import KEEPER, SeatLock, SeatTaken
from ...text import Texts
from ...view.online.call import Call, say_call
from .. import show_failure
from ..options import json_option, language_option
from ..running import run_until_stopped


@click.command()
@click.option(
    "--votes", type=click.Choice(["no", "yes"]), default="no", help="vote on going on without a player whose time is up"
)
@click.option("--ring", is_flag=True, help="only test every way of notification")
@json_option
@language_option
def keep(votes: str, ring: bool, as_json: bool, language: str | None) -> None:
    """Hold your unfinished online games while no screen does: for games that last for days.

    It sends the shares that the others' cards need from you, passes on the log, and notifies you when a decision is
    yours, as set in calls.toml. It plays only the turns that you have planned. A screen that opens a game takes over
    the seat at once, and returns it when it closes.
    """
    texts = texts_for(language)
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
            # A line with the reason was already printed for that.
            line(found.seat, say_call(found, texts))
        return True

    def report(seat: str, trouble: str) -> None:
        if as_json:
            emit({"table": seat[:6], "trouble": trouble})
        else:
            line(seat, texts.say("keep.cannot", why=trouble) if trouble else texts.say("keep.can-again"))

    def tick() -> None:
        if changes.has_changed():
            try:
                ringer.settings = call_settings(texts)
            except Failure as failure:
                show_failure(str(failure))
        ringer.tick()

    async def run() -> None:
        if not as_json:
            echo(_what_is_kept(games, texts))
        await Keeper(machine, texts, call, tick=tick, report=report).run()

    try:
        with SeatLock(games, KEEPER):
            run_until_stopped(run, terminated=0)
    except SeatTaken:
        raise Failure(texts.say("keep.already")) from None
    finally:
        ringer.close()


def _what_is_kept(games: Path, texts: Texts) -> str:
    begun = len(known_games(games))
    rooms = len({name for name, _ in unfinished_of_person(games)} - set(list_notes(games, SITUATION)))
    found = [("keep.games", begun), ("keep.rooms", rooms)]
    what = ", ".join(texts.say(words, count=count) for words, count in found if count)
    return texts.say("keep.keeps", what=what) if what else texts.say("keep.keeps-none")


def _try_calls(games: Path, texts: Texts) -> None:
    """Try every way of notification in the settings, and print how each of them went."""
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
            # Other people's libraries may raise anything.
            failed = True
            echo(texts.say("keep.rang-not", way=way, reason=_say_why(error, texts)), err=True)
        else:
            echo(texts.say("keep.rang", way=way))
    ringer.close()
    if failed:
        raise click.exceptions.Exit(1)


def _say_why(error: Exception, texts: Texts) -> str:
    """Return why a notification failed, without the words of the command."""
    match error:
        case subprocess.CalledProcessError(returncode=code):
            return texts.say("keep.exit-code", code=code)
        case subprocess.TimeoutExpired(timeout=seconds):
            return texts.say("keep.too-slow", seconds=round(seconds))
        case ModuleNotFoundError():
            return texts.say("keep.no-package")
    return str(error) or type(error).__name__

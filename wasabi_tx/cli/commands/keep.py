"""`wasabi-tx keep`: one process without a screen that holds unfinished games online while nobody sits there."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from datetime import datetime

import click

from ...net.webhook import WebhookFailed
from ...store.paths import find_paths, short_path
from ...store.seats import KEEPER, SeatLock, SeatTaken
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
from ..ringing import TEST, Ringer, call_settings


@click.command()
@click.option("--votes", type=click.Choice(["no", "yes"]), default="no", help="yes agrees once somebody's time is over")
@click.option("--ring", is_flag=True, help="only try every way in which you want to be called")
@click.option("--install-help", is_flag=True, help="how it starts with this machine: systemd, launchd, Windows")
@json_option
@language_option
def keep(votes: str, ring: bool, install_help: bool, as_json: bool, language: str | None) -> None:
    """Hold your unfinished games online while no screen does: for games that last for days.

    It gives the others what their cards need from you, keeps and passes on the log, and calls you when a decision is
    yours, in the ways that calls.toml names. It plays nothing but what you have left for your turn. A screen that opens
    a game takes the seat over at once, and gives it back when it closes.
    """
    texts = texts_for(language)
    if install_help:
        echo(service_help(texts))
        return
    games = find_paths().games
    ringer = Ringer(call_settings(texts), games, texts)
    if ring:
        _try_calls(ringer, texts)
        return
    machine = replace(this_machine(texts), votes_yes=votes == "yes")

    def call(found: Call) -> None:
        if not ringer.ring(found):
            return
        if as_json:
            emit({"call": found.kind, "table": found.table, "names": found.names, "turn": found.turn})
        else:
            echo(f"{datetime.now().astimezone():%Y-%m-%d %H:%M}  {found.table}  {say_call(found, texts)}")

    try:
        with SeatLock(games, KEEPER):
            if not as_json:
                count = len(known_games(games))
                echo(texts.say("keep.keeps" if count else "keep.keeps-none", count=count))
            run_until_stopped(Keeper(machine, texts, call, tick=ringer.tick).run)
    except SeatTaken:
        raise Failure(texts.say("keep.already")) from None
    finally:
        ringer.close()


def _try_calls(ringer: Ringer, texts: Texts) -> None:
    """Rings in every way that the settings name, and says how each of them went."""
    path, failed = find_paths().config / FILE, False
    if not path.exists():
        echo(texts.say("keep.no-way", file=short_path(path)))
        echo(EXAMPLE)
    for way, act in ringer.ways(TEST):
        try:
            act()
        except (WebhookFailed, OSError, subprocess.SubprocessError, ImportError) as error:
            failed = True
            echo(texts.say("keep.rang-not", way=way, reason=str(error)), err=True)
        else:
            echo(texts.say("keep.rang", way=way))
    ringer.close()
    if failed:
        raise click.exceptions.Exit(1)

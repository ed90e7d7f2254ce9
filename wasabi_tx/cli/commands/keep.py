"""`wasabi-tx keep`: one process without a screen that holds unfinished games online while nobody sits there."""

from __future__ import annotations

from dataclasses import replace

import click

from ...store.paths import find_paths
from ...store.seats import SeatLock, SeatTaken
from ...view.online.call import Call, say_call
from .. import Failure
from ..keeper import Keeper
from ..keeper_service import SERVICE_HELP
from ..online_common import json_option, run_until_stopped, this_machine
from ..options import language_option, texts_for
from ..output import echo, emit

KEEPER = "keeper"
"""The name of the lock of the one keeper that a person needs."""


@click.command()
@click.option("--votes", type=click.Choice(["no", "yes"]), default="no", help="yes agrees once somebody's time is over")
@click.option("--install-help", is_flag=True, help="how it starts with this machine: systemd, launchd, Windows")
@json_option
@language_option
def keep(votes: str, install_help: bool, as_json: bool, language: str | None) -> None:
    """Hold your unfinished games online while no screen does: for games that last for days.

    It gives the others what their cards need from you, keeps and passes on the log, and prints a line when a decision
    is yours. It never moves. A screen that opens a game takes the seat over at once, and gives it back when it closes.
    """
    if install_help:
        echo(SERVICE_HELP)
        return
    texts = texts_for(language)
    machine = replace(this_machine(texts), votes_yes=votes == "yes")

    def call(_seat: str, found: Call) -> None:
        if as_json:
            emit({"call": found.kind, "table": found.table, "names": found.names, "turn": found.turn})
        else:
            echo(f"{found.table}  {say_call(found, texts)}")

    try:
        with SeatLock(find_paths().games, KEEPER):
            run_until_stopped(Keeper(machine, texts, call).run)
    except SeatTaken:
        raise Failure(texts.say("keep.already")) from None

"""`wasabi-tx bot`: a peer without a screen that plays a seat, or opens a table for others."""

from __future__ import annotations

import random
from dataclasses import replace

import click

from ...app.bot_processes import end_with_input
from ...app.brokers import broker_for, own_broker
from ...app.editions import check_level, rules_by_name
from ...app.failure import failures_as_sentences
from ...app.machine import broker_address, broker_named, this_machine
from ...app.output import echo, emit
from ...app.preferences import texts_for
from ...bots.level_names import CHARACTER_NAMES, LEVEL_NAMES, bot_of
from ...online.headless import CannotGoOn, Habits, play_bot, rematch_with_people
from ...online.invites import read_invite
from ...online.online_table import OnlineTable
from ...online.tables import Wanted, hold_seat, join_table, open_table, resume_bot, resume_table
from ...online.terms import CLOCK, OPTIONS, make_terms
from ...store.seats import HAND_OVER
from ...text import Texts
from ...view.names import BOT_NAMES
from .. import Misuse
from ..invite_argument import given_invite, invite_from
from ..options import broker_option, edition_option, json_option, language_option, name_option
from ..running import result_json, run_until_stopped, trouble_teller


@click.command()
@click.argument("invite", required=False)
@click.option("--new", is_flag=True, help="open a table instead of joining one")
@click.option("--seats", type=click.IntRange(2, 4), default=2, show_default=True, help="with --new: number of seats")
@edition_option
@click.option("--private", is_flag=True, help="with --new: nobody can watch without the invite")
@click.option(
    "--option", "options", type=click.Choice(OPTIONS), multiple=True, help="with --new: table option; repeatable"
)
@click.option("--level", type=click.Choice([*LEVEL_NAMES, "random"]), default="normal", show_default=True)
@click.option("--character", type=click.Choice(CHARACTER_NAMES), default=None, help="its preference besides points")
@click.option("--patience", type=click.FloatRange(1), default=300.0, help="seconds before it votes on a bot")
@click.option("--pace", type=click.FloatRange(0), default=0.0, help="seconds before each move, for people to follow")
@click.option("--leave-at", type=int, default=None, hidden=True, help="leave after this many slots")
@click.option("--seat", default=None, hidden=True, help="resume a seat of this machine")
@click.option("--leash", is_flag=True, hidden=True, help="end when standard input ends")
@broker_option
@name_option
@json_option
@language_option
def bot(
    invite: str | None,
    new: bool,
    seats: int,
    edition: str,
    private: bool,
    options: tuple[str, ...],
    level: str,
    character: str | None,
    patience: float,
    pace: float,
    leave_at: int | None,
    seat: str | None,
    leash: bool,
    broker: str | None,
    name: str | None,
    as_json: bool,
    language: str | None,
) -> None:
    """Play a seat as a bot: at the table of INVITE, or at its own with --new.

    Without INVITE, it is read from WASABI_TX_INVITE or standard input. A bot that ended before its game resumes it when
    given the invite of its table again.
    """
    texts, invite = texts_for(language), given_invite(invite)
    if new and invite:
        raise Misuse(texts.say("cli.invite-or-new"))
    if character and level not in LEVEL_NAMES:
        raise Misuse(texts.say("cli.no-character", level=level))
    kind = bot_of(level, character or "")
    habits = Habits(kind, pace, leave_at)
    machine = replace(this_machine(texts, name or random.choice(BOT_NAMES)), patience=patience)

    async def at_own_table() -> None:
        if leash:
            end_with_input()
        rules = rules_by_name(edition, seats, texts)
        check_level(level, rules, texts)
        terms = make_terms(rules, seats, seats, CLOCK, options)
        wanted = Wanted(terms, private)
        async with broker_for(broker_address(broker, texts), texts, password=wanted.password) as place:
            with failures_as_sentences(texts):
                table = open_table(machine, place.address, place.public, wanted, kind, place.bind)
            await _play(table, habits, as_json, texts)

    async def at_theirs() -> None:
        through = broker_named(broker, texts)
        with failures_as_sentences(texts):
            if seat is not None:
                # A bot of a program that was killed ends a moment after it.
                table = resume_table(machine, seat, through, disk=hold_seat(machine, seat, HAND_OVER))
            else:
                way = read_invite(invite_from(invite, texts))
                # A companion is always a new bot; the program that runs it resumes earlier ones.
                resumed = None if leash else resume_bot(machine, way, through)
                table = resumed or join_table(machine, way, kind, through)
        if leash:
            end_with_input()
            await _play_along(table, habits, as_json, texts)
        else:
            async with own_broker(table.seat, texts):
                await _play(table, habits, as_json, texts)

    run_until_stopped(at_own_table if new else at_theirs)


async def _play(table: OnlineTable, habits: Habits, as_json: bool, texts: Texts) -> None:
    """Play one game; a host that waits for others prints the invites first."""
    try:
        with failures_as_sentences(texts):
            await table.connect()
        table.await_guests(person=False)
        invites = table.hosting and not table.snapshot.begun
        if invites and as_json:
            emit({"invite": table.invite, "watch": table.watch_invite})
        elif invites:
            echo(texts.say("online.invite-play", invite=table.invite))
            echo(texts.say("online.invite-watch", invite=table.watch_invite))
        await _play_game(table, habits, as_json, texts)
    finally:
        await table.close()


async def _play_along(table: OnlineTable, habits: Habits, as_json: bool, texts: Texts) -> None:
    """Play as somebody's companion: one game after another, for as long as people wish for a rematch."""
    following: OnlineTable | None = table
    try:
        with failures_as_sentences(texts):
            await table.connect()
        while following is not None:
            table = following
            await _play_game(table, habits, as_json, texts)
            with failures_as_sentences(texts):
                following = await rematch_with_people(table)
    finally:
        await table.close()


async def _play_game(table: OnlineTable, habits: Habits, as_json: bool, texts: Texts) -> None:
    if table.seat is not None and table.seat.bot:
        # A returning bot plays at its earlier level.
        habits = replace(habits, level=table.seat.bot)
    with failures_as_sentences(texts):
        try:
            result = await play_bot(table, habits, trouble_teller(texts))
        except CannotGoOn:
            await table.give_up()
            raise
    if as_json:
        emit(result_json(result))
    elif result is not None:
        echo(texts.say("online.result", table=result.table[:6], winner=", ".join(result.winner) or "-"))

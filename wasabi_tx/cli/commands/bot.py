"""`wasabi-tx bot`: a peer without a screen that plays a seat, or opens a table for others."""

from __future__ import annotations

import random
from dataclasses import replace

import click

from ...table.online.headless import CannotGoOn, Habits, play_bot
from ...table.online.rematch import follow_people
from ...table.online.tables import (
    Attendance,
    Machine,
    Wanted,
    bot_again,
    join_table,
    open_table,
    read_invite,
    resume_table,
)
from ...table.online.terms import make_terms
from ...text import Texts
from ...view.names import BOT_NAMES
from ..bot_processes import end_with_input
from ..online_common import (
    broker_address,
    broker_for,
    broker_named,
    broker_option,
    home_for,
    invite_from,
    json_option,
    name_option,
    one_sentence,
    own_broker,
    reach,
    result_json,
    run_until_stopped,
    sentences,
    trouble_teller,
)
from ..options import edition_option, language_option, rules_by_name, texts_for
from ..output import echo, emit


@click.command()
@click.argument("invite", required=False)
@click.option("--new", is_flag=True, help="open a table instead of joining one")
@click.option("--seats", type=click.IntRange(2, 4), default=2, show_default=True, help="with --new")
@edition_option
@click.option("--private", is_flag=True, help="with --new: nobody reads along without the invite")
@click.option("--level", type=click.Choice(["easy", "normal", "random"]), default="normal", show_default=True)
@click.option("--patience", type=click.FloatRange(1), default=300.0, help="seconds before it votes about the absent")
@click.option("--pace", type=click.FloatRange(0), default=0.0, help="seconds before each move, for people to follow")
@click.option("--leave-at", type=int, default=None, hidden=True, help="leave after so many slots")
@click.option("--seat", default=None, hidden=True, help="go on with a seat of this machine")
@click.option("--leash", is_flag=True, hidden=True, help="end when standard input does")
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
    level: str,
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
    """Play a seat as a bot: at the table of INVITE (or of the invite on standard input), or with --new at its own.

    A bot that ended before its game goes on with it when it gets the invite of its table again.
    """
    texts = texts_for(language)
    if new and invite:
        raise click.UsageError("either an invite or --new, not both")
    habits = Habits(level, pace, leave_at)
    home = home_for(texts, name or random.choice(BOT_NAMES))

    async def at_own_table() -> None:
        if leash:
            end_with_input()
        terms = make_terms(rules_by_name(edition, seats, texts), seats, seats)
        async with broker_for(broker_address(broker, texts), texts) as place:
            with sentences(texts):
                attendance = open_table(home, place.address, place.public, Wanted(terms, private), level, place.bind)
            await _play(attendance, habits, patience, as_json, texts)

    async def at_theirs() -> None:
        through = broker_named(broker, texts)
        with sentences(texts):
            if seat is not None:
                attendance = resume_table(home, seat, through)
            else:
                way = read_invite(invite_from(invite, texts))
                # A companion is one more; whoever runs it brings back those that were there.
                again = None if leash else bot_again(home, way, through)
                attendance = again or join_table(home, way, level, through)
        if not leash:
            async with own_broker(attendance.seat, texts):
                await _play(attendance, habits, patience, as_json, texts)
            return
        end_with_input()
        while True:
            # Somebody else's companion: it plays on for as long as they do.
            attendance = await _play(attendance, habits, patience, as_json, texts, home)

    run_until_stopped(at_own_table if new else at_theirs)


async def _play(
    attendance: Attendance,
    habits: Habits,
    patience: float,
    as_json: bool,
    texts: Texts,
    home: Machine | None = None,
) -> Attendance:
    """Plays one game; with a home it then waits until people wish for another, and gives the place there."""
    client = attendance.driver.client
    client.be_patient(patience)
    try:
        await reach(attendance, texts)
        invites = home is None and client.hosting is not None and client.playing is None
        if invites and as_json:
            emit({"invite": attendance.invite, "watch": attendance.watch})
        elif invites:
            echo(texts.say("online.invite-play", invite=attendance.invite))
            echo(texts.say("online.invite-watch", invite=attendance.watch))
        if attendance.seat is not None and attendance.seat.bot:
            # One that comes back plays as well as before.
            habits = replace(habits, level=attendance.seat.bot)
        with one_sentence(texts):
            try:
                result = await play_bot(attendance, habits, trouble_teller(texts))
            except CannotGoOn:
                await attendance.give_up()
                raise
        if as_json:
            emit(result_json(result))
        elif result is not None:
            echo(texts.say("online.result", table=result.table[:6], winner=", ".join(result.winner) or "-"))
        return attendance if home is None else await follow_people(home, attendance)
    finally:
        await attendance.close()

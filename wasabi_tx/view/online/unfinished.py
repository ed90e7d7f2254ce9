"""Unfinished online games, each in a few words: the opponents, the turn, who is to move, since when."""

from __future__ import annotations

from datetime import datetime

from ...online.saved.situation import KnownGame
from ...text import Texts


def partners(game: KnownGame, texts: Texts) -> str:
    """Return the names of the other players."""
    return ", ".join(game.situation.names) or texts.say("unfinished.alone")


def say_situation(game: KnownGame, now: datetime, texts: Texts) -> str:
    """Return its turn, who it waits for, and since when."""
    situation, since = game.situation, _since(_moment(game.since, now), now, texts)
    if situation.vote:
        waits = texts.say("unfinished.vote", name=situation.vote, since=since)
    elif situation.mine:
        waits = texts.say("unfinished.mine", since=since)
    elif game.heard is not None:
        names, then = situation.waits_for, _when(_moment(game.heard, now), now, texts)
        waits = texts.say("unfinished.last-heard", count=len(names), names=", ".join(names), then=then)
    else:
        waits = texts.say("unfinished.theirs", names=", ".join(situation.waits_for), since=since)
    turn = texts.say("table.turn", turn=situation.turn) if situation.turn else texts.say("table.setup")
    return f"{turn} · {waits}"


def _moment(time: float, now: datetime) -> datetime:
    return datetime.fromtimestamp(time, now.tzinfo)


def _when(then: datetime, now: datetime, texts: Texts) -> str:
    """Return a time in the past as people express it."""
    days, time = (now.date() - then.date()).days, f"{then:%H:%M}"
    if days <= 0:
        return time
    return texts.say("unfinished.yesterday", time=time) if days == 1 else texts.say("unfinished.days-ago", count=days)


def _since(then: datetime, now: datetime, texts: Texts) -> str:
    """Return the start of a wait as people express it."""
    days = (now.date() - then.date()).days
    if days <= 0:
        return texts.say("unfinished.since-today", time=f"{then:%H:%M}")
    if days == 1:
        return texts.say("unfinished.since-yesterday", time=f"{then:%H:%M}")
    return texts.say("unfinished.for-days", count=days)

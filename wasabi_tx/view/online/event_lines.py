"""What happens around a table, as one line each: talk, connection, who is here, votes, and what is wrong."""

from __future__ import annotations

from collections.abc import Sequence

from ...table.game import (
    AheadUnfit,
    CardsArrived,
    Delivery,
    InvalidEntry,
    Leaving,
    Link,
    Notice,
    OtherRun,
    Overdue,
    PlayedAhead,
    Player,
    Ready,
    RematchWished,
    Said,
    SeatState,
    SeatStates,
    SetupProgress,
    Vote,
    Watchers,
)
from ...text import Texts
from ..sentences import say_code

WORTH_SAYING = 5
"""Seconds of waiting from which on it is said who is waited for."""


def event_line(event: Notice, players: Sequence[Player], texts: Texts, viewer: int | None = None) -> str | None:
    """The line for something that happened; None for what only a screen shows, quietly."""
    match event:
        case Said(seat, name, text):
            who = name or (texts.say("news.watcher") if seat is None else players[seat].name)
            return texts.say("news.said", name=who, text=text)
        case Link(False, _, int(host)) if host < len(players):
            return texts.say("news.host-closed", name=players[host].name)
        case Link(up, reason):
            return texts.say("news.link-up") if up else texts.say(f"news.link-{reason or 'closed'}")
        case Vote(out, yes, no, _, open_):
            name = players[out].name
            if not open_:
                return texts.say("news.vote-no", name=name, no=_names(no, players))
            key = "news.vote-you" if out == viewer else "news.vote-yes"
            return texts.say(key, name=name, yes=_names(yes, players))
        case InvalidEntry(seat, slot, code, saved_as):
            return texts.say(
                "news.invalid", name=players[seat].name, slot=slot, code=say_code(texts, code), file=saved_as
            )
        case Leaving(after):
            return texts.say("news.leaving", name=players[after].name)
        case PlayedAhead(turn):
            return texts.say("ahead.played", turn=turn)
        case AheadUnfit():
            # It is told with all that is left.
            return None
        case OtherRun():
            return texts.say("news.other-run")
        case RematchWished(seats):
            return texts.say("news.rematch", names=_names(seats, players))
        case Overdue(seat, kind, seconds) if seconds >= WORTH_SAYING:
            return waiting_line(kind, players[seat].name, texts)
        case Overdue() | SetupProgress() | SeatStates() | Delivery() | Watchers() | CardsArrived() | Ready():
            return None


def waiting_line(kind: str, name: str, texts: Texts) -> str:
    """Who is waited for, and what for: `mine` is a card of ours that they have to open."""
    if kind == SeatState.RECONNECTING:
        return texts.say("news.seat-reconnecting", name=name)
    known = kind if kind in ("mine", "shares", "clock", "away", "closed") else "work"
    return texts.say(f"news.waiting-{known}", name=name)


def state_line(state: SeatState, name: str, texts: Texts) -> str | None:
    """What somebody is doing; None for who is simply here, or is away without a word."""
    told = (SeatState.COMPOSING, SeatState.PAUSED, SeatState.RECONNECTING, SeatState.CLOSED)
    return texts.say(f"news.seat-{state}", name=name) if state in told else None


def progress_line(progress: SetupProgress, texts: Texts) -> str:
    """How far the sealed setup is."""
    done, total = progress.done + 1, progress.total
    return texts.say(f"room.progress-{progress.what}", done=done, total=total, who=progress.who)


def _names(seats: Sequence[int], players: Sequence[Player]) -> str:
    return ", ".join(players[seat].name for seat in seats)

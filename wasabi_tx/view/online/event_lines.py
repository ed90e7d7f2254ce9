"""Lines for the events around a table, one each: chat, connection, presence, votes, and faults."""

from __future__ import annotations

from collections.abc import Sequence

from ...games.game import (
    CardsArrived,
    Delivery,
    InvalidEntry,
    Leaving,
    Link,
    Notice,
    OtherRun,
    Overdue,
    PlanDropped,
    PlanPlayed,
    Player,
    Ready,
    RematchWished,
    Said,
    SeatState,
    SeatStates,
    SetupProgress,
    Unsaved,
    Vote,
    Watchers,
)
from ...text import Texts
from ..sentences import say_code

WORTH_SAYING = 5
"""Seconds of waiting after which a line names the player waited for."""


def event_line(event: Notice, players: Sequence[Player], texts: Texts, viewer: int | None = None) -> str | None:
    """Return the line for an event, or None for those that only a screen shows, quietly."""
    match event:
        case Said(seat, name, text):
            who = name or (texts.say("news.watcher") if seat is None else players[seat].name)
            return texts.say("news.said", name=who, text=texts.words("tui.emote").get(text, text))
        case Link(False, _, int(host)) if host < len(players):
            return texts.say("news.host-closed", name=players[host].name)
        case Link(up, reason):
            return texts.say("news.link-up") if up else texts.say(f"news.link-{reason or 'closed'}")
        case Vote(out, yes, no, _, open_):
            name = players[out].name
            if not open_ and not no:
                return texts.say("news.vote-off", name=name)
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
        case PlanPlayed(turn):
            return texts.say("plans.played", turn=turn)
        case PlanDropped():
            # The line with all plans tells it.
            return None
        case OtherRun():
            return texts.say("news.other-run")
        case Unsaved(reason):
            return unsaved_line(reason, texts)
        case RematchWished(seats):
            return texts.say("news.rematch", names=_names(seats, players))
        case Overdue(seat, kind, seconds) if seconds >= WORTH_SAYING:
            return waiting_line(kind, players[seat].name, texts)
        case Overdue() | SetupProgress() | SeatStates() | Delivery() | Watchers() | CardsArrived() | Ready():
            return None


def unsaved_line(reason: str, texts: Texts) -> str:
    """Say that nothing can be saved, and why, or that it can again."""
    return texts.say("news.unsaved", reason=reason) if reason else texts.say("news.saved-again")


def waiting_line(kind: str, name: str, texts: Texts) -> str:
    """Name the player waited for and the reason: `mine` is a card that they have to open for us."""
    if kind == SeatState.RECONNECTING:
        return texts.say("news.seat-reconnecting", name=name)
    known = kind if kind in ("mine", "shares", "clock", "away", "closed") else "work"
    return texts.say(f"news.waiting-{known}", name=name)


def state_line(state: SeatState, name: str, texts: Texts) -> str | None:
    """Describe what a player is doing, or return None if they are simply here, or away without notice."""
    told = (SeatState.COMPOSING, SeatState.PAUSED, SeatState.RECONNECTING, SeatState.CLOSED)
    return texts.say(f"news.seat-{state}", name=name) if state in told else None


def progress_line(progress: SetupProgress, texts: Texts) -> str:
    """Describe the progress of the sealed setup."""
    done, total = progress.done + 1, progress.total
    return texts.say(f"room.progress-{progress.what}", done=done, total=total, who=progress.who)


def _names(seats: Sequence[int], players: Sequence[Player]) -> str:
    return ", ".join(players[seat].name for seat in seats)

"""Words for the waiting room as a whole: what is proposed and begins, how far the sealed cards are, what goes wrong."""

from __future__ import annotations

from ..table.game import Progress
from ..table.online import news
from ..table.online.client import Event
from ..table.online.playing import Playing
from ..table.online.result import player_of
from ..text import Texts


def room_line(event: Event, texts: Texts) -> str | None:
    """The line for something before the game that concerns the whole room; None for what needs none."""
    match event:
        case news.Proposed(keys):
            return texts.say("room.proposed", count=len(keys))
        case news.CannotPlay(code, params):
            return texts.say(f"online.cannot-play.{code}", **params)
        case news.HostBroken():
            return texts.say("room.host-broken")
        case news.Begun(names):
            return texts.say("room.begun", names=", ".join(names))
        case news.Trouble(reason):
            return texts.say("room.trouble", reason=reason)
    return None


def left_line(playing: Playing, texts: Texts) -> str:
    """How we lost our seat, while the others play on; nothing if we have one, or never had."""
    if not playing.out:
        return ""
    voters = [player_of(playing.founded.joins[seat]).name for seat in playing.excluded_by]
    return texts.say("room.voted-out", names=", ".join(voters)) if voters else texts.say("room.you-left")


def progress_line(progress: Progress, texts: Texts) -> str:
    """How far the sealed setup is."""
    done, total = progress.done + 1, progress.total
    return texts.say(f"room.progress-{progress.what}", done=done, total=total, who=progress.who)

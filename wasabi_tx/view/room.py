"""Words for the waiting room: who comes and sits, what is offered, how far the sealed cards are."""

from __future__ import annotations

from collections.abc import Callable

from ..table.game import Progress
from ..table.online import news
from ..table.online.client import Event
from ..table.online.people import finger, shown_name
from ..table.online.playing import Playing
from ..table.online.result import player_of
from ..text import Texts


def room_line(event: Event, texts: Texts, name_of: Callable[[str], str] = str) -> str | None:
    """The line for something that happened before the game; `name_of` knows what editions are called."""
    match event:
        case news.Offered(offer):
            edition, host = name_of(offer.terms.edition), shown_name(offer.name, offer.key)
            return texts.say("room.offered", edition=edition, seats=offer.terms.most, host=host)
        case news.Joined(key, name, runner):
            word = "room.joined-bot" if runner else "room.joined"
            return texts.say(word, name=shown_name(name, key), key=finger(key))
        case news.Admitted(key):
            return texts.say("room.admitted", key=finger(key))
        case news.Dropped(key):
            return texts.say("room.dropped", key=finger(key))
        case news.Accepted(key):
            return texts.say("room.accepted", key=finger(key))
        case news.Proposed(keys):
            return texts.say("room.proposed", count=len(keys))
        case news.CannotPlay(code, params):
            return texts.say(f"online.cannot-play.{code}", **params)
        case news.HostBroken():
            return texts.say("room.host-broken")
        case news.Begun(names):
            return texts.say("room.begun", names=", ".join(names))
        case news.Said(key, text):
            return texts.say("news.said", name=finger(key), text=text)
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

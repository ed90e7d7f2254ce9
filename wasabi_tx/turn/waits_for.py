"""One sentence about what a table waits for."""

from __future__ import annotations

from ..text import Texts
from ..text.foreign import clean
from ..view.online.event_lines import state_line, waiting_line
from ..view.online.surroundings import Surroundings, sentence
from .followed_game import FollowedGame


def waits_for(followed: FollowedGame, around: Surroundings, texts: Texts) -> str:
    """Return what the game is waiting for while nobody here can choose anything."""
    game, say = followed.game, texts.say
    if followed.over:
        return say("play.over")
    if not around.reached:
        return say("tui.unreached")
    owing = around.waiting
    if owing is not None:
        kind = "mine" if owing.kind == "shares" and game.awaiting else owing.kind
        return sentence(waiting_line(kind, clean(game.players[owing.seat].name, 20), texts))
    if around.unsaved and game.awaiting:
        return say("tui.unsaved")
    if game.awaiting:
        return say("tui.awaits")
    name = clean(followed.view().mover, 20)
    doing = state_line(around.state_of(game.position.mover), name, texts)
    return sentence(doing) if doing else say("tui.waits", name=name)

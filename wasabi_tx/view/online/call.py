"""A call to a person who is not looking at a game: what waits for them, as a value, a sentence and messages.

A call names the players and the turn. Private knowledge of our seat, a hand or an invite, is never part of it.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from html import escape

from ...games.plans import NO_PLANS, Plans
from ...online.saved.situation import Situation
from ...text import Texts
from ...text.foreign import clean

BRAND = "Wasabi TX"
SHAPES = ("ntfy", "discord", "slack", "json")
"""The message formats of web services."""


@dataclass(frozen=True)
class Call:
    """Something that our player has to decide or fix."""

    kind: str
    """`turn`, `vote`, `guest`, `cut-off` if a keeper cannot reach the table, or `test`."""
    seat: str
    """The name of our player's seat."""
    names: tuple[str, ...]
    """The others at the table; for guests, the name of the latest one."""
    turn: int = 0
    about: str = ""
    """The player whom a vote is about."""
    not_played: str = ""
    """The reason why the user's plan for this turn was not played; empty if they had none."""
    guests: int = 1
    """The number of guests asking for a seat."""

    @property
    def table(self) -> str:
        """The beginning of the table's name, for people and for `resume`."""
        return self.seat[:6]

    @property
    def occasion(self) -> str:
        """The key of the occasion, for which a person is called only once; guests have a doorbell."""
        return f"{self.kind} {self.turn} {self.about}".strip()


def call_of(seat: str, situation: Situation, plans: Plans = NO_PLANS) -> Call | None:
    """Return the call for a situation and a plan that was not played; None if nothing waits for us."""
    if not situation.mine:
        return None
    kind = "vote" if situation.vote else "turn"
    why = plans.not_played
    not_played = why.code if why is not None and why.turn == situation.turn and kind == "turn" else ""
    return Call(kind, seat, situation.names, situation.turn, situation.vote, not_played)


def say_call(call: Call, texts: Texts) -> str:
    """Return the sentence for a call."""
    names = ", ".join(call.names) or call.table
    words = texts.say(f"call.{call.kind}", names=names, turn=call.turn, about=call.about, count=call.guests)
    # Which square it is stays here: it would tell the service of a webhook what our person plans.
    return f"{words}; {texts.say(f'call.not-played-{call.not_played}')}" if call.not_played else words


def call_facts(call: Call, texts: Texts) -> dict[str, str]:
    """Return the call as environment variables for a command."""
    return {
        "WASABI_TX_CALL": call.kind,
        "WASABI_TX_CALL_TEXT": say_call(call, texts),
        "WASABI_TX_CALL_TABLE": call.table,
        "WASABI_TX_CALL_NAMES": ", ".join(call.names),
        "WASABI_TX_CALL_TURN": str(call.turn),
    }


def call_message(shape: str, call: Call, texts: Texts) -> tuple[dict[str, str], bytes]:
    """Return headers and body of the call for a web service. Names in it cannot mention anybody or form links."""
    text = say_call(call, texts)
    if shape == "ntfy":
        return {"Title": BRAND, "Tags": "sushi", "Content-Type": "text/plain; charset=utf-8"}, text.encode()
    match shape:
        case "discord":
            plain = replace(call, names=tuple(map(_no_markdown, call.names)), about=_no_markdown(call.about))
            found: dict[str, object] = {"content": say_call(plain, texts), "allowed_mentions": {"parse": []}}
        case "slack":
            found = {"text": escape(text, quote=False)}
        case _:
            found = {
                "call": call.kind,
                "text": text,
                "table": call.table,
                "names": list(call.names),
                "turn": call.turn,
                "about": call.about,
            }
    return {"Content-Type": "application/json"}, json.dumps(found).encode()


def _no_markdown(name: str) -> str:
    return re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", name)


def desktop_call(text: str, system: str) -> str:
    """Return the text for a desktop notification on a `sys.platform`, escaped where D-Bus interprets markup."""
    return text if system in ("darwin", "win32") else escape(text, quote=False)


def terminal_call(text: str, terminal: str, inside_tmux: bool) -> str:
    """Return the codes for a terminal notification and the bell: OSC 777 where it is supported, else OSC 9."""
    words = clean(text).replace(";", ",")
    code = f"777;notify;{BRAND};{words}" if terminal.startswith(("rxvt", "foot")) else f"9;{words}"
    found = f"\x1b]{code}\x07"
    if inside_tmux:
        found = "\x1bPtmux;" + found.replace("\x1b", "\x1b\x1b") + "\x1b\\"
    return found + "\x07"

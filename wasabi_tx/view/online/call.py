"""A call to a person who does not look at a game: what waits for them, in values, in a sentence, and as messages.

A call says who plays and which turn it is. What only our seat knows, a hand or an invite, is never part of it.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from html import escape

from ...table.ahead import NOTHING, Ahead
from ...table.online.keep.situation import Situation
from ...text import Texts
from ...text.foreign import clean

BRAND = "Wasabi TX"
SHAPES = ("ntfy", "discord", "slack", "json")
"""The forms in which services on the web take a message."""


@dataclass(frozen=True)
class Call:
    """Something that our person is to decide, or to mend."""

    kind: str
    """`turn`, `vote`, `guest`, `cut-off` if a keeper cannot reach the table, or `test`."""
    seat: str
    """The name of our person's seat."""
    names: tuple[str, ...]
    """The others at the table; of guests the last one's own name."""
    turn: int = 0
    about: str = ""
    """About whom a vote is open."""
    unfit: str = ""
    """Why what our person had left for this turn was not played; empty if they had left nothing."""
    guests: int = 1
    """How many guests ask for a seat."""

    @property
    def table(self) -> str:
        """The beginning of the table's name, for people and for `resume`."""
        return self.seat[:6]

    @property
    def occasion(self) -> str:
        """What a person is called for once; guests have a doorbell."""
        return f"{self.kind} {self.turn} {self.about}".strip()


def call_of(seat: str, situation: Situation, ahead: Ahead = NOTHING) -> Call | None:
    """The call for a situation, and for what was left for it; None if nothing in it waits for us."""
    if not situation.mine:
        return None
    kind = "vote" if situation.vote else "turn"
    why = ahead.not_played
    unfit = why.code if why is not None and why.turn == situation.turn and kind == "turn" else ""
    return Call(kind, seat, situation.names, situation.turn, situation.vote, unfit)


def say_call(call: Call, texts: Texts) -> str:
    """The sentence for a call."""
    names = ", ".join(call.names) or call.table
    words = texts.say(f"call.{call.kind}", names=names, turn=call.turn, about=call.about, count=call.guests)
    # Which square it is stays here: it would tell the service of a webhook what our person plans.
    return f"{words}; {texts.say(f'call.unfit-{call.unfit}')}" if call.unfit else words


def call_facts(call: Call, texts: Texts) -> dict[str, str]:
    """The call as variables for a command."""
    return {
        "WASABI_TX_CALL": call.kind,
        "WASABI_TX_CALL_TEXT": say_call(call, texts),
        "WASABI_TX_CALL_TABLE": call.table,
        "WASABI_TX_CALL_NAMES": ", ".join(call.names),
        "WASABI_TX_CALL_TURN": str(call.turn),
    }


def call_message(shape: str, call: Call, texts: Texts) -> tuple[dict[str, str], bytes]:
    """The call as a service on the web takes it: headers and body. A name in it calls nobody else and is no link."""
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
    """What a desktop is to show, on a `sys.platform`: where that is asked for over D-Bus, it reads markup."""
    return text if system in ("darwin", "win32") else escape(text, quote=False)


def terminal_call(text: str, terminal: str, inside_tmux: bool) -> str:
    """What makes a terminal tell its person, beside the bell: OSC 777 where that is known, else OSC 9."""
    words = clean(text).replace(";", ",")
    code = f"777;notify;{BRAND};{words}" if terminal.startswith(("rxvt", "foot")) else f"9;{words}"
    found = f"\x1b]{code}\x07"
    if inside_tmux:
        found = "\x1bPtmux;" + found.replace("\x1b", "\x1b\x1b") + "\x1b\\"
    return found + "\x07"

"""The Wasabi TX wire protocol as a library: sans-IO, bytes in, events out.

It opens no socket, reads no clock and writes no file. Your program does that, with any MQTT client, and hands over
what arrives. These are the pieces, in the order in which a client needs them:

1. `Identity` is a person's key; it signs everything that the person says. `messages` defines what can be said, and
   `signed_message` makes an envelope of it.
2. `parse_invite` reads the line that leads to a table; `Lobby` lists the tables that a broker offers.
3. `Channel` knows the topics of one table. Its `read` turns a payload into a `Letter` with a checked signature.
4. `find_room` makes the `WaitingRoom` from the first letter of the host. There a client joins and accepts, until the
   host starts the game; `waiting_room` defines the events.
5. `Session` is that game, for a player (`Me`, with the `SealedPlayer` of its cards) or, without `Me`, for a watcher.
   `receive` takes each envelope and returns `events`. What the player says comes out as an envelope: save it,
   publish it, then hand it to `wrote`. The rules of the game are yours; `rules_port` says what is asked of them.
   In a vote about a seat that keeps the others waiting, `word` is what a client owes and `vote` what somebody decides;
   `poll` names the choices.
6. `Asking` and `Answers` catch up with what was missed, and help others to; `known_after` is what to answer.
   `log_chunks` makes what a player leaves with the broker for those who come late.
7. `record` writes a file that proves the game to anyone, and `replay` checks such a file.

What is wrong raises a `Verdict`: `Refused` (dropped, nobody is blamed), `Invalid` (a seat signed it: proof against that
seat) or `Forbidden` (your own program asked for something that the protocol rules out).

`protocol/examples/` shows all of this at work. Everything else can be imported from the module that defines it, as the
application does, but may move; these names stay.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wasabi_protocol.game import events, record, rules_port
    from wasabi_protocol.game.catch_up import Answers, Asking, known_after, log_chunks
    from wasabi_protocol.game.record import replay
    from wasabi_protocol.game.session import Me, Session
    from wasabi_protocol.sealed.player import SealedPlayer
    from wasabi_protocol.signed import messages
    from wasabi_protocol.signed.codec import signed_message
    from wasabi_protocol.signed.identity import Identity
    from wasabi_protocol.table import waiting_room
    from wasabi_protocol.table.channel import Channel, Letter
    from wasabi_protocol.table.invite_text import parse_invite
    from wasabi_protocol.table.lobby import Lobby
    from wasabi_protocol.table.waiting_room import WaitingRoom, find_room
    from wasabi_protocol.verdicts import Forbidden, Invalid, Refused, Verdict
    from wasabi_protocol.voting import poll

__all__ = [
    "Answers",
    "Asking",
    "Channel",
    "Forbidden",
    "Identity",
    "Invalid",
    "Letter",
    "Lobby",
    "Me",
    "Refused",
    "SealedPlayer",
    "Session",
    "Verdict",
    "WaitingRoom",
    "events",
    "find_room",
    "known_after",
    "log_chunks",
    "messages",
    "parse_invite",
    "poll",
    "record",
    "replay",
    "rules_port",
    "signed_message",
    "waiting_room",
]

_MODULES = {
    "game": ("events", "record", "rules_port"),
    "game.catch_up": ("Answers", "Asking", "known_after", "log_chunks"),
    "game.record": ("replay",),
    "game.session": ("Me", "Session"),
    "sealed.player": ("SealedPlayer",),
    "signed": ("messages",),
    "signed.codec": ("signed_message",),
    "signed.identity": ("Identity",),
    "table": ("waiting_room",),
    "table.channel": ("Channel", "Letter"),
    "table.invite_text": ("parse_invite",),
    "table.lobby": ("Lobby",),
    "table.waiting_room": ("WaitingRoom", "find_room"),
    "verdicts": ("Forbidden", "Invalid", "Refused", "Verdict"),
    "voting": ("poll",),
}

if not TYPE_CHECKING:
    # Each name is imported when it is first used, so that a program which needs one module does not load them all.
    # Type checkers see the plain imports above, and none of this.

    def __getattr__(name):
        from importlib import import_module

        for module, names in _MODULES.items():
            if name in names:
                home = import_module(f"{__name__}.{module}")
                found = getattr(home, name, None) or import_module(f"{home.__name__}.{name}")
                globals()[name] = found
                return found
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__():
        return __all__

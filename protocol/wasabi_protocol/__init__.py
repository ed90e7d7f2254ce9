"""The Wasabi TX wire protocol as a library: sans-IO, bytes in, events out.

It opens no socket, reads no clock and writes no file. Your program does that, with any MQTT client, and passes in
what arrives. These are the pieces, in the order in which a client needs them:

1. `Identity` is a person's key, which signs all of that person's messages. `messages` defines the messages, and
   `signed_message` puts one into an envelope.
2. `parse_invite` reads the line that leads to a table; `Lobby` lists the tables that a broker offers.
3. `Channel` knows the topics of one table. Its `read` turns a payload into a `Letter` with a checked signature.
4. `find_room` creates the `WaitingRoom` from the first letter of the host. There a client joins and accepts, until
   the host starts the game; `waiting_room` defines the events.
5. `Session` is that game, for a player (`Me`, with the `SealedPlayer` of its cards) or, without `Me`, for a watcher.
   `receive` takes each envelope and returns `events`. The player's own messages are returned as envelopes: save each,
   publish it, then pass it to `wrote`. You supply the rules of the game; `rules_port` defines their interface.
   In a vote about a seat that keeps the others waiting, `word` returns the message that a client owes, and `vote` the
   one that somebody decides; `poll` names the choices.
6. `Asking` fetches missed messages and `Answers` helps others to; `known_after` returns the content of an answer.
   `log_chunks` creates the log that a player retains at the broker for late joiners.
7. `record` writes a file that proves the game to anyone, and `replay` checks one.

Wrong input raises a `Verdict`: `Refused` (dropped, nobody is blamed), `Invalid` (a seat signed it: proof against that
seat) or `Forbidden` (your own program asked for something that the protocol rules out).

`protocol/examples/` shows all of this in use. Everything else can be imported from the module that defines it, as the
application does, but may move; these names are stable.
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
    # Each name is imported on first use, so that a program which needs one module does not load them all. Type checkers
    # see only the plain imports above.

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

"""Watch a table to the end of its game; each entry is checked here, so the broker needs no trust.

python protocol/examples/watch_a_table.py INVITE
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from contextlib import suppress

import aiomqtt
from wasabi_protocol import Channel, Refused, Session, WaitingRoom, events, find_room, messages, parse_invite

from wasabi_tx.engine.editions import rules_for
from wasabi_tx.online.rules_adapter.sealed_position import SealedPosition
from wasabi_tx.online.rules_adapter.umpire import Umpire
from wasabi_tx.online.terms import FindRules, rules_of


async def watch(line: str, find: FindRules = rules_for, tell: Callable[[str], None] = print) -> Session[SealedPosition]:
    """Follow the table that an invite leads to, and return the finished game."""
    invite = parse_invite(line)
    channel = Channel.for_invite(invite)
    room: WaitingRoom | None = None
    session: Session[SealedPosition] | None = None
    host, port = invite.carriers[0].hosts[0]
    async with aiomqtt.Client(host, port) as broker:
        await broker.subscribe([(pattern, 0) for pattern in channel.room_filters(whole=True)])
        async for message in broker.messages:
            with suppress(Refused):
                letter = channel.read(str(message.topic), bytes(message.payload))
                for item in letter.items if session is None else ():
                    # Before the game, the host's offer or genesis opens the room, and its start ends the wait.
                    with suppress(Refused):
                        room = room or find_room(channel, *item, names_host=invite.names_host)
                        room.receive(*item)
                if session is None and room is not None and room.game is not None:
                    founded = room.game
                    session = Session(founded, Umpire(rules_of(founded.genesis.terms, find)))
                    for key in founded.keys:
                        channel.learn(key)
                    # The seats retain their logs at the broker, so the whole game arrives, however late we came.
                    await broker.subscribe([(pattern, 0) for pattern in channel.game_filters(None, logs=True)])
                elif session is not None:
                    for event in session.receive(letter.key, letter.envelope, live=not message.retain):
                        if isinstance(event, events.EntryAccepted) and isinstance(event.entry.message, messages.Bundle):
                            tell(f"seat {event.entry.seat}: {'; '.join(event.entry.message.steps)}")
                    if session.over:
                        return session
    raise ConnectionError("the broker hung up")


if __name__ == "__main__":
    game = asyncio.run(watch(sys.argv[1]))
    print("scores by seat:", game.state.outcome and game.state.outcome.scores)

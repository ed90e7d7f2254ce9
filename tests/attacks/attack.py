"""One attack, on programs in separate processes and a real broker."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random

from tests.attacks import hosts, seats, strangers
from tests.attacks.scene import Scene
from tests.brokers import RealBroker
from tests.peers.program import programs_below

ATTACKS = seats.ATTACKS | strangers.ATTACKS | hosts.ATTACKS


async def attack(name: str, folder: Path, engine: str = "nats", seed: str = "1") -> str:
    """Run one attack and return its outcome; raise `Failed` or AssertionError if it did harm."""
    broker = RealBroker(engine, folder / "broker")
    async with AsyncExitStack() as stack:
        await asyncio.to_thread(broker.start)
        stack.callback(broker.stop)
        programs = stack.enter_context(programs_below(folder))
        return await ATTACKS[name](Scene(folder, broker, programs, stack, Random(f"{seed} {name}")))

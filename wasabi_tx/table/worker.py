"""The process in which bots think: thoughts in on standard input, bundles out on standard output."""

from __future__ import annotations

import pickle
import signal
import sys
from random import Random
from typing import NamedTuple

from ..bots.registry import find_bot
from ..engine.observe import Observation

NODES = 100_000
"""How many positions a bot may look at before it has to answer."""


class Thought(NamedTuple):
    """What a bot is asked: who it is, what it sees, and the seed of its whims."""

    bot: str
    observation: Observation
    seed: str


def frame(payload: bytes) -> bytes:
    """Length first, so that the other side knows where it ends."""
    return len(payload).to_bytes(4, "big") + payload


def main() -> None:
    # Ctrl-C belongs to the table; this process ends when its input does.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    source, target = sys.stdin.buffer, sys.stdout.buffer
    while head := source.read(4):
        thought = pickle.loads(source.read(int.from_bytes(head, "big")))
        try:
            answer: object = find_bot(thought.bot).choose(thought.observation, Random(thought.seed), NODES)
        except Exception as error:
            answer = repr(error)
        target.write(frame(pickle.dumps(answer)))
        target.flush()


if __name__ == "__main__":
    main()

"""kill -9 of real peers in the middle of real games, again and again: `python -m tests.peers.kills`."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from random import Random
from time import monotonic

from wasabi_protocol.game.record import MAGIC, read_record

from tests.brokers import KINDS, RealBroker, until
from tests.peers.program import PATIENCE, Programs, games, programs_below
from tests.peers.tables import NAMES, Table, agree, open_table


def entries(home: Path) -> int:
    """How many envelopes the one game file of a home holds now, genesis and start included."""
    found = games(home)
    data = found[0].read_bytes() if found else b""
    return len(read_record(data)[0]) if data.startswith(MAGIC) else 0


def seat_of(home: Path) -> str:
    (seat,) = (home / "games" / "seats").glob("*.seat")
    return seat.stem


def resume(table: Table, name: str) -> None:
    """A bot that was killed sits down again, with what its disk holds."""
    words = ("bot", "--seat", seat_of(table.programs.home(name)), "--json")
    program = table.programs.start(name, *words, typed=None)
    if name == NAMES[0]:
        table.host, table.host_lines = program, 1
    else:
        table.others[name] = program


def kill_at(table: Table, name: str, target: int) -> bool:
    """Kills a peer once its file has that number of entries, and brings it back; False if it ended before."""
    home, victim = table.programs.home(name), table.everybody[name]
    until(lambda: entries(home) >= target or not victim.running, PATIENCE)
    if not victim.running:
        assert victim.ended() == 0, victim.err + victim.trace
        return False
    victim.kill()
    resume(table, name)
    return True


def killed_game(
    programs: Programs, broker: RealBroker, seats: int, edition: str, chance: Random, kills: int, longest: int
) -> int:
    """A private game whose peers are killed that often, each after at most that number of entries; how often it was.

    Everybody ends with the same verified game, and nobody has ever signed two things for one place.
    """
    table = open_table(programs, seats, edition, private=True, broker=broker.address.url())
    table.fill()
    happened = 0
    while happened < kills:
        name = chance.choice(NAMES[:seats])
        if not kill_at(table, name, entries(programs.home(name)) + chance.randint(1, longest)):
            break
        happened += 1
    agree(table)
    return happened


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=8)
    parser.add_argument("--seed", default="1")
    chosen = parser.parse_args()
    for number in range(chosen.games):
        chance = Random(f"{chosen.seed} {number}")
        kind, seats = KINDS[number % 2], chance.choice((2, 3, 4))
        edition = chance.choice(("classic", "master"))
        started = monotonic()
        with tempfile.TemporaryDirectory() as folder, programs_below(Path(folder)) as programs:
            broker = RealBroker(kind, Path(folder) / "broker")
            broker.start()
            try:
                # As often as it can be done: a peer that is back is killed at its next entry.
                count = killed_game(programs, broker, seats, edition, chance, sys.maxsize, 1)
            finally:
                broker.stop()
        print(f"{kind}, {edition}, {seats} seats: {count} kills, {monotonic() - started:.0f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())

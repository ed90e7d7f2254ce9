"""kill -9 of real peers in the middle of real games, again and again: `python -m tests.lab.soaks.kills`."""

from __future__ import annotations

from pathlib import Path
from random import Random

from wasabi_protocol.game.record import MAGIC, read_record

from tests.brokers import RealBroker, until
from tests.peers.program import PATIENCE, Programs, games
from tests.peers.tables import NAMES, Table, agree, open_table


def entries(home: Path) -> int:
    """Return how many envelopes the one game file of a home contains, including genesis and start."""
    found = games(home)
    data = found[0].read_bytes() if found else b""
    return len(read_record(data)[0]) if data.startswith(MAGIC) else 0


def seat_of(home: Path) -> str:
    (seat,) = (home / "games" / "seats").glob("*.seat")
    return seat.stem


def resume(table: Table, name: str) -> None:
    """Restart a killed bot from its disk."""
    words = ("bot", "--seat", seat_of(table.programs.home(name)), "--json")
    program = table.programs.start(name, *words, typed=None)
    if name == NAMES[0]:
        table.host, table.host_lines = program, 1
    else:
        table.others[name] = program


def kill_at(table: Table, name: str, target: int) -> bool:
    """Kill a peer once its file has that number of entries, and bring it back; return False if it ended before."""
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
    """Play a private game with up to `kills` kills, each after at most `longest` entries; return how many there were.

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

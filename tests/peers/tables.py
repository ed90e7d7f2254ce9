"""A table of bots in separate processes, from the invite to files that anybody can check."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from wasabi_protocol.game.record import read_record
from wasabi_protocol.signed.codec import parse
from wasabi_protocol.signed.identity import SIGNATURE_BYTES
from wasabi_protocol.signed.messages import Bundle
from wasabi_protocol.table.invite_text import parse_invite

from tests.peers.program import Program, Programs, game_file
from wasabi_tx.net.address import PLAYER

NAMES = ("Murasaki", "Akane", "Midori", "Hisui")
WATCHERS = ("watcher-1", "watcher-2")
Result = dict[str, Any]


@dataclass
class Table:
    """A table that a bot has opened; more players join by its invites."""

    programs: Programs
    seats: int
    invite: str
    watch: str
    host: Program
    others: dict[str, Program] = field(default_factory=dict)
    host_lines: int = 2
    """Number of lines that the host prints: the invites, and at the end the result."""
    level: str = "easy"
    words: tuple[str, ...] = ()
    """Additional options for every bot."""

    def join(self, *names: str) -> None:
        """Let bots take seats."""
        for name in names:
            self.others[name] = self.programs.start(
                name, "bot", "--level", self.level, "--name", name, "--json", *self.words, typed=self.invite + "\n"
            )

    def fill(self) -> None:
        """Let bots take all remaining seats."""
        self.join(*NAMES[1 : self.seats])

    def look(self, *names: str, ask: bool = False) -> None:
        """Add watchers, with the watch invite; with the broker's password they can ask."""
        found = parse_invite(self.invite)
        (host, port), password = found.carriers[0].hosts[0], found.carriers[0].password
        broker = f"mqtt://{PLAYER}:{password}@{host}:{port}" if ask else ""
        for name in names:
            words = ("watch", "--headless", "--json")
            self.others[name] = self.programs.start(name, *words, typed=self.watch + "\n", broker=broker)

    @property
    def everybody(self) -> dict[str, Program]:
        return {NAMES[0]: self.host, **self.others}

    def results(self) -> dict[str, Result]:
        """Return each one's output at the end: one JSON object, nothing else, exit code 0."""
        found: dict[str, Result] = {}
        for name, program in self.everybody.items():
            assert program.ended() == 0, program.err + program.trace
            assert program.err == "", name
            lines = program.json
            assert len(lines) == (self.host_lines if program is self.host else 1), (name, lines)
            found[name] = lines[-1]
        return found

    def game(self, name: str) -> Path:
        return game_file(self.programs.home(name))


def open_table(
    programs: Programs,
    seats: int,
    edition: str,
    private: bool = False,
    broker: str | None = None,
    level: str = "easy",
    words: tuple[str, ...] = (),
) -> Table:
    """Let a bot open a table, on its own broker unless one is given."""
    game = ("--seats", str(seats), "--edition", edition, "--level", level, "--name", NAMES[0])
    place = (*(("--private",) if private else ()), *(("--broker", broker) if broker else ()))
    host = programs.start(NAMES[0], "bot", "--new", "--json", *game, *place, *words)
    said = json.loads(host.line())
    return Table(programs, seats, said["invite"], said["watch"], host, level=level, words=words)


def verified(programs: Programs, *files: Path) -> list[Result]:
    """Return the results of `verify` for files that must be valid."""
    code, program = programs.run("judge", "verify", "--json", *map(str, files))
    results = program.json
    assert code == 0, results
    assert program.err == ""
    assert len(results) == len(files)
    assert all(result["verified"] and result["fault"] is None for result in results)
    return results


def agree(table: Table) -> Result:
    """Check that everybody ended with the same settled, verified game, and that `verify` agrees for every file."""
    results = table.results()
    result = results[NAMES[0]]
    assert result["settled"]
    assert result["verified"]
    assert all(other == result for other in results.values()), results
    # Files may differ in the order within a slot; each distinct content is checked once.
    contents = {(file := table.game(name)).read_bytes(): file for name in results}
    assert all(one == {**result, "fault": None} for one in verified(table.programs, *contents.values()))
    return result


def steps_of(file: Path) -> list[str]:
    """Return every step that was played, in the notation of the rules, from a verified file."""
    items, whole = read_record(file.read_bytes())
    assert whole
    messages = [parse(envelope[SIGNATURE_BYTES:]) for _, envelope in items]
    return [step for message in messages if isinstance(message, Bundle) for step in message.steps]

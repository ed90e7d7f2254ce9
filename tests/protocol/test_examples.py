"""The examples work on a real broker, at a table that the application itself opened."""

from __future__ import annotations

import ast
import asyncio
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import wasabi_protocol
from examples.play_a_seat import PATIENCE, BotSeat, play
from examples.verify_a_file import verify
from examples.watch_a_table import watch
from wasabi_protocol.game.record import read_record, write_record
from wasabi_protocol.signed.identity import Identity
from wasabi_protocol.voting.poll import PERSON

from tests.invites import open_invite
from tests.peers.program import Programs, game_file, programs_below
from tests.peers.tables import NAMES, Table, open_table
from tests.protocol.game.test_record import until
from tests.protocol.sessions import World
from tests.tui.short import any_rules

if TYPE_CHECKING:
    from wasabi_protocol.game.session import Session

    from wasabi_tx.online.rules_adapter.sealed_position import SealedPosition

FOLDER = Path(wasabi_protocol.__file__).parents[1] / "examples"
SCRIPTS = sorted(FOLDER.glob("*.py"))


@pytest.fixture
def programs(tmp_path: Path) -> Iterator[Programs]:
    with programs_below(tmp_path) as made:
        yield made


def agree(table: Table, *sessions: Session[SealedPosition]) -> None:
    """Check that the hosting application agrees about the game, and that its file proves it."""
    assert table.host.ended() == 0, table.host.err
    result = table.host.json[-1]
    assert result["settled"]
    assert result["verified"]
    file = game_file(table.programs.home(NAMES[0]))
    for session in sessions:
        assert session.log.head.link.hex() == result["head"]
        outcome = session.state.outcome
        assert outcome is not None
        assert outcome.digest.hex() == result["digest"]
        assert verify(file, any_rules) == f"every entry holds, scores {outcome.scores}"


def turns(told: list[str], seat: int | None) -> int:
    return sum(line.startswith(f"seat {seat}: ") for line in told)


@pytest.mark.parametrize("private", [False, True], ids=["open", "private"])
async def test_a_bot_plays_and_a_watcher_follows_a_game_that_the_application_hosts(
    programs: Programs, tmp_path: Path, private: bool
) -> None:
    table = open_table(programs, 2, "short-classic", private)
    told: list[str] = []
    seat = asyncio.create_task(play(table.invite, tmp_path / "bot", any_rules))
    watched = await watch(table.watch, any_rules, told.append)
    played = await seat
    agree(table, watched, played)
    assert turns(told, 0) > 3
    assert turns(told, 1) > 3


class Crash(Exception):
    """Simulates the end of the program."""


async def test_a_bot_that_crashed_between_disk_and_broker_goes_on_from_its_folder(
    programs: Programs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = open_table(programs, 2, "short-classic")
    publish = BotSeat.publish

    def crash(seat: BotSeat, kind: str, envelope: bytes, n: int | None = None) -> None:
        if len(seat.said) == 12:
            raise Crash
        publish(seat, kind, envelope, n)

    with monkeypatch.context() as patch:
        patch.setattr(BotSeat, "publish", crash)
        with pytest.raises(Crash):
            await play(table.invite, tmp_path / "bot", any_rules)
    with (tmp_path / "bot" / "said.wasabi").open("ab") as file:
        file.write(b"an entry that the crash has cut")
    agree(table, await play(table.invite, tmp_path / "bot", any_rules))


@pytest.mark.parametrize("waited", [PATIENCE / 2, PATIENCE])
def test_a_bot_agrees_to_go_on_without_a_seat_only_after_long_waiting(tmp_path: Path, waited: float) -> None:
    world = World(3, "example", passes=6)
    until(world, 12)
    gone = world.spectator.log.missing[0]
    person, bot = (peer for seat, peer in world.peers.items() if seat != gone)
    world.offline |= {gone, bot.seat}
    seat = BotSeat(open_invite("localhost", table=world.founded.genesis.table), tmp_path, any_rules)
    seat.me, seat.session = bot.who, bot.session  # type: ignore[assignment]
    now = 1000.0

    def hear() -> int:
        """Let the two exchange messages until nothing new is said."""
        nonlocal now
        for item in list(world.wire):
            bot.take(item)
        before = len(seat.said)
        now += 1
        seat._vote(bot.session, now)  # type: ignore[arg-type]
        for envelope in seat.said[before:]:
            world.give(person.seat, (bot.who.key, envelope))
        world.settle()
        return len(seat.said) - before

    assert hear() == 0, "it never calls a vote"
    now += waited
    world.publish(person, person.session.vote(gone, PERSON))
    while hear():
        pass
    agreed = waited == PATIENCE
    for peer in (person, bot):
        assert (gone not in peer.session.state.seats) == agreed
        assert not peer.session.ballots.bound(), "the vote is over, and both can play"


async def test_a_file_in_which_anything_was_changed_is_not_what_was_played(programs: Programs, tmp_path: Path) -> None:
    table = open_table(programs, 2, "short-classic")
    agree(table, await play(table.invite, tmp_path / "bot", any_rules))
    data = game_file(programs.home(NAMES[0])).read_bytes()
    items, _ = read_record(data)
    changed = tmp_path / "changed.wasabi"
    for number, wrong in (
        (4, write_record([*items[:4], *items[5:]])),
        (5, write_record([*items[:5], (items[5][0], items[5][1][:-1] + bytes([items[5][1][-1] ^ 1])), *items[6:]])),
        (6, write_record([*items[:6], (Identity(bytes(32)).key, items[6][1]), *items[7:]])),
        (7, data[:-1]),
    ):
        changed.write_bytes(wrong)
        assert verify(changed, any_rules).startswith("not what was played"), number
    changed.write_bytes(write_record(items[:40]))
    assert verify(changed, any_rules) == "every entry holds, unfinished"


def test_an_example_runs_as_a_program(tmp_path: Path) -> None:
    file = tmp_path / "nothing.wasabi"
    file.write_bytes(b"nothing")
    words = [sys.executable, str(FOLDER / "verify_a_file.py"), str(file)]
    assert subprocess.run(words, capture_output=True, text=True, check=True).stdout == "no game at all: bad-file\n"


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_an_example_needs_no_more_of_the_library_than_its_public_names(path: Path) -> None:
    imports = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.ImportFrom)]
    used = {alias.name for node in imports if node.module == "wasabi_protocol" for alias in node.names}
    assert used
    assert used <= set(wasabi_protocol.__all__)
    assert not [node.module for node in imports if (node.module or "").startswith("wasabi_protocol.")]


def test_the_readme_of_the_protocol_leads_to_every_example() -> None:
    page = (FOLDER.parent / "README.md").read_text()
    assert all(f"(examples/{path.name})" in page for path in SCRIPTS)

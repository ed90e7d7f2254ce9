"""Everything that can go wrong around a table gets one sentence and the right exit code, and loses nothing."""

from __future__ import annotations

import asyncio
import os
import resource
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.invites import open_invite
from tests.net.fake_broker import FakeBroker
from tests.peers.conftest import OwnBroker
from tests.peers.kills import entries, resume, seat_of
from tests.peers.program import Program, Programs, game_file
from tests.peers.tables import NAMES, agree, open_table, verified
from tests.ports import own_port
from wasabi_tx.text import Texts

ROOM = 24_000
"""Bytes: enough for the sealed setup of a game for two and a few moves, not for all of them."""
say = Texts("en").say


def one_sentence(program: Program, code: int = 1) -> str:
    """Return its output: one line on standard error, nothing on standard output, no traceback."""
    assert program.ended() == code, program.err
    assert program.out == ""
    (line,) = program.err.splitlines()
    assert line.startswith("wasabi-tx: ")
    assert "should not" not in line, (line, program.home.joinpath("wasabi-tx.log").read_text())
    return line.removeprefix("wasabi-tx: ")


WHOLE = open_invite("127.0.0.1", 2883)


@pytest.mark.parametrize(
    ("command", "text"),
    [
        ("bot", "once upon a time"),
        ("bot", WHOLE[:-8]),
        ("join", WHOLE[:20]),
        ("watch", WHOLE + "9"),
        ("watch", ""),
    ],
)
def test_half_an_invite_is_none(programs: Programs, command: str, text: str) -> None:
    assert "invite" in one_sentence(programs.start("guest", command, typed=text + "\n"))


def test_nobody_listens_there(programs: Programs) -> None:
    port = own_port()
    program = programs.start("guest", "bot", "--json", typed=open_invite("127.0.0.1", port) + "\n")
    assert one_sentence(program) == say("online.lost.unreachable", broker=f"127.0.0.1:{port}")


async def test_a_broker_that_lets_nobody_in(programs: Programs) -> None:
    async with FakeBroker(welcome=3) as broker:
        port = broker.address.port
        program = programs.start("guest", "watch", "--json", typed=open_invite("127.0.0.1", port) + "\n")
        await asyncio.to_thread(program.ended)
        assert one_sentence(program) == say("online.lost.refused", broker=f"127.0.0.1:{port}")


def test_a_wrong_password(programs: Programs, own_broker: OwnBroker) -> None:
    broker = own_broker("nats")
    port = broker.settings.port
    invite = open_invite("127.0.0.1", port, password="x" * 20)
    program = programs.start("guest", "bot", "--json", typed=invite + "\n")
    assert one_sentence(program) == say("online.invited.password", broker=f"127.0.0.1:{port}")


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (("bot", "--new", WHOLE), "--new"),
        (("bot", "--new", "--seats", "9"), "seats"),
        (("bot", "--new", "--edition", "none"), "edition"),
        (("verify",), "FILE"),
    ],
)
def test_wrong_words_are_wrong_usage(programs: Programs, words: tuple[str, ...], part: str) -> None:
    code, program = programs.run("guest", *words)
    assert code == 2
    assert program.out == ""
    assert part in program.err
    assert "Traceback" not in program.err


def test_another_edition_under_the_same_name(programs: Programs, own_broker: OwnBroker) -> None:
    broker = own_broker("nats")
    table = open_table(programs, 2, "short-classic", broker=broker.address.url())
    file = programs.home("guest") / "config" / "editions" / "short-classic.toml"
    file.write_text(file.read_text().replace("rows = 4", "rows = 5"))
    for words in (("bot", "--json"), ("watch", "--headless", "--json")):
        program = programs.start("guest", *words, typed=table.invite + "\n")
        assert one_sentence(program) == say("online.cannot-play.edition-differs", edition="short-classic")
    file.unlink()
    program = programs.start("guest", "bot", "--json", typed=table.invite + "\n")
    assert one_sentence(program) == say("online.cannot-play.edition-unknown", edition="short-classic")


def _no_folder(home: Path) -> None:
    (home / "games").write_text("not a folder")


def _read_only(home: Path) -> None:
    # Not even root may write there.
    (home / "games").symlink_to("/sys/kernel")


def _no_seats(home: Path) -> None:
    (home / "games").mkdir()
    (home / "games" / "seats").write_text("not a folder")


@pytest.mark.parametrize("spoil", [_no_folder, _read_only, _no_seats])
def test_a_games_folder_that_cannot_be_written(programs: Programs, spoil: Callable[[Path], None]) -> None:
    spoil(programs.home("guest"))
    program = programs.start("guest", "bot", "--json", typed=open_invite("127.0.0.1", own_port()) + "\n")
    assert "the game cannot be saved in" in one_sentence(program)


def test_an_identity_file_without_a_key(programs: Programs) -> None:
    (programs.home("guest") / "config" / "identity.key").write_bytes(b"short")
    program = programs.start("guest", "bot", "--json", typed=open_invite("127.0.0.1", own_port()) + "\n")
    assert "identity.key does not contain a key" in one_sentence(program)
    assert (programs.home("guest") / "config" / "identity.key").read_bytes() == b"short"


def _small_disk(size: int) -> Callable[[], None]:
    """Limit the size of files: the nearest thing to a full disk that needs no other user."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def test_a_disk_without_room_for_a_key(programs: Programs) -> None:
    typed = open_invite("127.0.0.1", own_port()) + "\n"
    program = programs.start("guest", "bot", "--json", typed=typed, limits=_small_disk(0))
    assert "cannot be saved" in one_sentence(program)


def test_a_seat_and_its_files(programs: Programs, tmp_path: Path) -> None:
    """Cover one game: a full disk, a second program at the seat, broken files; then it is played to its end."""
    table = open_table(programs, 2, "short-classic")
    name = NAMES[1]
    home = programs.home(name)
    words = ("bot", "--level", "easy", "--name", name, "--json")
    full = table.others[name] = programs.start(name, *words, typed=table.invite + "\n", limits=_small_disk(ROOM))
    full.until(lambda _said: "nothing can be saved" in full.err)
    assert full.running, "it waits until there is room again"

    second = programs.start(name, "bot", "--seat", seat_of(home), "--json")
    assert one_sentence(second) == say("online.seat-taken")

    full.signal(signal.SIGTERM)
    assert full.ended() == 130
    assert len(full.err.splitlines()) == 1
    (kept,) = verified(programs, game_file(home))
    assert not kept["settled"]
    damaged = tmp_path / "damaged.wasabi"
    damaged.write_bytes(game_file(home).read_bytes()[:-7])
    for form in ((), ("--json",)):
        code, export = programs.run("judge", "export", *form, str(damaged))
        assert (code, bool(export.out), len(export.err.splitlines())) == (3, True, 1), (
            "as far as it holds, and why no further"
        )

    seat, game = home / "games" / "seats" / f"{seat_of(home)}.seat", game_file(home)
    for path, part in ((seat, b"\xc1"), (game, b"something else")):
        whole = path.read_bytes()
        path.write_bytes(part + whole[len(part) :])
        broken = programs.start(name, "bot", "--seat", seat_of(home), "--json")
        assert one_sentence(broken) == say("online.seat-broken")
        path.write_bytes(whole)

    # A crash tore the last entry: it is cut off, and fetched again.
    os.truncate(game, game.stat().st_size - 7)
    before = entries(home)
    resume(table, name)
    agree(table)
    assert entries(home) > before


def test_files_that_are_no_games(programs: Programs, tmp_path: Path) -> None:
    empty, garbage, folder = tmp_path / "empty.wasabi", tmp_path / "garbage.wasabi", tmp_path / "folder.wasabi"
    empty.write_bytes(b"")
    garbage.write_bytes(os.urandom(5000))
    folder.mkdir()
    code, program = programs.run("judge", "verify", "--json", str(empty), str(garbage))
    assert code == 3
    assert [line["fault"]["entry"] for line in program.json] == [1, 1]
    code, program = programs.run("judge", "verify", str(empty), str(garbage))
    assert code == 3
    assert all(line.endswith("does not contain a game") for line in program.out.splitlines())
    for missing in (tmp_path / "none.wasabi", folder):
        assert str(missing.name) in one_sentence(programs.start("judge", "verify", str(missing)))
    for file in (empty, garbage):
        assert one_sentence(programs.start("judge", "export", str(file))).endswith("does not contain a game")

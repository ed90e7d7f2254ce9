"""The two streams."""

from __future__ import annotations

import asyncio
import io
import os
import pty
from pathlib import Path

import pytest

from tests.brokers import PATIENCE
from wasabi_tx.plain.console import Console, InputEnded, read_line


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


class Narrow(io.StringIO):
    """A stream that can only write ASCII, such as one in the C locale."""

    encoding = "ascii"


def test_lines_are_asked_for_until_there_are_no_more() -> None:
    target = io.StringIO()
    console = Console(io.StringIO("one\ntwo"), target)
    assert [console.ask().strip(), console.ask().strip()] == ["one", "two"]
    with pytest.raises(InputEnded):
        console.ask()
    assert target.getvalue().startswith("> \n> \n> ")


def test_control_characters_never_come_through() -> None:
    assert Console(io.StringIO("Tu\x1b[31m\td3\x00\n"), io.StringIO()).ask().split() == ["Tu", "[31m", "d3"]


def test_an_interrupt_ends_the_input() -> None:
    class Interrupted(io.StringIO):
        def readline(self, _size: int | None = -1) -> str:  # type: ignore[override]
            raise KeyboardInterrupt

    with pytest.raises(InputEnded):
        Console(Interrupted(), io.StringIO()).ask()


def test_a_closed_source_ends_the_input() -> None:
    source = io.StringIO("x")
    console = Console(source, io.StringIO())
    source.close()
    with pytest.raises(InputEnded):
        console.ask()


def test_what_cannot_be_written_is_written_more_simply() -> None:
    target = Narrow()
    Console(io.StringIO(), target).print_lines("Tu★ ·  ▒▒ ►2×3 ◂4 è così", "Żółw")
    assert target.getvalue() == "Tu* .  ## >2x3 <4 e' cosi'\n???w\n"


def test_only_a_screen_is_wiped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    pipe, screen = io.StringIO(), Screen()
    Console(io.StringIO(), pipe).wipe()
    Console(io.StringIO(), screen).wipe()
    assert pipe.getvalue() == ""
    assert "\x1b[3J" in screen.getvalue()


async def test_a_line_that_nothing_asked_for_is_noticed_and_a_question_before_gets_it() -> None:
    read, write = os.pipe()
    with os.fdopen(read) as source, os.fdopen(write, "w", buffering=1) as script:
        target = io.StringIO()
        console = Console(source, target)
        assert console.overheard() is None
        script.write("one\ntwo\nthr")
        script.flush()
        async with asyncio.timeout(PATIENCE):
            await console.typed()
            assert (console.overheard() or "").strip() == "one"
            assert target.getvalue() == "", "nothing was asked"
            await console.typed()
            assert console.ask().strip() == "two"
            script.write("ee\n")
            await console.typed()
        assert (console.overheard() or "").strip() == "three"


async def test_the_end_of_a_script_is_not_overheard_and_that_of_a_person_is() -> None:
    read, write = os.pipe()
    with os.fdopen(read) as source:
        console = Console(source, io.StringIO())
        os.close(write)
        assert console.hears
        assert console.overheard() is None
        assert not console.hears
        with pytest.raises(InputEnded):
            console.ask()
    master, slave = pty.openpty()
    with os.fdopen(slave) as source:
        console = Console(source, io.StringIO())
        os.write(master, b"undo\n\x04")
        async with asyncio.timeout(PATIENCE):
            await console.typed()
            assert (console.overheard() or "").strip() == "undo"
            await console.typed()
        with pytest.raises(InputEnded):
            console.overheard()
        os.close(master)


def test_a_line_is_read_and_nothing_after_it() -> None:
    read, write = os.pipe()
    os.write(write, "càffè\nnext\n".encode())
    os.close(write)
    with os.fdopen(read, encoding="utf-8") as source:
        assert read_line(source) == "càffè\n"
        assert read_line(source, 3) == "nex"
        assert source.read() == "t\n"
    assert read_line(io.StringIO("one\ntwo\n")) == "one\n"


@pytest.mark.parametrize("source", [io.StringIO("one\n"), "file"])
def test_what_cannot_be_waited_for_is_read_when_it_is_asked_for(source: io.StringIO | str, tmp_path: Path) -> None:
    (tmp_path / "script").write_text("one\n")
    with (tmp_path / "script").open() as file:
        console = Console(file if source == "file" else source, io.StringIO())  # type: ignore[arg-type]
        assert not console.hears
        assert console.overheard() is None
        assert console.ask().strip() == "one"

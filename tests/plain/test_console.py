"""The two streams."""

from __future__ import annotations

import io

import pytest

from wasabi_tx.plain.console import Console, InputEnded


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
    Console(io.StringIO(), target).say("Tu★ ·  ▒▒ ►2×3 ◂4 è così", "Żółw")
    assert target.getvalue() == "Tu* .  ## >2x3 <4 e' cosi'\n???w\n"


def test_only_a_screen_is_wiped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    pipe, screen = io.StringIO(), Screen()
    Console(io.StringIO(), pipe).wipe()
    Console(io.StringIO(), screen).wipe()
    assert pipe.getvalue() == ""
    assert "\x1b[3J" in screen.getvalue()

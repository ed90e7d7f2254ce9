"""The columns of the lobby: one list of them, for the screen and for the command."""

from __future__ import annotations

import pytest

from wasabi_tx.cli.commands.lobby import _show
from wasabi_tx.online.lobby import Offering
from wasabi_tx.online.terms import HINTS, WATCHERS_TALK
from wasabi_tx.text import Texts
from wasabi_tx.view.online.lobby_columns import COLUMNS, MARK, Reader, column_widths, lobby_rows

ENGLISH = Texts("en")


def offering(table: str, clock: int = 600, options: tuple[str, ...] = (), begun: bool = False) -> Offering:
    return Offering(
        table,
        "Udon",
        "abcd-efgh",
        "classic",
        2,
        1,
        begun,
        True,
        5,
        clock,
        options,
        f"wasabi:{table}",
        f"watch:{table}",
        2,
    )


@pytest.mark.parametrize("width", [80, 100, 120])
def test_they_fill_a_line_and_no_more(width: int) -> None:
    assert sum(column_widths(width)) + MARK <= width


@pytest.mark.parametrize(
    ("clock", "options", "words"),
    [
        (600, (), "10 min"),
        (30, (), "30 s"),
        (0, (), "no clock"),
        (8 * 3600, (), "8 h"),
        (86_400, (), "24 h"),
        (7 * 86_400, (), "7 d"),
        (0, (HINTS,), "yes"),
        (600, (), "no"),
    ],
)
def test_the_clock_and_hints_are_shown(clock: int, options: tuple[str, ...], words: str) -> None:
    (row,) = lobby_rows([offering("a" * 26, clock, options)], Reader(ENGLISH, str))
    assert words in row.texts


def test_the_command_shows_the_same_columns_and_the_line_to_each_table(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    monkeypatch.setenv("WASABI_TX_HOME", str(tmp_path))
    _show([offering("a" * 26, options=(HINTS,)), offering("b" * 26, begun=True)], None, ENGLISH)
    titles, *lines = capsys.readouterr().out.splitlines()
    assert titles.split() == [word for one in COLUMNS for word in ENGLISH.say(f"lobby.column.{one.name}").split()]
    assert lines[0].startswith("aaaaaa")
    assert "10 min" in lines[0]
    assert "yes" in lines[0].split()
    assert "no" in lines[3].split()
    assert lines[2] == f"  wasabi-tx wasabi:{'a' * 26}"
    assert lines[5] == f"  wasabi-tx watch:{'b' * 26}"
    _show([], None, ENGLISH)
    assert capsys.readouterr().out == ""


def test_the_command_names_what_a_table_has_agreed_on(capsys: pytest.CaptureFixture[str]) -> None:
    _show([offering("a" * 26, 86_400, (HINTS, WATCHERS_TALK)), offering("b" * 26)], None, ENGLISH)
    lines = capsys.readouterr().out.splitlines()
    agreed, plain = (next(n for n, line in enumerate(lines) if line.startswith(one * 6)) for one in "ab")
    options = "hints allowed · watchers may talk"
    assert lines[agreed + 1].strip() == f"by correspondence, 24 hours a turn · {options}"
    assert lines[plain + 1].strip() == "10 minutes a turn"

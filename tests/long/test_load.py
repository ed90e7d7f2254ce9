"""Short versions of the load generator's runs."""

from __future__ import annotations

import re

import pytest

from tests.brokers import EACH_KIND
from tests.lab.load.__main__ import main
from tests.lab.load.recording import SEATS, read_recording


def test_the_recording_is_of_a_game_at_which_everybody_speaks() -> None:
    said = read_recording()
    assert {one.seat for one in said} == set(range(SEATS))
    assert {one.kind for one in said} == {"mv", "head", "log", "lobby"}
    assert [one.at for one in said] == sorted(one.at for one in said)


@pytest.mark.parametrize("engine", EACH_KIND)
def test_tables_and_watchers_join_and_play_and_nobody_is_refused(
    engine: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--tables", "30", "--watchers", "30", "--seconds", "1", "--engine", engine]
    assert main([*words, "--moves", "0"]) == 0
    out = capsys.readouterr().out
    assert re.search(r"connected +30, 30, 150\n", out), out
    assert re.search(r"players refused, lost; watchers refused 0, 0; 0\n", out), out


def test_moves_of_real_peers_are_timed_before_during_and_after(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--tables", "2", "--watchers", "2", "--seconds", "1", "--moves", "4"]) == 0
    out = capsys.readouterr().out
    assert re.search(r"95 % under load / alone +\d", out), out


def test_a_game_ends_settled_among_hostile_watchers(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--tables", "5", "--watchers", "0", "--seconds", "1", "--moves", "0"]
    assert main([*words, "--hostile", "28", "--games", "1", "--seats", "2", "--pace", "0"]) == 0
    out = capsys.readouterr().out
    assert re.search(r"real games, settled; longest stall +1, 1;", out), out
    assert re.search(r"players refused, lost; watchers refused 0, 0;", out), out
    tried = dict(re.findall(r"(\w+) (\d+)", out.partition("tried")[2].partition("\n")[0]))
    assert len(tried) == 7
    assert all(int(count) > 0 for count in tried.values()), tried

"""The table that `wasabi-tx host` asks for."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from tests.brokers import RealBroker
from wasabi_tx.app.values import TableWish
from wasabi_tx.cli import wasabi_tx
from wasabi_tx.cli.commands.host import host
from wasabi_tx.cli.usage import say_usage
from wasabi_tx.online.terms import CLOCK, HINTS, QUICK_START
from wasabi_tx.plain import online_table as plain_table
from wasabi_tx.text import Texts


def _wishes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]) -> list[TableWish]:
    """Return the tables that the command asks for with these words."""
    wishes: list[TableWish] = []

    class Tables:
        def host(self, wish: TableWish, _texts: object) -> None:
            wishes.append(wish)

    monkeypatch.setattr("wasabi_tx.cli.commands.host.prepare_site", lambda _texts: None)
    monkeypatch.setattr(plain_table, "sit_plain", lambda come, *_others: come(Tables()))
    result = CliRunner().invoke(wasabi_tx, ["host", "--plain", *words], env={"WASABI_TX_HOME": str(tmp_path)})
    assert result.exit_code == 0, result.output
    return wishes


@pytest.mark.parametrize(
    ("words", "clock", "options"),
    [
        ((), CLOCK, (QUICK_START,)),
        (("--as-printed",), CLOCK, ()),
        (("--time", "24h"), 86_400, (QUICK_START,)),
        (("--time", "90s", "--allow", "hints"), 90, (HINTS, QUICK_START)),
        (("--time", "14d", "--as-printed"), 14 * 86_400, ()),
        (("--time", "none"), 0, (QUICK_START,)),
    ],
)
def test_a_table_begins_with_the_first_turn_unless_one_wants_to_choose(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], clock: int, options: tuple[str, ...]
) -> None:
    (wish,) = _wishes(tmp_path, monkeypatch, words)
    assert (wish.clock, wish.options) == (clock, options)


WISHES: dict[tuple[str, ...], dict[str, object]] = {
    (): {"seats": 2, "least": 2, "bots": 0, "private": False, "welcome": False, "anywhere": False},
    ("--seats", "2-4"): {"seats": 4, "least": 2},
    ("--seats", "3"): {"seats": 3, "least": 3},
    ("--for", "lobby"): {"welcome": True, "private": False},
    ("--for", "friends"): {"private": True, "anywhere": False},
    ("--for", "anywhere"): {"anywhere": True},
    ("--web",): {"browsers": True, "brokers": ()},
    ("--seats", "4", "--bot", "any", "--bot", "hard", "--bot", "UDON:easy"): {
        "bots": 3,
        "rivals": (":hard", "Udon:easy", ""),
    },
}


@pytest.mark.parametrize("words", WISHES)
def test_few_options_say_who_may_come_and_who_plays_along(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    (wish,) = _wishes(tmp_path, monkeypatch, words)
    assert {name: getattr(wish, name) for name in WISHES[words]} == WISHES[words]


WRONG = [
    ("--time", "15d"),
    ("--time", "0s"),
    ("--time", "10"),
    ("--seats", "4-2"),
    ("--seats", "5"),
    ("--bot", "kabuto"),
]


@pytest.mark.parametrize("words", WRONG)
def test_a_value_that_cannot_be_is_explained_by_example(words: tuple[str, str]) -> None:
    with pytest.raises(click.UsageError) as refused:
        host.main(["--plain", *words], standalone_mode=False)
    for language in ("en", "it"):
        said = say_usage(refused.value, Texts(language))
        assert said.startswith(words[0])
        assert {"--time": "10m", "--seats": "2-4", "--bot": "udon:hard"}[words[0]] in said


def test_a_search_for_relays_begins_with_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("WASABI_TX_HOME", str(tmp_path))
    monkeypatch.setenv("WASABI_TX_LANG", "en")
    monkeypatch.setattr(plain_table, "sit_plain", lambda *_: print(capsys.readouterr().err))
    host.main(["--plain", "--name", "Bo", "--for", "anywhere"], standalone_mode=False)
    assert "looking for relays" in capsys.readouterr().out


def test_the_help_lists_at_most_twelve_options_in_groups() -> None:
    shown = CliRunner().invoke(wasabi_tx, ["host", "--help"]).output.partition("\n\nTable:")[2]
    options = re.findall(r"^  (--[a-z-]+)", shown, re.MULTILINE)
    assert len(options) == len(set(options)) == 12
    assert re.findall(r"^(\w+):$", shown, re.MULTILINE) == ["People", "Network", "Screen"]


@pytest.mark.parametrize("words", [(), ("--for", "friends")])
def test_a_broker_where_one_may_only_watch_is_named_before_there_is_an_invite(
    tmp_path: Path, nats_broker: RealBroker, words: tuple[str, ...]
) -> None:
    result = CliRunner().invoke(
        wasabi_tx,
        ["host", "--plain", "--name", "Bo", "--broker", nats_broker.watching.url(), *words],
        env={"WASABI_TX_HOME": str(tmp_path), "WASABI_TX_LANG": "en"},
    )
    assert result.exit_code == 1
    assert "one may only watch" in result.stderr
    assert "wasabi:" not in result.output
    assert not list((tmp_path / "games").glob("*.wasabi"))


def test_a_host_with_a_wrong_password_is_not_sent_for_an_invite(tmp_path: Path, nats_broker: RealBroker) -> None:
    wrong = replace(nats_broker.address, password="wrong").url()
    result = CliRunner().invoke(
        wasabi_tx,
        ["host", "--plain", "--name", "Bo", "--broker", wrong],
        env={"WASABI_TX_HOME": str(tmp_path), "WASABI_TX_LANG": "en"},
    )
    assert result.exit_code == 1
    assert "does not accept this password" in result.stderr
    assert "invite" not in result.stderr

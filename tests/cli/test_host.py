"""The table that `wasabi-tx host` asks for."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.brokers import RealBroker
from wasabi_tx.app.values import TableWish
from wasabi_tx.cli import wasabi_tx
from wasabi_tx.online.terms import CLOCK, HINTS, QUICK_START
from wasabi_tx.plain import online_table as plain_table


@pytest.mark.parametrize(
    ("words", "clock", "options"),
    [
        ((), CLOCK, (QUICK_START,)),
        (("--as-printed",), CLOCK, ()),
        (("--option", "quick-start"), CLOCK, (QUICK_START,)),
        (("--hours", "24"), 86_400, (QUICK_START,)),
        (("--hours", "1", "--option", "hints"), 3600, (HINTS, QUICK_START)),
        (("--hours", "24", "--as-printed"), 86_400, ()),
    ],
)
def test_a_table_begins_with_the_first_turn_unless_one_wants_to_choose(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], clock: int, options: tuple[str, ...]
) -> None:
    wishes: list[TableWish] = []

    class Tables:
        def host(self, wish: TableWish, _texts: object) -> None:
            wishes.append(wish)

    monkeypatch.setattr(plain_table, "sit_plain", lambda come, *_others: come(Tables()))
    result = CliRunner().invoke(wasabi_tx, ["host", "--plain", *words], env={"WASABI_TX_HOME": str(tmp_path)})
    assert result.exit_code == 0, result.output
    (wish,) = wishes
    assert (wish.clock, wish.options) == (clock, options)


def test_two_clocks_at_once_are_refused(tmp_path: Path) -> None:
    words = ["host", "--plain", "--hours", "24", "--clock", "60"]
    result = CliRunner().invoke(wasabi_tx, words, env={"WASABI_TX_HOME": str(tmp_path), "WASABI_TX_LANG": "en"})
    assert result.exit_code == 2
    assert "--clock and --hours do not go together" in result.stderr


@pytest.mark.parametrize("words", [(), ("--private",)])
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

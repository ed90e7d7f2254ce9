"""What `wasabi-tx host` wishes for."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from wasabi_tx.cli import plain_table, wasabi_tx
from wasabi_tx.table.online.terms import CLOCK, HINTS, LATE_SHARES, QUICK_START
from wasabi_tx.tui.services import TableWish


@pytest.mark.parametrize(
    ("words", "clock", "options"),
    [
        ((), CLOCK, (QUICK_START,)),
        (("--setup",), CLOCK, ()),
        (("--option", "quick-start"), CLOCK, (QUICK_START,)),
        (("--hours", "24"), 86_400, (QUICK_START,)),
        (("--hours", "1", "--option", "hints"), 3600, (HINTS, QUICK_START)),
        (("--hours", "24", "--setup"), 86_400, ()),
        (("--hours", "24", "--late-cards"), 86_400, (LATE_SHARES, QUICK_START)),
        (("--clock", "3600", "--late-cards"), 3600, (LATE_SHARES, QUICK_START)),
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


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "is for tables by correspondence"), ("it", "è per i tavoli per corrispondenza")],
)
def test_cards_are_late_only_by_correspondence(tmp_path: Path, language: str, words: str) -> None:
    words_given = ["host", "--plain", "--late-cards", "--language", language]
    result = CliRunner().invoke(wasabi_tx, words_given, env={"WASABI_TX_HOME": str(tmp_path)})
    assert result.exit_code == 2
    assert words in result.output


def test_two_clocks_at_once_are_refused(tmp_path: Path) -> None:
    words = ["host", "--plain", "--hours", "24", "--clock", "60"]
    result = CliRunner().invoke(wasabi_tx, words, env={"WASABI_TX_HOME": str(tmp_path), "WASABI_TX_LANG": "en"})
    assert result.exit_code == 2
    assert "--clock and --hours do not go together" in result.stderr

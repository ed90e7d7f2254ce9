"""A host chooses the bots of a table by name, and each comes with its own character."""

from __future__ import annotations

import pytest

from tests.brokers import until
from tests.peers.program import PATIENCE, Programs
from wasabi_tx.online.saved.seat import unfinished

TABLE = ("host", "--plain", "--seats", "3", "--bind", "127.0.0.1", "--port", "21950", "--for", "lobby")


def test_bots_that_a_host_names_come_as_they_are(programs: Programs) -> None:
    words = ("--bot", "Ponzu:easy", "--bot", "miso:normal")
    host = programs.start("host", *TABLE, *words, typed=None)
    games = host.home / "games"
    until(
        lambda: (
            {seat.name: seat.bot for _, seat in unfinished(games) if seat.bot}
            == {
                "Ponzu": "easy-blocker",
                "Miso": "normal",
            }
        ),
        PATIENCE,
    )
    said = host.until(lambda said: "Ponzu" in said and "Miso" in said)
    assert "Traceback" not in said + host.err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--bot", "Udon", "--bot", "Miso", "--bot", "any"), "3 bots leave no seat for you at a table of 3"),
        (("--bot", "Udon", "--bot", "udon:hard"), "each rival plays once; bots at this table: 2"),
        (("--bot", "Kabuto"), "--bot is one of Udon, Mochi, Ponzu, Miso, any, or a level"),
    ],
)
def test_a_rival_too_many_or_unknown_gets_a_sentence(programs: Programs, words: tuple[str, ...], sentence: str) -> None:
    code, host = programs.run("host", *TABLE, *words)
    assert code == 2
    assert sentence in host.err


def test_a_random_bot_has_no_character(programs: Programs) -> None:
    code, bot = programs.run("bot", "bot", "--new", "--level", "random", "--character", "builder")
    assert code == 2
    assert "random bots have no character" in bot.err

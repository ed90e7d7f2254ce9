"""`wasabi-tx broker --status`, `--metrics` and `--tend`: figures of a broker in another process, and limits for it."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.broker.raw import Raw
from tests.brokers import PATIENCE, RealBroker
from tests.cli.broker_process import line, started
from wasabi_tx.broker.broker import caretaker_of
from wasabi_tx.broker.status import prometheus, read_status
from wasabi_tx.cli import wasabi_tx
from wasabi_tx.net.address import parse_broker_url
from wasabi_tx.store.paths import HOME

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals")
TABLE = "wsb1/club/t/" + "a" * 26


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[RealBroker]:
    broker = RealBroker("nats", tmp_path)
    broker.start()
    yield broker
    broker.stop()


def url(broker: RealBroker) -> str:
    taker = caretaker_of(broker.settings)
    return f"nats://{taker.user}:{taker.password}@{taker.host}:{taker.port}"


def test_tables_players_watchers_and_refusals_are_counted(broker: RealBroker) -> None:
    settings = broker.settings
    with (
        Raw(settings.port, "play", settings.password) as one,
        Raw(settings.port, "play", settings.password) as two,
        Raw(settings.port) as watcher,
        Raw(settings.port, "play", "wrong") as stranger,
    ):
        assert not stranger.welcome
        one.subscribe([f"{TABLE}/+/+"])
        two.subscribe([f"{TABLE}/ask/+", f"{TABLE}/+/{'b' * 52}"])
        watcher.subscribe([f"wsb1/club/t/{'c' * 26}/say/+", "wsb1/club/lobby/+"])
        status = asyncio.run(read_status(caretaker_of(settings)))
    assert (status.tables, status.players, status.watchers) == (2, 2, 1)
    assert status.refused["password"] == 1
    assert status.memory > 1_000_000
    assert len(status.nodes) == 1


def test_figures_hold_nobodys_name(broker: RealBroker) -> None:
    settings = broker.settings
    with Raw(settings.port, "play", settings.password, name="ana-at-home") as player:
        player.subscribe([f"{TABLE}/+/+"])
        text = prometheus(asyncio.run(read_status(caretaker_of(settings))))
    assert "wasabi_tables 1\n" in text
    assert "wasabi_players 1\n" in text
    for name in ("ana", "aaaa", "127.0.0.1", "club", settings.password):
        assert name not in text
    for words in text.splitlines():
        assert words.startswith(("# HELP wasabi_", "# TYPE wasabi_")) or len(words.split()) == 2


def test_status_is_told_in_words_and_as_json(broker: RealBroker) -> None:
    runner = CliRunner()
    told = runner.invoke(wasabi_tx, ["broker", "--status", url(broker)], env={"WASABI_TX_LANG": "en"})
    assert told.exit_code == 0, told.output
    assert "Tables: 0. Players: 0. Watchers: 0." in told.output
    found = json.loads(runner.invoke(wasabi_tx, ["broker", "--status", url(broker), "--json"]).output)
    assert found["tables"] == 0
    assert found["memory"] > 1_000_000
    assert set(found["refused"]) == {"full", "password", "silent", "slow"}


async def test_status_alone_finds_the_broker_that_runs_here(tmp_path: Path) -> None:
    async with started(tmp_path, "--port", "0", "--json") as process:
        await line(process.stdout)
        invoked = await asyncio.to_thread(
            CliRunner().invoke, wasabi_tx, ["broker", "--status", "--json"], env={HOME: str(tmp_path)}
        )
        assert json.loads(invoked.output)["players"] == 0
        process.send_signal(signal.SIGINT)
        assert await asyncio.wait_for(process.wait(), PATIENCE) == 0
    lost = await asyncio.to_thread(
        CliRunner().invoke, wasabi_tx, ["broker", "--status"], env={HOME: str(tmp_path), "WASABI_TX_LANG": "en"}
    )
    assert lost.exit_code == 1
    assert "no broker of yours is running here" in lost.output


async def test_metrics_are_served_beside_the_broker(tmp_path: Path) -> None:
    async with started(tmp_path, "--port", "0", "--metrics", "0", "--json") as process:
        addresses = json.loads(await line(process.stdout))
        port = parse_broker_url(addresses["metrics"].replace("http", "ws")).port
        for path, status in (("/metrics", b"200"), ("/", b"404")):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            answer = await asyncio.wait_for(reader.read(), PATIENCE)
            writer.close()
            assert answer.split(b" ")[1] == status
            assert (b"wasabi_watchers 0\n" in answer) == (path == "/metrics")


def test_tending_says_what_each_stream_may_hold(broker: RealBroker) -> None:
    told = CliRunner().invoke(wasabi_tx, ["broker", "--tend", url(broker)], env={"WASABI_TX_LANG": "en"})
    assert told.exit_code == 0, told.output
    assert len(told.output.splitlines()) == 15
    assert "play: $MQTT_rmsgs keeps at most 28800000 bytes" in told.output


@pytest.mark.parametrize("option", ["--status", "--tend"])
def test_a_server_that_cannot_be_asked_gives_a_sentence(broker: RealBroker, option: str) -> None:
    for wrong, words in (
        (url(broker).replace("care:", "care:x"), "does not accept this user and password"),
        (f"nats://care:x@127.0.0.1:{broker.settings.port}", "is not the native port of a NATS server"),
        ("mqtt://play:secret@example.org", "mqtt is not nats://"),
    ):
        told = CliRunner().invoke(wasabi_tx, ["broker", option, wrong], env={"WASABI_TX_LANG": "en"})
        assert told.exit_code == 1
        assert words in told.output
        assert "secret" not in told.output
        assert "Traceback" not in told.output

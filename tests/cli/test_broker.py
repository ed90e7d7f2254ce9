"""`wasabi-tx broker` as a process: its output, its addresses, and that nothing remains of it."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.brokers import PATIENCE
from tests.cli.broker_process import line, started
from tests.needs import needs
from wasabi_tx.cli import wasabi_tx
from wasabi_tx.net.address import parse_broker_url
from wasabi_tx.net.checkup import examine
from wasabi_tx.store.paths import HOME

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals")


def children(pid: int) -> list[int]:
    """Return all descendants of a process, on Linux."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            words = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(words[1]) == pid and words[0] != "Z":
            child = int(stat.parent.name)
            found += [child, *children(child)]
    return found


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_json_is_one_line_and_nothing_is_left_after_the_end(tmp_path: Path, number: signal.Signals) -> None:
    async with started(tmp_path, "--port", "0", "--json") as process:
        addresses = json.loads(await line(process.stdout))
        assert list(addresses) == ["play", "watch"]
        play, watch = (parse_broker_url(addresses[name]) for name in ("play", "watch"))
        assert (play.user, watch.user, watch.password) == ("play", "", "")
        assert (await examine([play])).fit
        below = children(process.pid)
        process.send_signal(number)
        out, err = await asyncio.wait_for(process.communicate(), PATIENCE)
        assert (process.returncode, out, err) == (0, b"", b"")
        if sys.platform == "linux":
            assert len(below) == 2
        for pid in below:
            with pytest.raises(ProcessLookupError):
                os.kill(pid, 0)
        assert not any((tmp_path / "broker").iterdir())


@needs("mosquitto")
async def test_it_says_how_to_play_and_how_to_watch(tmp_path: Path) -> None:
    async with started(tmp_path, "--port", "0", "--engine", "mosquitto", "--websockets", "0") as process:
        lines = [await line(process.stdout) for _ in range(5)]
        assert [one.partition(":")[0] for one in lines[:4]] == ["To play", "To watch", "To play", "To watch"]
        assert [one.split()[2].partition("://")[0] for one in lines[:4]] == ["mqtt", "mqtt", "ws", "ws"]
        assert lines[4] == "Ctrl+C ends it."
        process.send_signal(signal.SIGINT)
        assert await asyncio.wait_for(process.wait(), PATIENCE) == 0


async def test_a_taken_port_and_a_password_from_the_environment(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        words = ("--port", str(port), "--json", "--language", "it")
        async with started(tmp_path, *words, WASABI_TX_BROKER_PASSWORD="circolo") as process:
            play = parse_broker_url(json.loads(await line(process.stdout))["play"])
            assert play.password == "circolo"
            assert play.port > port
            assert (
                await line(process.stderr) == f"La porta {port} è occupata; il broker ascolta sulla porta {play.port}."
            )


async def test_it_says_that_others_on_the_network_can_watch(tmp_path: Path) -> None:
    async with started(tmp_path, "--bind", "0.0.0.0", "--port", "0", "--silent") as process:
        assert "Anyone on this network can watch open tables" in await line(process.stderr)


async def test_a_broker_that_died_is_told_of_and_comes_back(tmp_path: Path) -> None:
    async with started(tmp_path, "--port", "0", "--json") as process:
        play = parse_broker_url(json.loads(await line(process.stdout))["play"])
        if sys.platform != "linux":
            pytest.skip("looks into /proc")
        os.kill(children(process.pid)[-1], signal.SIGKILL)
        assert "started again" in await line(process.stderr)
        assert (await examine([play])).fit


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--engine", "/no/such/program"), 1, "there is no program /no/such/program here"),
        (("--engine", sys.executable), 1, "neither a NATS server nor Mosquitto"),
        (("--bind", "192.0.2.1"), 1, "this machine has no address 192.0.2.1"),
        (("--port", "70000"), 2, "70000"),
        (("--certificate", __file__), 2, "go together"),
        (("--origin", "https://play.example"), 2, "--origin needs --websockets"),
        pytest.param(
            ("--engine", "mosquitto", "--websockets", "0", "--origin", "https://play.example"),
            1,
            "does not ask which site a page comes from",
            marks=needs("mosquitto"),
        ),
        (("--websockets", "0", "--origin", "play.example"), 2, "play.example is not a site"),
        (("--websockets", "0", "--origin", "http://x.example", "--origin", "https://x.example"), 2, "the same host"),
        (("--certificate", __file__, "--key", __file__), 1, "is not a certificate in PEM form"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(
    words: tuple[str, ...], code: int, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(HOME, str(tmp_path))
    monkeypatch.setenv("WASABI_TX_LANG", "en")
    told = CliRunner().invoke(wasabi_tx, ["broker", *words])
    assert told.exit_code == code
    assert said in told.output
    assert "Traceback" not in told.output

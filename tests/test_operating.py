"""The operator's page: every line of its configurations is tested here, or by the cluster's tests."""

from __future__ import annotations

import asyncio
import configparser
import json
import os
import plistlib
import secrets
import shlex
import shutil
import subprocess
import sys
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.broker.operated import OperatedMosquitto
from tests.broker.raw import Raw, packet
from tests.broker.raw import text as text_of
from tests.brokers import PATIENCE
from tests.faults.cluster import PAGE, page_block
from tests.lab.bench.strangers import megabytes
from tests.needs import needs
from tests.net.test_tls import make_certificate
from tests.ports import own_port
from wasabi_tx.app.call_settings import parse_calls
from wasabi_tx.broker.config import (
    CONNECTION_BYTES,
    HANDSHAKES,
    KNOCKERS,
    MAX_CONSUMERS,
    MAX_FILES,
    MAX_QUEUED,
    NATS_MQTT,
    PLAYER_FILTERS,
    PLAYERS,
    WATCHER_FILTERS,
    WATCHERS,
    BrokerSettings,
    Passwords,
    nats_accounts,
    write_configuration,
)
from wasabi_tx.broker.tending import RETAINED, SHARES
from wasabi_tx.cli import wasabi_tx
from wasabi_tx.cli.commands.broker import broker
from wasabi_tx.net.address import parse_broker_url
from wasabi_tx.net.checkup import examine
from wasabi_tx.net.relays import parse_relays
from wasabi_tx.store.paths import HOME

pytestmark = pytest.mark.skipif(os.name != "posix", reason="a server's page")


async def runs(words: list[str], environment: dict[str, str]) -> None:
    """Check that a command of the page, on loopback with other ports, lets people play over MQTT and WebSockets."""
    for option in ("--port", "--websockets", "--metrics"):
        if option in words:
            words[words.index(option) + 1] = str(own_port())
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "wasabi_tx",
        *words,
        "--bind",
        "127.0.0.1",
        "--json",
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | environment,
    )
    try:
        assert process.stdout is not None
        assert process.stderr is not None
        line = await asyncio.wait_for(process.stdout.readline(), PATIENCE)
        assert line, (await process.stderr.read()).decode()
        addresses = json.loads(line)
        for name in ("play", "play_websockets"):
            found = await examine([parse_broker_url(addresses[name])])
            assert found.fit, (name, found)
            assert environment["WASABI_TX_BROKER_PASSWORD"] in addresses[name]
        process.terminate()
        assert await asyncio.wait_for(process.wait(), PATIENCE) == 0
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


def unit() -> dict[str, list[str]]:
    """Return the settings of the service."""
    found: dict[str, list[str]] = {}
    for line in page_block("systemd unit").splitlines():
        name, _, value = line.partition("=")
        found.setdefault(name, []).append(value)
    return found


async def test_the_unit_runs_a_broker_with_tls(tmp_path: Path) -> None:
    service = unit()
    certificate, key = make_certificate(tmp_path)
    shutil.copy(certificate, tmp_path / "certificate")
    shutil.copy(key, tmp_path / "key")
    (command,) = service["ExecStart"]
    program, *words = shlex.split(command.replace("${CREDENTIALS_DIRECTORY}", str(tmp_path)))
    assert program.endswith("/wasabi-tx")
    assert [one.partition(":")[0] for one in service["LoadCredential"]] == ["certificate", "key"]
    assert service["Environment"] == [f"{HOME}=/var/lib/{service['StateDirectory'][0]}"]
    await runs(words, {HOME: str(tmp_path / "home"), "WASABI_TX_BROKER_PASSWORD": secrets.token_hex(8)})


@needs("systemd-analyze")
def test_systemd_understands_the_unit(tmp_path: Path) -> None:
    text = page_block("systemd unit").replace("/opt/wasabi/bin/wasabi-tx", sys.executable)
    path = tmp_path / "wasabi-broker.service"
    path.write_text(text, encoding="utf-8")
    said = subprocess.run(["systemd-analyze", "verify", str(path)], capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stderr
    assert path.name not in said.stderr


@needs("systemd-analyze")
def test_the_unit_leaves_little_to_whoever_breaks_into_it(tmp_path: Path) -> None:
    path = tmp_path / "wasabi.service"
    path.write_text(page_block("systemd unit"), encoding="utf-8")
    asked = ["systemd-analyze", "security", "--offline=yes", "--threshold=30", str(path)]
    said = subprocess.run(asked, capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stdout[-300:] + said.stderr


def container() -> dict[str, str]:
    """Return the last line of each kind of the container file."""
    lines = (Path(__file__).parent.parent / "Dockerfile").read_text(encoding="utf-8").splitlines()
    return {line.split(" ", 1)[0]: line.split(" ", 1)[1] for line in lines if line and line[0].isupper()}


async def test_the_container_runs_a_broker(tmp_path: Path) -> None:
    (line,) = page_block("container").splitlines()
    ports, _, command = line.partition(" wasabi-tx ")
    words, exposed = command.split(), container()["EXPOSE"].split()
    assert exposed == [words[words.index(option) + 1] for option in ("--port", "--websockets")]
    assert all(f"-p {port}:{port}" in ports for port in exposed)
    assert f"-v wasabi:{container()['VOLUME']}" in ports
    assert container()["ENV"] == f"{HOME}={container()['VOLUME']}"
    await runs(words, {HOME: str(tmp_path), "WASABI_TX_BROKER_PASSWORD": secrets.token_hex(8)})


def test_the_cluster_has_the_accounts_that_the_program_writes() -> None:
    block = page_block("nats cluster")
    passwords = Passwords("CHANGE-PLAY", "CHANGE-WATCH", "CHANGE-CARE")
    types = '["MQTT", "MQTT_WS"]'
    assert nats_accounts(passwords, players=12_000, watchers=WATCHERS, store=1_000_000_000, types=types) in block
    assert NATS_MQTT in block


def test_mosquittos_rights_are_those_that_the_program_writes(tmp_path: Path) -> None:
    write_configuration("mosquitto", BrokerSettings(tmp_path, "127.0.0.1", 1883, "secret"))
    assert (tmp_path / "mosquitto.acl").read_text() == page_block("mosquitto acl")


@needs("mosquitto")
def test_mosquitto_as_on_the_page_keeps_those_apart_who_have_no_password(tmp_path: Path) -> None:
    """Run it verbatim, except for ports, paths and loopback addresses."""
    with ExitStack() as stack:
        server = OperatedMosquitto(tmp_path)
        stack.callback(server.stop)
        assert f"max_queued_messages {MAX_QUEUED}\n" in server.text
        players, others = server.address.port, server.watching.port
        assert not stack.enter_context(Raw(players)).welcome
        assert stack.enter_context(Raw(others, "knock", "knock")).welcome
        silent = [stack.enter_context(Raw(others)) for _ in range(server.most_others - 1)]
        assert all(one.welcome for one in silent)
        assert not stack.enter_context(Raw(others)).welcome
        for one in silent:
            one.subscribe(["wsb1/#"])
        player = stack.enter_context(Raw(players, "play", server.address.password))
        assert player.welcome
        before = megabytes(server.pid)
        for _ in range(300):
            player.socket.sendall(packet(0x32, text_of("wsb1/x/y") + b"\x00\x01" + bytes(60_000)))
            assert player.read(4) == b"\x40\x02\x00\x01"
        assert megabytes(server.pid) - before < 140


def test_the_table_of_limits_is_true() -> None:
    text = PAGE.read_text(encoding="utf-8")
    options = {option.name: str(option.default) for option in broker.params}
    host = BrokerSettings(Path(), "127.0.0.1", 0, "secret")
    shipped = replace(host, watchers=int(options["watchers"]), max_store=int(options["store"]) * 1_000_000)
    store = int(192_000_000 / 2 * SHARES[RETAINED]) // 1_000_000
    for row in (
        f"| connections | {PLAYERS:,} | {shipped.watchers} |",
        f"closed after 2 s | {HANDSHAKES:,} together |",
        f"then it is cut off | {shipped.max_pending // 1_000_000} MB | {shipped.max_pending // 1_000_000} MB |",
        f"at most {shipped.memory // 1_000_000} MB beside 1,000 tables",
        f"that of `wasabi-tx host` {host.memory // 1_000_000} MB",
        f"an account of their own: {KNOCKERS} connections",
        f"| filters of one connection | {PLAYER_FILTERS} | {WATCHER_FILTERS} |",
        f"which Wasabi TX does not use | {MAX_CONSUMERS} | {MAX_CONSUMERS} |",
        f"forgotten first | {store} MB | a copy, {store} MB |",
        f"on disk | {MAX_FILES // 2_000_000} MB | {MAX_FILES // 2_000_000} MB |",
    ):
        assert row in text, row


def test_more_players_have_room_and_memory(tmp_path: Path) -> None:
    usual = BrokerSettings(tmp_path, "127.0.0.1", 1883, "secret")
    many = replace(usual, players=12_000)
    write_configuration("nats", many)
    assert "limits { max_connections: 12000," in (tmp_path / "nats.conf").read_text()
    assert many.memory - usual.memory == 7_000 * CONNECTION_BYTES


def test_the_list_of_relays_is_one() -> None:
    (relay,) = parse_relays(page_block("relays"))
    assert [str(one) for one in relay.addresses] == ["mqtts://relay.example.org", "wss://relay.example.org"]


def test_a_keeper_is_started_by_words_of_the_program() -> None:
    unit = configparser.ConfigParser(interpolation=None)
    unit.read_string(page_block("keeper unit"))
    agent = plistlib.loads(page_block("keeper plist").encode())
    for program, *words in (unit["Service"]["ExecStart"].split(), agent["ProgramArguments"]):
        assert Path(program).name == "wasabi-tx"
        assert CliRunner().invoke(wasabi_tx, [*words, "--help"]).exit_code == 0


def test_the_container_runs_a_command_that_exists() -> None:
    """Read it without running it: the copied files exist, and its last words are a command of the program."""
    said = container()
    words = [*json.loads(said["ENTRYPOINT"]), *json.loads(said["CMD"]), "--help"]
    assert words[0] == "wasabi-tx"
    assert CliRunner().invoke(wasabi_tx, words[1:]).exit_code == 0
    root = Path(__file__).parent.parent
    kept = [line[1:] for line in (root / ".dockerignore").read_text(encoding="utf-8").splitlines() if line[0] == "!"]
    assert all((root / name).exists() for name in kept)


def test_the_calls_of_the_page_are_good_ones() -> None:
    settings = parse_calls(page_block("calls"))
    assert (settings.shape, settings.quiet is not None) == ("ntfy", True)

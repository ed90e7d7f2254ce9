"""The operator's page: each line of its configurations is the one that is tried here, or by the cluster's tests."""

from __future__ import annotations

import asyncio
import json
import os
import re
import secrets
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.brokers import PATIENCE
from tests.faults.cluster import PAGE, page_block
from tests.net.test_tls import make_certificate
from wasabi_tx.cli import wasabi_tx
from wasabi_tx.net.address import parse_broker_url
from wasabi_tx.net.broker.checkup import examine
from wasabi_tx.net.broker.config import (
    HANDSHAKES,
    MAX_CONSUMERS,
    MAX_FILES,
    MAX_PENDING,
    NATS_MQTT,
    PLAYER_FILTERS,
    PLAYERS,
    WATCHER_FILTERS,
    BrokerSettings,
    Passwords,
    nats_accounts,
    write_configuration,
)
from wasabi_tx.net.broker.ports import free_port
from wasabi_tx.net.broker.tending import RETAINED, SHARES
from wasabi_tx.net.relays import parse_relays
from wasabi_tx.store.paths import HOME
from wasabi_tx.view.online.call_settings import parse_calls

pytestmark = pytest.mark.skipif(os.name != "posix", reason="a server's page")


async def runs(words: list[str], environment: dict[str, str]) -> None:
    """A command of the page, on loopback with other ports, lets people play over MQTT and over websockets."""
    while not await _ran(words, environment):
        # Another program took a port after we had looked at it.
        pass


async def _ran(words: list[str], environment: dict[str, str]) -> bool:
    """False if a port was taken."""
    taken: set[int] = set()
    for option in ("--port", "--websockets", "--metrics"):
        if option in words:
            port = free_port("127.0.0.1", 0, taken)
            taken.add(port)
            words[words.index(option) + 1] = str(port)
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
        if not line:
            said = (await process.stderr.read()).decode()
            assert "something else is using it" in said, said
            return False
        addresses = json.loads(line)
        for name in ("play", "play_websockets"):
            found = await examine(parse_broker_url(addresses[name]))
            assert found.fit, (name, found)
            assert environment["WASABI_TX_BROKER_PASSWORD"] in addresses[name]
        process.terminate()
        assert await asyncio.wait_for(process.wait(), PATIENCE) == 0
        return True
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


def unit() -> dict[str, list[str]]:
    """The settings of the service."""
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


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd")
def test_systemd_understands_the_unit(tmp_path: Path) -> None:
    text = page_block("systemd unit").replace("/opt/wasabi/bin/wasabi-tx", sys.executable)
    path = tmp_path / "wasabi-broker.service"
    path.write_text(text, encoding="utf-8")
    said = subprocess.run(["systemd-analyze", "verify", str(path)], capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stderr
    assert path.name not in said.stderr


async def test_the_container_runs_a_broker(tmp_path: Path) -> None:
    lines = [line.partition(" ") for line in page_block("container file").splitlines()]
    settings = {name: value for name, _, value in lines}
    program, *words = json.loads(settings["ENTRYPOINT"])
    assert program == "wasabi-tx"
    assert settings["EXPOSE"].split() == [words[words.index(option) + 1] for option in ("--port", "--websockets")]
    assert settings["ENV"].startswith(f"{HOME}=")
    await runs(words, {HOME: str(tmp_path), "WASABI_TX_BROKER_PASSWORD": secrets.token_hex(8)})


def test_the_cluster_has_the_accounts_that_the_program_writes() -> None:
    block = page_block("nats cluster")
    passwords = Passwords("CHANGE-PLAY", "CHANGE-WATCH", "CHANGE-CARE")
    types = '["MQTT", "MQTT_WS"]'
    assert nats_accounts(passwords, players=12_000, watchers=3_000, store=1_000_000_000, types=types) in block
    assert NATS_MQTT in block


def test_mosquittos_rights_are_those_that_the_program_writes(tmp_path: Path) -> None:
    write_configuration("mosquitto", BrokerSettings(tmp_path, "127.0.0.1", 1883, "secret"))
    assert (tmp_path / "mosquitto.acl").read_text() == page_block("mosquitto acl")


def test_the_table_of_limits_is_true() -> None:
    text = PAGE.read_text(encoding="utf-8")
    store = int(192_000_000 / 2 * SHARES[RETAINED]) // 1_000_000
    for row in (
        f"| connections | {PLAYERS:,} | 1,000 |",
        f"closed after 2 s | {HANDSHAKES:,} together |",
        f"then it is cut off | {MAX_PENDING // 1_000_000} MB | {MAX_PENDING // 1_000_000} MB |",
        f"| filters of one connection | {PLAYER_FILTERS} | {WATCHER_FILTERS} |",
        f"which Wasabi TX does not use | {MAX_CONSUMERS} | {MAX_CONSUMERS} |",
        f"forgotten first | {store} MB | a copy, {store} MB |",
        f"on disk | {MAX_FILES // 2_000_000} MB | {MAX_FILES // 2_000_000} MB |",
    ):
        assert row in text, row


def test_the_list_of_relays_is_one() -> None:
    (relay,) = parse_relays(page_block("relays"))
    assert str(relay.address) == "mqtts://relay.example.org"


def test_the_page_has_no_configuration_that_is_not_tried() -> None:
    blocks = re.findall(r"^```(.+)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert blocks == ["relays", "calls", "systemd unit", "container file", "nats cluster", "sh", "mosquitto acl"]


def test_the_container_runs_a_command_that_exists() -> None:
    """Read, not run: what it copies is there, and its last words are words of the program."""
    root = Path(__file__).parent.parent
    lines = (root / "Dockerfile").read_text(encoding="utf-8").splitlines()
    said = {line.split(" ", 1)[0]: line.split(" ", 1)[1] for line in lines if line and line[0].isupper()}
    words = [*json.loads(said["ENTRYPOINT"]), *json.loads(said["CMD"]), "--help"]
    assert words[0] == "wasabi-tx"
    assert CliRunner().invoke(wasabi_tx, words[1:]).exit_code == 0
    kept = [line[1:] for line in (root / ".dockerignore").read_text(encoding="utf-8").splitlines() if line[0] == "!"]
    assert all((root / name).exists() for name in kept)


def test_the_calls_of_the_page_are_good_ones() -> None:
    settings = parse_calls(page_block("calls"))
    assert (settings.shape, settings.quiet is not None) == ("ntfy", True)

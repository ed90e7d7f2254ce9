"""The servers outside: two Mosquitto with anonymous access and one NATS, as public relays are; one of them may lie."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from tests.brokers import until
from tests.lab.homes.internet import SERVERS
from wasabi_tx.broker.program import find_program

KINDS = ("mosquitto", "mosquitto", "nats")
PORT = 1883
HIDDEN_PORT = 2883
"""Port of a broker that is reached through a liar."""
PATIENCE = 20.0


class Server:
    """One broker outside, which can be killed and always comes back empty."""

    def __init__(self, number: int, namespace: str, folder: Path, lies: bool = False) -> None:
        self.address = SERVERS[number]
        self.kind = KINDS[number]
        self.url = f"mqtt://{self.address}"
        self._namespace = namespace
        self._folder = folder / f"server-{number}"
        self._folder.mkdir(parents=True)
        self._lies = lies
        self._starts = 0
        self._processes: list[subprocess.Popen[bytes]] = []

    def start(self) -> None:
        self._starts += 1
        where = self._folder / str(self._starts)
        where.mkdir()
        port = HIDDEN_PORT if self._lies else PORT
        self._run(*_command(self.kind, self.address, port, where))
        if self._lies:
            self._run(sys.executable, "-m", "tests.lab.homes.liar", self.address, str(PORT), str(HIDDEN_PORT))
        until(self._answers, PATIENCE)

    def _run(self, *command: str) -> None:
        self._processes.append(
            subprocess.Popen(
                ["ip", "netns", "exec", self._namespace, *command],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        )

    def _answers(self) -> bool:
        code = f"import socket; socket.create_connection(({self.address!r}, {PORT}), 1)"
        words = ["ip", "netns", "exec", self._namespace, sys.executable, "-c", code]
        return subprocess.run(words, check=False, capture_output=True).returncode == 0

    def kill(self) -> None:
        """Kill it with kill -9; its retained messages are lost."""
        for process in self._processes:
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
        self._processes = []

    @property
    def up(self) -> bool:
        return bool(self._processes)


def _command(kind: str, address: str, port: int, folder: Path) -> list[str]:
    program = str(find_program(kind).path)
    if kind == "mosquitto":
        lines = ["allow_anonymous true", "persistence false", f"listener {port} {address}", "set_tcp_nodelay true"]
        lines += ["user root"] if os.geteuid() == 0 else []
        (folder / "mosquitto.conf").write_text("\n".join(lines) + "\n")
        return [program, "-c", str(folder / "mosquitto.conf")]
    text = f"""\
server_name: "relay"
listen: "127.0.0.1:4222"
jetstream {{ store_dir: "{folder}/store" }}
mqtt {{ listen: "{address}:{port}" }}
"""
    (folder / "nats.conf").write_text(text)
    return [program, "-c", str(folder / "nats.conf"), "-l", str(folder / "log")]

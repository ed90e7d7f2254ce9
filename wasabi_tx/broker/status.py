"""The status of a NATS broker in anonymous numbers: connections, message counts and resource use."""

from __future__ import annotations

import json
import os
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from ..engine.toml_text import read_json
from .config import PLAY, ROOT, WATCH
from .native import Answer, Caretaker, Native, native
from .tending import RETAINED

PAGE = 1_024
"""Connections per answer."""
MOST_ENDED = 1_000
FILE = "caretaker.json"
REFUSALS = {
    "Maximum Account Connections Exceeded": "full",
    "Maximum Connections Exceeded": "full",
    "Authentication Failure": "password",
    "Authentication Timeout": "silent",
    "Slow Consumer (Pending Bytes)": "slow",
    "Slow Consumer (Write Deadline)": "slow",
}
"""Reasons for refused or ended connections, in the server's words and ours."""


@dataclass(frozen=True, slots=True)
class Node:
    """The figures of one server."""

    memory: int
    cpu: float
    """Percent of a core."""
    received: int
    """Messages since the server started."""
    delivered: int


@dataclass(frozen=True, slots=True)
class Status:
    """The figures of one broker, of one node or several."""

    nodes: tuple[Node, ...]
    tables: int
    players: int
    watchers: int
    retained: int
    """Bytes retained by players for late joiners."""
    refused: dict[str, int]
    """Counts by reason, among the last thousand connections that ended at each node."""

    @property
    def memory(self) -> int:
        return sum(node.memory for node in self.nodes)

    @property
    def received(self) -> int:
        return sum(node.received for node in self.nodes)

    @property
    def delivered(self) -> int:
        return sum(node.delivered for node in self.nodes)


async def read_status(taker: Caretaker) -> Status:
    """Query every node; raise `NativeFailed` if none answers."""
    async with native(taker) as connection:
        nodes = [answer["data"] for answer in await connection.ask_all("$SYS.REQ.SERVER.PING.VARZ")]
        people = await _connections(connection)
        ended = {"state": 1, "sort": "stop", "limit": MOST_ENDED}
        closed = await connection.ask_all("$SYS.REQ.SERVER.PING.CONNZ", ended)
        retained = await connection.ask(f"{PLAY}.API.STREAM.INFO.{RETAINED}")
    accounts = Counter(one.get("account") for one in people)
    reasons = Counter(one.get("reason") for answer in closed for one in answer["data"]["connections"])
    refused = dict.fromkeys(REFUSALS.values(), 0)
    for said, reason in REFUSALS.items():
        refused[reason] += reasons[said]
    return Status(
        tuple(Node(node["mem"], node["cpu"], node["in_msgs"], node["out_msgs"]) for node in nodes),
        len({table for one in people for table in _tables(one)}),
        accounts[PLAY],
        accounts[WATCH],
        retained["state"]["bytes"],
        refused,
    )


async def _connections(connection: Native) -> list[Answer]:
    """Return all connections of all nodes, page by page."""
    found: list[Answer] = []
    offset, more = 0, True
    while more:
        page = {"auth": True, "subscriptions": True, "limit": PAGE, "offset": offset}
        answers = [answer["data"] for answer in await connection.ask_all("$SYS.REQ.SERVER.PING.CONNZ", page)]
        for answer in answers:
            found += answer["connections"]
        offset += PAGE
        more = any(answer["total"] > offset for answer in answers)
    return found


def _tables(connection: Answer) -> set[tuple[str, str]]:
    """Return the tables, by realm and name, that a connection listens to."""
    tables = set()
    for subject in connection.get("subscriptions_list", ()):
        match subject.split("."):
            case [root, realm, "t", table, *_] if root == ROOT and "*" not in (realm, table) and ">" not in table:
                tables.add((realm, table))
    return tables


def write_caretaker(folder: Path, taker: Caretaker) -> None:
    """Write the admin login of a running broker to a file that only this user can read."""
    descriptor = os.open(folder / FILE, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump({"host": taker.host, "port": taker.port, "user": taker.user, "password": taker.password}, file)


def running_brokers(folder: Path) -> list[Caretaker]:
    """Return the brokers below a folder, newest first; one that was killed may still be listed."""
    found = sorted(folder.glob(f"*/{FILE}"), key=lambda path: path.stat().st_mtime, reverse=True)
    return [taker for path in found if (taker := _read_caretaker(path)) is not None]


def _read_caretaker(path: Path) -> Caretaker | None:
    """Return a broker's admin login, or None if the file is unusable."""
    try:
        found = read_json(path.read_text(encoding="utf-8"))
        host, port, user, password = (found[name] for name in ("host", "port", "user", "password"))
    except (OSError, ValueError, TypeError, KeyError):
        return None
    if type(port) is not int or not all(isinstance(word, str) for word in (host, user, password)):
        return None
    return Caretaker(host=host, port=port, user=user, password=password)


def prometheus(status: Status) -> str:
    """Return the status in the text format that Prometheus reads."""
    figures: list[tuple[str, str, str, list[tuple[str, float]]]] = [
        ("wasabi_tables", "gauge", "Tables that somebody listens to", [("", status.tables)]),
        ("wasabi_players", "gauge", "Connections with the password", [("", status.players)]),
        ("wasabi_watchers", "gauge", "Connections without a password", [("", status.watchers)]),
        ("wasabi_retained_bytes", "gauge", "Retained messages", [("", status.retained)]),
        ("wasabi_messages_received_total", "counter", "Messages from clients", [("", status.received)]),
        ("wasabi_messages_delivered_total", "counter", "Messages to clients", [("", status.delivered)]),
        (
            "wasabi_node_memory_bytes",
            "gauge",
            "Memory of a node",
            [(f'{{node="{number}"}}', node.memory) for number, node in enumerate(status.nodes)],
        ),
        (
            "wasabi_node_cpu_percent",
            "gauge",
            "Processor of a node",
            [(f'{{node="{number}"}}', node.cpu) for number, node in enumerate(status.nodes)],
        ),
        (
            "wasabi_refused",
            "gauge",
            "Of the last thousand connections that ended at each node, those that were refused",
            [(f'{{reason="{reason}"}}', count) for reason, count in status.refused.items()],
        ),
    ]
    lines = []
    for name, kind, words, values in figures:
        lines += [f"# HELP {name} {words}", f"# TYPE {name} {kind}"]
        lines += [f"{name}{label} {value}" for label, value in values]
    return "\n".join(lines) + "\n"

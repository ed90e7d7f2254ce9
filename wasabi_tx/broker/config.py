"""The broker's configuration: each line prevents something a watcher could otherwise do to the others."""

from __future__ import annotations

import base64
import hashlib
import os
import re
import secrets
import sys
from dataclasses import dataclass, field
from pathlib import Path

from ..net.address import KNOCKER, PLAYER
from ..net.transport import MAX_PAYLOAD

WATCHER = "watch"
CARETAKER = "care"
ROOT = "wsb1"
PLAY, WATCH, KNOCK, CARE = PLAYER, WATCHER, KNOCKER, CARETAKER
"""The NATS accounts; watchers can exhaust only their own account's resources, and players do not notice."""
PLAYERS, WATCHERS, KNOCKERS = 5_000, 16, 256
"""Most connections with the password, unless more are wished for, without it, and of guests who knock."""
HANDSHAKES = 4_000
"""Most connections that have not authenticated yet; each has two seconds."""
PLAYER_FILTERS, WATCHER_FILTERS = 48, 4
"""Most subscriptions of one connection; a seat at an open table of four has ten, briefly sixteen, a watcher three.

Each watcher's filter that matches a player's message is a copy that the player's acknowledgement waits for.
"""
KNOCKER_FILTERS = 4
WATCHER_BYTES = 256_000_000
"""Most bytes waiting for all watchers together; with more than 256 of them, 1 MB for each."""
LEAST_PENDING, MOST_PENDING = 1_000_000, 16_000_000
"""Bounds of the bytes waiting for one connection; a reader further behind is cut off and reconnects.

The larger it is, the more noise a seat on a busy machine survives. The server has one value for all connections.
"""
MAX_QUEUED = 32
"""Most messages waiting for one Mosquitto connection; it drops those beyond."""
MAX_CONSUMERS = 32
"""Most queues for QoS 1 subscriptions in each account; our clients need none."""
MAX_STORE = 64_000_000
"""Most bytes of retained messages, half of them for the watchers' copy; in memory, since it is a cache."""
BESIDES = 170_000_000
"""Most bytes of memory for everything else, with the usual number of players."""
CONNECTION_BYTES = 24_000
"""Bytes of memory that a connection needs."""
MAX_FILES = 32_000_000
"""Most bytes on disk for other MQTT data: sessions, and queues for QoS 1."""
MAX_KNOCK_STORE = 1_000_000
"""Most bytes in memory, and on disk, for guests who knock; nothing they store there reaches anybody."""
KNOCKS, ANSWERS = f"{ROOT}/knock", f"{ROOT}/knocked"
"""Topics where guests may publish, and that they may read; one level follows.

There are few levels below the first, because Mosquitto would retain something under each of them.
"""
KNOCK_LETTERS = "abcdefghijklmnopqrstuvwxyz234567"
WATCHER_COPY = "wasabi.retained"
"""The subject under which retained messages are copied for the watchers."""
_ITERATIONS = 101
PASSWORD_FORM = re.compile(r"[A-Za-z0-9._~-]{1,128}")
"""Passwords that fit into an invite and that no configuration file can misread."""


@dataclass(frozen=True, slots=True)
class BrokerSettings:
    """The settings of one broker. Playing needs the password; without it, only watching and knocking are possible."""

    folder: Path
    host: str
    port: int
    password: str = field(repr=False)
    websocket_port: int | None = None
    certificate: Path | None = None
    key: Path | None = None
    max_store: int = MAX_STORE
    watchers: int = WATCHERS
    players: int = PLAYERS
    websocket_host: str = ""
    """Where websockets listen; empty for where everything else does."""
    origins: tuple[str, ...] = ()
    """Sites whose pages may connect, beside those of this machine; NATS only, Mosquitto asks no page for its site."""
    care_password: str = field(default_factory=lambda: new_password(), repr=False)
    """Password of the admin account on the native port, which manages the streams and reads statistics."""
    care_port: int = 0
    """The native port, on loopback; NATS only."""

    @property
    def store(self) -> Path:
        """The folder of the broker's data on disk, which may be emptied."""
        return self.folder / "store"

    @property
    def max_pending(self) -> int:
        """Most bytes waiting for one connection, so that all idle watchers fit into their share of memory."""
        return max(LEAST_PENDING, min(MOST_PENDING, WATCHER_BYTES // max(1, self.watchers)))

    @property
    def memory(self) -> int:
        """Most bytes a NATS server uses, whatever people without the password do beside 1,000 tables."""
        more = max(0, self.players - PLAYERS) * CONNECTION_BYTES
        return BESIDES + more + self.max_store * 6 // 5 + self.max_pending * self.watchers

    @property
    def variables(self) -> dict[str, str]:
        """Environment that keeps a NATS server's memory near its needs; by default it uses twice that."""
        return {"GOMEMLIMIT": f"{self.memory}B"}

    @property
    def log(self) -> Path:
        return self.folder / "broker.log"


def write_configuration(kind: str, settings: BrokerSettings) -> list[str]:
    """Write the private files for a program of this kind, and return its arguments."""
    settings.folder.mkdir(parents=True, exist_ok=True)
    settings.folder.chmod(0o700)
    settings.store.mkdir(mode=0o700, exist_ok=True)
    return _write_nats(settings) if kind == "nats" else _write_mosquitto(settings)


def _write_nats(settings: BrokerSettings) -> list[str]:
    tls = _nats_tls(settings)
    types = '["MQTT", "MQTT_WS"]' if settings.websocket_port else '["MQTT"]'
    passwords = Passwords(settings.password, new_password(), settings.care_password)
    accounts = nats_accounts(
        passwords, players=settings.players, watchers=settings.watchers, store=settings.max_store, types=types
    )
    text = f"""\
server_name: "wasabi-{secrets.token_hex(6)}"
# Only our own process uses the native port: on loopback, with a password of its own.
listen: "127.0.0.1:{settings.care_port}"
max_payload: {MAX_PAYLOAD}
max_pending: {settings.max_pending}
max_connections: {settings.players + settings.watchers + KNOCKERS + HANDSHAKES}
logfile_size_limit: 1000000
logfile_max_num: 2
jetstream {{
  store_dir: {_quoted(settings.store.as_posix())}
  max_file_store: {MAX_FILES + MAX_KNOCK_STORE}
  max_memory_store: {settings.max_store + MAX_KNOCK_STORE}
}}
{accounts}\
mqtt {{
  listen: "{_endpoint(settings.host, settings.port)}"
  no_auth_user: "{WATCHER}"
{NATS_MQTT}{tls}}}
"""
    if settings.websocket_port:
        origins = ", ".join(_quoted(origin) for origin in _origins(settings))
        text += f"""\
websocket {{
  listen: "{_endpoint(settings.websocket_host or settings.host, settings.websocket_port)}"
  # Pages of any other site in somebody's browser stay out; programs send no origin.
  allowed_origins: [{origins}]
{tls or "  no_tls: true"}
}}
"""
    path = settings.folder / "nats.conf"
    _write_private(path, text)
    return ["-c", str(path), "-l", str(settings.log)]


NATS_MQTT = """\
  # A watcher that leaves queues behind has them no longer than that.
  consumer_inactive_threshold: "5s"
  max_ack_pending: 256
  reject_qos2_publish: true
  downgrade_qos2_subscribe: true
"""


@dataclass(frozen=True, slots=True)
class Passwords:
    """The passwords of three users of a NATS server; the one for knocking is public."""

    play: str
    watch: str
    care: str


def nats_accounts(passwords: Passwords, *, players: int, watchers: int, store: int, types: str) -> str:
    """Return the accounts of a NATS server: for players, watchers, knocking guests and its admin.

    Watchers receive what players publish, and read a copy of what is retained: see `tending`. Guests who knock are
    heard by players under one set of topics, hear them under another, and nothing else.
    """
    reading = f'allow: ["{ROOT}", "{ROOT}.>", "$MQTT.sub.>"]'
    resources = f"max_mem: {store // 2}, max_file: {MAX_FILES // 2}, max_streams: 8, max_consumers: {MAX_CONSUMERS}"
    little = f"max_mem: {MAX_KNOCK_STORE}, max_file: {MAX_KNOCK_STORE}, max_streams: 8, max_consumers: 8"
    knocks, answers = (f"{topic.replace('/', '.')}.*" for topic in (KNOCKS, ANSWERS))
    return f"""\
system_account: {CARE}
accounts {{
  {PLAY} {{
    jetstream {{ {resources} }}
    limits {{ max_connections: {players}, max_subscriptions: {PLAYER_FILTERS} }}
    users: [
      {{ user: "{PLAYER}", password: "{passwords.play}", allowed_connection_types: {types}
        permissions: {{ publish: {{ allow: ["{ROOT}.>"] }}, subscribe: {{ {reading} }} }} }}
    ]
    exports: [
      {{ stream: "{ROOT}.>", accounts: [{WATCH}] }}
      {{ stream: "{WATCHER_COPY}.>", accounts: [{WATCH}] }}
      {{ service: "$JS.API.>", accounts: [{WATCH}, {CARE}] }}
      {{ service: "$JS.FC.>", accounts: [{WATCH}] }}
      {{ stream: "{answers}", accounts: [{KNOCK}] }}
    ]
    imports: [{{ stream: {{ account: {KNOCK}, subject: "{knocks}" }} }}]
  }}
  {WATCH} {{
    jetstream {{ {resources} }}
    limits {{ max_connections: {watchers}, max_subscriptions: {WATCHER_FILTERS} }}
    users: [
      {{ user: "{WATCHER}", password: "{passwords.watch}", allowed_connection_types: {types}
        permissions: {{ publish: {{ deny: [">"] }}, subscribe: {{ {reading} }} }} }}
    ]
    imports: [
      {{ stream: {{ account: {PLAY}, subject: "{ROOT}.>" }} }}
      {{ stream: {{ account: {PLAY}, subject: "{WATCHER_COPY}.>" }} }}
      {{ service: {{ account: {PLAY}, subject: "$JS.API.>" }}, to: "{PLAY}.API.>" }}
      {{ service: {{ account: {PLAY}, subject: "$JS.FC.>" }} }}
    ]
    exports: [
      {{ service: "$JS.API.>", accounts: [{CARE}] }}
      {{ service: "$MQTT.rmsgs.>", accounts: [{CARE}] }}
    ]
  }}
  {KNOCK} {{
    jetstream {{ {little} }}
    limits {{ max_connections: {KNOCKERS}, max_subscriptions: {KNOCKER_FILTERS} }}
    users: [
      {{ user: "{KNOCKER}", password: "{KNOCKER}", allowed_connection_types: {types}
        permissions: {{ publish: {{ allow: ["{knocks}"] }}, subscribe: {{ allow: ["{answers}", "$MQTT.sub.>"] }} }} }}
    ]
    imports: [{{ stream: {{ account: {PLAY}, subject: "{answers}" }} }}]
    exports: [
      {{ stream: "{knocks}", accounts: [{PLAY}] }}
      {{ service: "$JS.API.>", accounts: [{CARE}] }}
    ]
  }}
  {CARE} {{
    users: [{{ user: "{CARETAKER}", password: "{passwords.care}", allowed_connection_types: ["STANDARD"] }}]
    imports: [
      {{ service: {{ account: {PLAY}, subject: "$JS.API.>" }}, to: "{PLAY}.API.>" }}
      {{ service: {{ account: {WATCH}, subject: "$JS.API.>" }}, to: "{WATCH}.API.>" }}
      {{ service: {{ account: {WATCH}, subject: "$MQTT.rmsgs.>" }}, to: "{WATCH}.rmsgs.>" }}
      {{ service: {{ account: {KNOCK}, subject: "$JS.API.>" }}, to: "{KNOCK}.API.>" }}
    ]
  }}
}}
"""


def _nats_tls(settings: BrokerSettings) -> str:
    if settings.certificate is None or settings.key is None:
        return ""
    certificate, key = (_quoted(path.absolute().as_posix()) for path in (settings.certificate, settings.key))
    return f"  tls {{ cert_file: {certificate}, key_file: {key} }}\n"


def _write_mosquitto(settings: BrokerSettings) -> list[str]:
    lines = [
        "per_listener_settings false",
        "allow_anonymous true",
        "allow_zero_length_clientid false",
        f"acl_file {settings.folder / 'mosquitto.acl'}",
        f"password_file {settings.folder / 'mosquitto.passwords'}",
        "persistence false",
        f"message_size_limit {MAX_PAYLOAD}",
        "max_keepalive 600",
        f"memory_limit {settings.max_store}",
        f"max_queued_messages {MAX_QUEUED}",
        f"log_dest file {settings.log}",
        "log_type error",
        "log_type warning",
        "log_type notice",
        "log_type information",
    ]
    if sys.platform != "win32" and os.geteuid() == 0:
        # Started by root, it would switch to a user that may not read these files.
        lines.append("user root")
    listeners = [(settings.port, settings.host, "mqtt")]
    if settings.websocket_port:
        listeners.append((settings.websocket_port, settings.websocket_host or settings.host, "websockets"))
    for port, host, protocol in listeners:
        lines += [
            f"listener {port} {host}",
            f"protocol {protocol}",
            f"max_connections {settings.players + settings.watchers + KNOCKERS}",
        ]
        lines.append("set_tcp_nodelay true")
        if settings.certificate is not None and settings.key is not None:
            lines += [f"certfile {settings.certificate.absolute()}", f"keyfile {settings.key.absolute()}"]
    # In Mosquitto's filters, # also covers the level above it, where nobody may publish.
    rights = [f"topic read {ROOT}/#", f"user {PLAYER}", f"topic read {ROOT}/#", f"topic write {ROOT}/+/#"]
    rights += [f"user {KNOCKER}", f"topic read {ANSWERS}/+", *(f"topic write {KNOCKS}/{one}" for one in KNOCK_LETTERS)]
    users = {PLAYER: settings.password, KNOCKER: KNOCKER}
    _write_private(settings.folder / "mosquitto.acl", "\n".join(rights) + "\n")
    _write_private(
        settings.folder / "mosquitto.passwords",
        "".join(f"{user}:{_hashed(password)}\n" for user, password in users.items()),
    )
    path = settings.folder / "mosquitto.conf"
    _write_private(path, "\n".join(lines) + "\n")
    return ["-c", str(path)]


def new_password() -> str:
    """Return a random password of 119 bits: letters and digits that need no quoting anywhere."""
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    return "".join(secrets.choice(alphabet) for _ in range(20))


def _hashed(password: str) -> str:
    """Hash a password as Mosquitto stores it: PBKDF2 with SHA-512; few rounds suffice for a random password."""
    salt = secrets.token_bytes(12)
    digest = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, _ITERATIONS)
    return f"$7${_ITERATIONS}${base64.b64encode(salt).decode()}${base64.b64encode(digest).decode()}"


def _origins(settings: BrokerSettings) -> list[str]:
    scheme = "https" if settings.certificate else "http"
    hosts = dict.fromkeys(["127.0.0.1", "localhost", "[::1]", _bracketed(settings.host)])
    return [*(f"{scheme}://{host}:{settings.websocket_port}" for host in hosts), *settings.origins]


def _endpoint(host: str, port: int) -> str:
    return f"{_bracketed(host)}:{port}"


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _write_private(path: Path, text: str) -> None:
    path.unlink(missing_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as file:
        file.write(text)

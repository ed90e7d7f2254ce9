"""The log of an online game contains what is needed to find a fault, and none of its secrets."""

from __future__ import annotations

import base64
import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.brokers import until
from tests.invites import open_invite
from tests.peers.program import PATIENCE, Programs
from wasabi_tx.engine.editions import packaged_edition
from wasabi_tx.games import game
from wasabi_tx.online.client import events as table_events
from wasabi_tx.online.client.client import Event
from wasabi_tx.online.client.event_log import log_event
from wasabi_tx.online.invites import read_invite
from wasabi_tx.online.saved.disk import FileDisk
from wasabi_tx.store.log_file import start_log

EDITION = "short-classic"


def spellings(secret: bytes) -> list[str]:
    """Return the ways in which bytes may be written down."""
    return [
        secret.hex(),
        base64.b32encode(secret).decode().rstrip("=").lower(),
        base64.b64encode(secret).decode().rstrip("="),
        repr(secret)[2:-1],
    ]


def secrets_of(home: Path) -> list[str]:
    """Return all secrets in this person's files: keys, nonces, sealing secrets."""
    found = spellings((home / "config" / "identity.key").read_bytes())
    for path in (home / "games" / "seats").glob("*.seat"):
        seat = FileDisk(home / "games", path.stem.partition("-")[0], path.stem).seat()
        assert seat is not None
        found += [word for one in (seat.seed, seat.nonce, seat.secret) if one for word in spellings(one)]
        found.append(seat.invite.removeprefix("wasabi:")[1:27])
    return found


def test_a_private_game_leaves_no_secret_in_any_log(programs: Programs, tmp_path: Path) -> None:
    logs = {name: tmp_path / f"{name}.log" for name in ("host", "guest", "watcher")}
    words = ("bot", "--new", "--private", "--edition", EDITION, "--level", "easy", "--json")
    host = programs.start("host", "--log", str(logs["host"]), *words)
    table = json.loads(host.line())
    secrets = secrets_of(programs.home("host"))
    assert len(secrets) > 12
    keep = [table[part].removeprefix("wasabi:")[1:27] for part in ("invite", "watch")]
    keep += [read_invite(table["invite"]).carriers[0].password]
    watcher = programs.start(
        "watcher", "--log", str(logs["watcher"]), "watch", "--headless", "--json", typed=table["watch"] + "\n"
    )
    # A short game can be over, and its broker gone, before a slow watcher arrives.
    until(lambda: logs["watcher"].exists() and "subscribed to" in logs["watcher"].read_text(), PATIENCE)
    guest = programs.start(
        "guest", "--log", str(logs["guest"]), "bot", "--level", "easy", "--json", typed=table["invite"] + "\n"
    )
    assert [program.ended() for program in (host, guest, watcher)] == [0, 0, 0]
    secrets += secrets_of(programs.home("host")) + secrets_of(programs.home("guest"))
    edition = packaged_edition("classic")
    hand = [text for recipe in edition.recipes for text in (recipe.id, *recipe.names.values())]
    for name, path in logs.items():
        text = path.read_text(encoding="utf-8")
        assert "connected to mqtt://" in text
        assert "slot 12, epoch 0" in text
        assert ": Ended" in text
        assert "Traceback" not in text
        assert [secret for secret in (*keep, *secrets) if secret and secret in text] == [], name
        assert [card for card in hand if card in text] == [], name
        assert path.stat().st_mode & 0o777 == 0o600
    assert "listens on 127.0.0.1" in logs["host"].read_text()
    assert not (programs.home("host") / "wasabi-tx.log").exists()


def test_without_a_wish_it_is_in_the_state_folder(programs: Programs) -> None:
    code, program = programs.run("guest", "bot", typed=open_invite("127.0.0.1", 1) + "\n")
    assert code == 1
    log = program.home / "wasabi-tx.log"
    assert "no connection to mqtt://127.0.0.1:1: unreachable" in log.read_text()
    assert log.stat().st_mode & 0o777 == 0o600


def test_a_log_that_cannot_be_written_is_one_sentence(programs: Programs) -> None:
    code, program = programs.run("guest", "--log", "/nowhere/at/all", "themes")
    assert code == 1
    assert program.err.startswith("wasabi-tx: no log can be written to /nowhere/at/all")


@pytest.mark.parametrize(
    "event",
    [
        game.Said(1, "Bo", "a secret"),
        game.Said(None, "", "a secret"),
        table_events.TalkHeard(b"k" * 32, "a secret"),
        table_events.LobbyTalk("Bo", "a secret"),
        table_events.LobbyPeople(("Bo",)),
        table_events.GameBegun(("Bo",)),
        table_events.Knocking(b"k" * 32, "Bo"),
        table_events.CodeOffered("7-secret-daikon", broker="mqtt://secret"),
    ],
)
def test_talk_names_and_codes_are_never_logged(tmp_path: Path, event: Event) -> None:
    handler = start_log(tmp_path / "log", "", detailed=True)
    log_event("abc", event)
    log_event("abc", replace(game.Link(True), reason="x"))
    handler.close()
    text = (tmp_path / "log").read_text()
    assert "Link up=True reason=x" in text
    assert type(event).__name__ in text
    assert "secret" not in text
    assert "Bo" not in text

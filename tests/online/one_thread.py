"""A guard for single-thread access: a client fails at once if any thread but its own touches it."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from wasabi_tx.online import online_table
from wasabi_tx.online.client import client as client_module
from wasabi_tx.online.client.client import Client
from wasabi_tx.online.client.playing import Playing

THREAD = "table"
"""Prefix of the name of a client's own thread."""


class Touches:
    """Records which thread touched what; before a client's own thread first does, only its creator may touch it."""

    def __init__(self) -> None:
        self.owners: dict[int, threading.Thread] = {}
        self._kept: list[object] = []

    def note(self, one: object) -> None:
        here = threading.current_thread()
        if here.name.startswith(THREAD) and id(one) not in self.owners:
            self._kept.append(one)
            self.owners[id(one)] = here
        owner = self.owners.get(id(one), here)
        assert owner is here, f"{here.name} touched what belongs to {owner.name}"


def guard_clients(monkeypatch: pytest.MonkeyPatch) -> Touches:
    """Guard every client made from now on, and every game in it."""
    touches = Touches()

    class GuardedClient(Client):
        def __getattribute__(self, name: str) -> Any:
            touches.note(self)
            return super().__getattribute__(name)

    class GuardedPlaying(Playing):
        def __getattribute__(self, name: str) -> Any:
            touches.note(self)
            return super().__getattribute__(name)

    monkeypatch.setattr(online_table, "Client", GuardedClient)
    monkeypatch.setattr(client_module, "Playing", GuardedPlaying)
    return touches

"""Guards the promise of one thread: a client that another thread than its own touches fails at once."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from wasabi_tx.table.online import online_table
from wasabi_tx.table.online.client import client as client_module
from wasabi_tx.table.online.client.client import Client
from wasabi_tx.table.online.client.playing import Playing

THREAD = "table"
"""How the name of a client's own thread begins."""


class Touches:
    """Which thread touched what; before that thread first did, only whoever makes a client may touch it."""

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
    """Every client that is made from now on, and every game in it, is guarded."""
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

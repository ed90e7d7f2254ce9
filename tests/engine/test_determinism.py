"""The engine gives the same results everywhere: no clock, no chance, nothing that depends on the process."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path

from tests.engine.games import moment_of
from wasabi_tx.engine.editions import rules_for

ROOT = Path(__file__).parents[2]

DIGESTS = """
from tests.engine.games import walk
for players in (2, 3, 4):
    for moment in walk(players, 2026, leaving=0.005):
        print(moment.rules.format([moment.step]), moment.rules.digest(moment.after).hex())
"""

LOADED = """
import sys
before = set(sys.modules)
import wasabi_tx.engine.editions
wasabi_tx.engine.editions.rules_for("classic", 2)
print(*sorted(set(sys.modules) - before), sep="\\n")
"""

FOREIGN = {"textual", "aiomqtt", "nacl", "msgpack", "asyncio", "paho", "zeroconf", "click", "wasabi_protocol"}


def run(program: str, hash_seed: str) -> str:
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout


def test_one_seed_gives_the_same_digests_in_two_processes_with_different_hash_seeds() -> None:
    one, other = run(DIGESTS, "1"), run(DIGESTS, "2")
    assert one == other
    assert len(one.splitlines()) > 200


def test_importing_the_engine_loads_no_screen_no_network_no_cryptography() -> None:
    loaded = {name.split(".")[0] for name in run(LOADED, "0").splitlines()}
    assert "wasabi_tx" in loaded
    assert loaded & FOREIGN == set()


def test_importing_the_engine_loads_no_other_part_of_the_program() -> None:
    parts = {name for name in run(LOADED, "0").splitlines() if name.startswith("wasabi_tx.")}
    assert all(name.startswith("wasabi_tx.engine") for name in parts), parts


def test_rules_travel_to_another_process_and_play_alike() -> None:
    moment = moment_of(3, 4, 60)
    rules = pickle.loads(pickle.dumps(moment.rules))
    assert rules.digest(moment.after) == moment.rules.digest(moment.after)
    assert rules.edition.hash == rules_for("classic", 3).edition.hash

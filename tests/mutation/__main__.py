"""Mutation testing of the protocol's judges: `python -m tests.mutation [--module NAME] [--sample N] [--seed S]`.

Each mutant runs in a process of its own, in which the module is imported changed; the tests of that module stop at the
first one that notices. One that takes several times as long as the unchanged module was noticed too. The score is
printed with its interval, and with every mutant that no test noticed.
"""

from __future__ import annotations

import argparse
import ast
import importlib.abc
import importlib.machinery
import importlib.util
import math
import os
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from types import ModuleType

import pytest

from .mutants import Mutant, mutants

ROOT = Path(__file__).parent.parent.parent
VECTORS = "tests/protocol/vectors/test_vectors.py"
JUDGES: dict[str, tuple[str, ...]] = {
    "wasabi_protocol.game.log": (
        "tests/protocol/game/test_log.py",
        "tests/protocol/voting/test_votes.py",
        "tests/protocol/game/test_broken_games.py",
        VECTORS,
        "tests/model/test_library.py",
    ),
    "wasabi_protocol.game.state": (
        "tests/protocol/game/test_state.py",
        "tests/protocol/game/test_session.py",
        VECTORS,
        "tests/protocol/game",
    ),
    "wasabi_protocol.voting.ballots": ("tests/protocol/voting", VECTORS, "tests/protocol/game/test_session.py"),
    "wasabi_protocol.voting.poll": ("tests/protocol/voting", VECTORS, "tests/model"),
    "wasabi_protocol.voting.duty": ("tests/protocol/voting", VECTORS, "tests/model"),
    "wasabi_protocol.table.genesis": ("tests/protocol/table", VECTORS),
    "wasabi_protocol.table.waiting_room": ("tests/protocol/table", VECTORS),
    "wasabi_protocol.sealed.proofs": ("tests/protocol/sealed/test_proofs.py", VECTORS, "tests/protocol/sealed"),
    "wasabi_protocol.sealed.shuffle": ("tests/protocol/sealed/test_shuffle.py", VECTORS, "tests/protocol/sealed"),
}
SLOWER = 10.0
"""A mutant whose tests take this many times as long as those of the unchanged module never comes to an end."""
LEAST_SECONDS = 20.0
CONFIDENT = 1.96
"""Standard deviations on both sides of a score: 95 of 100 such intervals hold the true one."""


class Changed(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports one module from a changed syntax tree."""

    def __init__(self, name: str, tree: ast.Module) -> None:
        self._name = name
        self._tree = tree

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        del path, target
        return importlib.util.spec_from_loader(fullname, self) if fullname == self._name else None

    def exec_module(self, module: ModuleType) -> None:
        exec(compile(self._tree, self._name, "exec"), vars(module))


def source_of(name: str) -> str:
    return (ROOT / "protocol" / Path(*name.split("."))).with_suffix(".py").read_text(encoding="utf-8")


def survives(name: str, mutant: Mutant | None, tests: Sequence[str], seconds: float = math.inf) -> bool:
    """Whether no test notices the mutant in this time; without one, whether the tests hold at all."""
    child = os.fork()
    if child == 0:
        os._exit(_run_tests(name, mutant, tests))
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status) == 0
        time.sleep(0.05)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return False


def interval(noticed: int, total: int) -> tuple[float, float]:
    """Between which shares the true one lies, as a sample says (Wilson)."""
    if not total:
        return 0.0, 1.0
    share, spread = noticed / total, CONFIDENT**2 / total
    middle = (share + spread / 2) / (1 + spread)
    wide = math.sqrt(share * (1 - share) * spread + spread**2 / 4) / (1 + spread)
    return middle - wide, middle + wide


def _run_tests(name: str, mutant: Mutant | None, tests: Sequence[str]) -> int:
    if mutant is not None:
        sys.meta_path.insert(0, Changed(name, mutant.tree))
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    os.chdir(ROOT)
    return int(pytest.main(["-x", "-q", "-n", "0", "-p", "no:cacheprovider", "-p", "no:randomly", *tests]))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--module", choices=JUDGES, action="append")
    parser.add_argument(
        "--sample", type=int, default=0, help="so many mutants of each module; all of them if not given"
    )
    parser.add_argument("--seed", default="1")
    parser.add_argument(
        "--slower", type=float, default=SLOWER, help="a mutant that takes this many times as long was noticed"
    )
    arguments = parser.parse_args()
    noticed = total = 0
    for name in arguments.module or JUDGES:
        tests = JUDGES[name]
        found = every = mutants(source_of(name))
        if arguments.sample:
            found = sorted(
                Random(arguments.seed).sample(found, min(arguments.sample, len(found))), key=lambda m: m.line
            )
        began = time.monotonic()
        if not survives(name, None, tests):
            sys.stdout.write(f"{name}: its tests do not hold without a change\n")
            return 1
        seconds = max(LEAST_SECONDS, arguments.slower * (time.monotonic() - began))
        left = []
        for mutant in found:
            if survives(name, mutant, tests, seconds):
                left.append(mutant)
                sys.stdout.write(f"  {name}:{mutant.line}: {mutant.change}\n")
                sys.stdout.flush()
        noticed, total = noticed + len(found) - len(left), total + len(found)
        sys.stdout.write(f"{name}: {_score(len(found) - len(left), len(found))}, {len(every)} in all\n")
        sys.stdout.flush()
    sys.stdout.write(f"score: {_score(noticed, total)}\n")
    return 0


def _score(noticed: int, total: int) -> str:
    low, high = interval(noticed, total)
    share = 100 * noticed / max(1, total)
    return f"{noticed} of {total} noticed, {share:.1f} % ({100 * low:.1f} to {100 * high:.1f})"


if __name__ == "__main__":
    raise SystemExit(main())

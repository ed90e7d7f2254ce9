"""Mutation testing of the protocol's judges: `python -m tests.lab.mutation [--module NAME] [--sample N] [--seed S]`.

`--package engine` (or protocol, or view) samples all modules of a package instead, with its tests.

Each mutant runs in its own process, which imports the changed module; the tests of that module stop at the first one
that notices. A mutant that takes several times the CPU time of the unchanged module counts as noticed too. The score is
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
import resource
import sys
from collections.abc import Container, Iterator, Sequence
from pathlib import Path
from random import Random
from types import ModuleType
from typing import TypeVar

import pytest

from .mutants import Mutant, count_mutants, mutants

T = TypeVar("T")
ROOT = Path(__file__).parents[3]
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
PACKAGES: dict[str, tuple[str, tuple[str, ...]]] = {
    "engine": ("wasabi_tx.engine", ("tests/engine",)),
    "protocol": ("wasabi_protocol", ("tests/protocol", "tests/model")),
    "view": ("wasabi_tx.view", ("tests/view", "tests/plain")),
}
SLOWER = 10.0
"""Factor of CPU time, compared with the unchanged module, above which a mutant counts as never ending."""
LEAST_SECONDS = 20.0
CONFIDENT = 1.96
"""Standard deviations on both sides of a score: 95 of 100 such intervals contain the true one."""


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


def path_of(name: str) -> Path:
    """Return the file of a module, or the folder of a package."""
    folder = ROOT / "protocol" if name.startswith("wasabi_protocol") else ROOT
    return folder / Path(*name.split("."))


def source_of(name: str) -> str:
    return path_of(name).with_suffix(".py").read_text(encoding="utf-8")


def modules_of(package: str) -> list[str]:
    """Return the modules of a package, at any depth."""
    folder = path_of(package)
    files = sorted(folder.rglob("*.py"))
    return [
        ".".join((package, *path.relative_to(folder).with_suffix("").parts)) for path in files if path.stem[0] != "_"
    ]


def nearest_first(name: str, tests: Sequence[str]) -> list[list[str]]:
    """Return the tests of a module in stages: those of a file of its name, those of a folder of its name, then all.

    Each stage is a separate run: given a folder and the whole that contains it, pytest runs only the folder.
    """
    *_, folder, module = name.split(".")
    files = [str(path.relative_to(ROOT)) for one in tests for path in (ROOT / one).rglob(f"test_{module}.py")]
    folders = [f"{one}/{folder}" for one in tests if (ROOT / one / folder).is_dir()]
    return [stage for stage in (files, folders, *([one] for one in tests)) if stage]


def survives(name: str, mutant: Mutant | None, stages: Sequence[Sequence[str]], seconds: float = math.inf) -> bool:
    """Return whether all tests pass with the mutant, or without one if it is None, within this CPU time."""
    child = os.fork()
    if child == 0:
        if seconds < math.inf:
            resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds) + 1))
        os._exit(_run_tests(name, mutant, stages))
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def interval(noticed: int, total: int) -> tuple[float, float]:
    """Return the interval in which the true share lies, given a sample (Wilson)."""
    if not total:
        return 0.0, 1.0
    share, spread = noticed / total, CONFIDENT**2 / total
    middle = (share + spread / 2) / (1 + spread)
    wide = math.sqrt(share * (1 - share) * spread + spread**2 / 4) / (1 + spread)
    return middle - wide, middle + wide


def _run_tests(name: str, mutant: Mutant | None, stages: Sequence[Sequence[str]]) -> int:
    if mutant is not None:
        sys.meta_path.insert(0, Changed(name, mutant.tree))
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    os.chdir(ROOT)
    words = ["-x", "-q", "-n", "0", "-p", "no:cacheprovider", "-p", "no:randomly"]
    return next((code for stage in stages if (code := int(pytest.main([*words, *stage])))), 0)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--module", choices=JUDGES, action="append")
    parser.add_argument(
        "--sample", type=int, default=0, help="so many mutants of each module or package; all of them if not given"
    )
    parser.add_argument("--seed", default="1")
    parser.add_argument(
        "--slower", type=float, default=SLOWER, help="a mutant that takes this many times as long was noticed"
    )
    parser.add_argument("--package", choices=PACKAGES, action="append")
    arguments = parser.parse_args()
    chance, noticed, total = Random(arguments.seed), 0, 0
    known, seconds = tuple[str, ...](), LEAST_SECONDS
    for name, tests, numbers in _chosen(arguments, chance):
        found, every = mutants(source_of(name), numbers), count_mutants(source_of(name))
        if tests != known:
            known, began = tests, _used()
            if not survives(name, None, [[one] for one in tests]):
                sys.stdout.write(f"{name}: its tests do not hold without a change\n")
                return 1
            seconds = max(LEAST_SECONDS, arguments.slower * (_used() - began))
        left = []
        for mutant in found:
            if survives(name, mutant, nearest_first(name, tests), seconds):
                left.append(mutant)
                sys.stdout.write(f"  {name}:{mutant.line}: {mutant.change}\n")
                sys.stdout.flush()
        noticed, total = noticed + len(found) - len(left), total + len(found)
        sys.stdout.write(f"{name}: {_score(len(found) - len(left), len(found))}, {every} in all\n")
        sys.stdout.flush()
    sys.stdout.write(f"score: {_score(noticed, total)}\n")
    return 0


def _used() -> float:
    """Return the CPU time of the children that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _chosen(arguments: argparse.Namespace, chance: Random) -> Iterator[tuple[str, tuple[str, ...], Container[int]]]:
    """Yield modules, their tests, and the numbers of the mutants to try."""
    if not arguments.package:
        for name in arguments.module or JUDGES:
            every = range(count_mutants(source_of(name)))
            yield name, JUDGES[name], _sample(chance, every, arguments.sample)
    for package in arguments.package or ():
        name, tests = PACKAGES[package]
        places = [(module, number) for module in modules_of(name) for number in range(count_mutants(source_of(module)))]
        sample = _sample(chance, places, arguments.sample)
        for module in sorted({module for module, _ in sample}):
            yield module, tests, {number for one, number in sample if one == module}


def _sample(chance: Random, every: Sequence[T], size: int) -> Sequence[T]:
    return chance.sample(every, min(size, len(every))) if size else every


def _score(noticed: int, total: int) -> str:
    low, high = interval(noticed, total)
    share = 100 * noticed / max(1, total)
    return f"{noticed} of {total} noticed, {share:.1f} % ({100 * low:.1f} to {100 * high:.1f})"


if __name__ == "__main__":
    raise SystemExit(main())

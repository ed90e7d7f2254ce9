"""Measuring as a ratio: everything in one run, in interleaved rounds, medians compared."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from functools import partial
from importlib import import_module
from multiprocessing.connection import Connection
from statistics import median

Work = Callable[[], int]
"""Does some work and says how many units it was."""


def rates(contestants: Mapping[str, Work], rounds: int) -> dict[str, float]:
    """The median rate of each contestant in units a second of its own processor time.

    All take turns in every round, so that a busy minute of the machine slows all of them alike.
    """
    for work in contestants.values():
        work()
    return _medians({name: partial(_rate, work) for name, work in contestants.items()}, rounds)


def rates_apart(module: str, names: Sequence[str], rounds: int) -> dict[str, float]:
    """The same for the `CONTESTANTS` of a module, each in a process of its own.

    For contestants that leave their mark on a process: what a large rival does to its memory slows everybody in it.
    """
    context = multiprocessing.get_context("spawn")
    with ExitStack() as stack:
        lines = {}
        for name in names:
            here, there = context.Pipe()
            process = context.Process(target=_contend, args=(there, module, name), daemon=True)
            process.start()
            stack.callback(process.join)
            stack.callback(here.close)
            there.close()
            lines[name] = here
        return _medians({name: partial(_ask, line) for name, line in lines.items()}, rounds)


def _ask(line: Connection) -> float:
    line.send(None)
    rate: float = line.recv()
    return rate


def _contend(line: Connection, module: str, name: str) -> None:
    work: Work = import_module(module).CONTESTANTS[name]
    work()
    with suppress(EOFError):
        while True:
            line.recv()
            line.send(_rate(work))


def _rate(work: Work) -> float:
    started = time.process_time()
    units = work()
    return units / (time.process_time() - started)


def _medians(measures: Mapping[str, Callable[[], float]], rounds: int) -> dict[str, float]:
    found: dict[str, list[float]] = {name: [] for name in measures}
    for _ in range(rounds):
        for name, measure in measures.items():
            found[name].append(measure())
    return {name: median(values) for name, values in found.items()}

"""Measuring ratios: everything in one run, in interleaved rounds, medians compared."""

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
"""Does some work and returns its number of units."""


def costs(contestants: Mapping[str, Work], unit: Work, rounds: int) -> dict[str, tuple[float, float]]:
    """Return each one's cost of a unit: in units of another work, and in seconds of processor time; medians.

    The other work is measured right before and right after: a shared machine changes its speed within seconds.
    """
    for work in contestants.values():
        work()
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in contestants}
    for _ in range(rounds):
        for name, work in contestants.items():
            before, rate, after = _rate(unit), _rate(work), _rate(unit)
            found[name].append(((before + after) / 2 / rate, 1 / rate))
    return {name: (median(r for r, _ in values), median(s for _, s in values)) for name, values in found.items()}


def rates_apart(module: str, names: Sequence[str], rounds: int, processes: int) -> dict[str, float]:
    """Return the median rate of each of a module's `CONTESTANTS`, in units a second, each in its own processes.

    All take turns in every round, so that a busy minute of the machine slows all of them alike. Separate processes are
    for contestants that affect a process: a large rival's use of memory slows everybody in it. A process's memory
    layout makes the same work several percent slower or faster, so each has several.
    """
    context = multiprocessing.get_context("spawn")
    with ExitStack() as stack:
        lines = []
        for name in [*names] * processes:
            here, there = context.Pipe()
            process = context.Process(target=_contend, args=(there, module, name), daemon=True)
            process.start()
            stack.callback(process.join)
            stack.callback(here.close)
            there.close()
            lines.append((name, partial(_ask, here)))
        return _medians(lines, rounds)


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


def _medians(measures: Sequence[tuple[str, Callable[[], float]]], rounds: int) -> dict[str, float]:
    found: dict[str, list[float]] = {name: [] for name, _ in measures}
    for _ in range(rounds):
        for name, measure in measures:
            found[name].append(measure())
    return {name: median(values) for name, values in found.items()}

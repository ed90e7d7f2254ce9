"""Measuring as a ratio: everything in one run, in interleaved rounds, medians compared."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Mapping
from statistics import median

Work = Callable[[], int]
"""Does some work and says how many units it was."""


def rates(contestants: Mapping[str, Work], rounds: int) -> dict[str, float]:
    """The median rate of each contestant in units a second of its own processor time.

    All take turns in every round, so that a busy minute of the machine slows all of them alike.
    """
    found: dict[str, list[float]] = {name: [] for name in contestants}
    for work in contestants.values():
        work()
    # What the rivals have loaded shall not be walked through by everybody's garbage collections.
    gc.collect()
    gc.freeze()
    for _ in range(rounds):
        for name, work in contestants.items():
            started = time.process_time()
            units = work()
            found[name].append(units / (time.process_time() - started))
    return {name: median(values) for name, values in found.items()}

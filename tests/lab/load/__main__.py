"""`python -m tests.lab.load --tables N --seats 4 --watchers W --seconds S [--broker URL]`: a broker under load.

Light clients replay a recorded game at people's pace, thousands of connections from one process; a few real peers play
among them, and their moves are timed before and during the load. Without a broker's address it starts the requested
ones, one after another: `--engine nats`, `--engine mosquitto`, `--nodes 3` for the cluster of the operator's page, or
`--carriers` for three brokers that know nothing of one another and carry each table together. `--hostile H` adds
watchers who try forbidden things, `--kill` kills each node and restarts it.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import resource
import sys
import tempfile
from contextlib import AsyncExitStack
from pathlib import Path
from statistics import quantiles
from time import perf_counter, process_time

from tests.faults.cluster import NAMES
from tests.lab.load.hostile import hostile
from tests.lab.load.light import Crowd, Figures
from tests.lab.load.nodes import Given, Independent, Meter, Nodes, Single, Three
from tests.lab.load.peers import Moves, RealGame, timed_moves
from tests.lab.load.recording import read_recording
from wasabi_tx.net.address import parse_broker_url

SETTLE = 5.0
"""Seconds between the last join and the first figure."""
AWAY = 5.0
"""Seconds for which a killed node is away."""


def percentiles(values: list[float]) -> str:
    """Return the 50th, 95th and 99th percentile, in milliseconds."""
    if len(values) < 2:
        return "-"
    cuts = quantiles(values, n=100, method="inclusive")
    return f"{1000 * cuts[49]:.1f} / {1000 * cuts[94]:.1f} / {1000 * cuts[98]:.1f} ms"


def at(values: list[float], percent: int) -> float:
    return quantiles(values, n=100, method="inclusive")[percent - 1]


def say(name: str, value: object) -> None:
    print(f"  {name:34} {value}", flush=True)


async def load(nodes: Nodes, options: argparse.Namespace) -> bool:
    """Put one broker under the requested load; return whether no player was refused and no game lost."""
    figures, good = Figures(), True
    alone = await _alone(nodes, options)
    crowd = Crowd(nodes.addresses, read_recording(), figures, nodes.carriers)
    try:
        started = perf_counter()
        await crowd.join(options.tables, options.seats, options.watchers)
        each = (perf_counter() - started) / max(1, crowd.up)
        say("tables, watchers, connected", f"{options.tables}, {options.watchers}, {crowd.up}")
        say("joining: a client each; 50 / 95 / 99 %", f"{1000 * each:.1f} ms; {percentiles(figures.joins)}")
        crowd.play()
        await asyncio.sleep(min(SETTLE, options.seconds))
        figures.forget()
        meter = Meter(nodes)
        async with AsyncExitStack() as stack:
            tried = {}
            if options.hostile:
                tried = await stack.enter_async_context(hostile(nodes.addresses[0], options.hostile))
            loaded = await _meanwhile(nodes, options, meter, figures)
            good &= await _games(nodes, options, meter)
        if tried:
            say("hostile watchers tried", ", ".join(f"{name} {count}" for name, count in tried.items()))
        for name, (memory, share) in meter.read().items():
            say(f"{name}: memory, CPU", f"{memory:.0f} MB, {100 * share:.0f} % of a core")
        say("players refused, lost; watchers refused", f"{figures.refused}, {figures.lost}; {figures.watchers_refused}")
        if figures.stalls:
            say("longest absence of a light player", f"{max(figures.stalls):.1f} s")
        await crowd.close()
        if alone is not None and loaded is not None:
            # Half of it is measured before the load and half after: the machine may be busy otherwise by then.
            after = await _alone(nodes, options)
            assert after is not None
            alone = Moves(alone.moves + after.moves, alone.trips + after.trips)
            say("a real move alone, 50 / 95 / 99 %", percentiles(alone.moves))
            say("a real move under load", percentiles(loaded.moves))
            say("bare round trip alone; under load", f"{percentiles(alone.trips)}; {percentiles(loaded.trips)}")
            say("95 % under load / alone", f"{at(loaded.moves, 95) / at(alone.moves, 95):.2f}")
        return good and figures.refused == 0
    finally:
        await crowd.close()


async def _alone(nodes: Nodes, options: argparse.Namespace) -> Moves | None:
    return await timed_moves(nodes.addresses[0], options.moves // 2) if options.moves else None


async def _meanwhile(nodes: Nodes, options: argparse.Namespace, meter: Meter, figures: Figures) -> Moves | None:
    """Let the light clients play for the requested time, with real ones among them."""
    loop = asyncio.get_running_loop()
    started, spent = loop.time(), process_time()
    timing = asyncio.create_task(timed_moves(nodes.addresses[0], options.moves)) if options.moves else None
    while loop.time() < started + options.seconds or (timing is not None and not timing.done()):
        await asyncio.sleep(1)
        meter.read()
    seconds = loop.time() - started
    say("messages a second, in; delivered", f"{figures.published / seconds:.0f}; {figures.copies / seconds:.0f}")
    say("of these the first copies", f"{len(figures.delays) / seconds:.0f}")
    say("CPU of all light clients", f"{100 * (process_time() - spent) / seconds:.0f} % of a core")
    say("published without an answer", figures.published - figures.acknowledged)
    say("delay, 50 / 95 / 99 %", percentiles(figures.delays))
    return None if timing is None else await timing


async def _games(nodes: Nodes, options: argparse.Namespace, meter: Meter) -> bool:
    """Play real games while nodes die, or while watchers are hostile; return whether all of them ended well."""
    if not options.games:
        return True
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryDirectory(prefix="wasabi-load-") as folder:
        games = [
            RealGame(Path(folder) / str(number), nodes.addresses, options.seats, options.pace, nodes.carriers)
            for number in range(options.games)
        ]
        playing = [asyncio.create_task(game.play()) for game in games]
        try:
            if options.kill and isinstance(nodes, Three | Independent):
                for name in NAMES:
                    await asyncio.sleep(AWAY)
                    await nodes.kill_and_restart(name, AWAY)
            while not all(task.done() for task in playing):
                await asyncio.wait(playing, timeout=1)
                meter.read()
            ended = [task.result() for task in playing]
        finally:
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)
    longest = max(game.longest for game in games)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime
    # A broker that was killed is in it, too.
    say("CPU of a real peer in a game", f"{spent / len(games) / options.seats:.1f} s")
    say("real games, settled; longest stall", f"{len(ended)}, {sum(ended)}; {longest:.1f} s")
    return all(ended)


def _nodes(options: argparse.Namespace) -> list[tuple[str, Nodes]]:
    watchers = max(options.watchers, 256)
    if options.broker:
        return [("the given broker", Given(parse_broker_url(options.broker)))]
    if options.carriers:
        return [("three carriers", Independent(watchers))]
    if options.nodes == 3:
        return [("three nodes", Three())]
    return [(kind, Single(kind, watchers)) for kind in options.engine or ["nats"]]


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.lab.load", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--seats", type=int, default=4, choices=(2, 3, 4))
    parser.add_argument("--watchers", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--broker", metavar="URL", help="a broker that runs already")
    parser.add_argument("--engine", action="append", choices=("nats", "mosquitto"), help="may be given twice")
    parser.add_argument("--nodes", type=int, default=1, choices=(1, 3))
    parser.add_argument("--carriers", action="store_true", help="three independent brokers, at which everybody is")
    parser.add_argument("--moves", type=int, default=40, help="real moves to time, before and during the load")
    parser.add_argument("--hostile", type=int, default=0, help="watchers who do everything that they may not")
    parser.add_argument("--games", type=int, default=0, help="real games that must end settled meanwhile")
    parser.add_argument("--pace", type=float, default=0.5, help="seconds that bots of real games think")
    parser.add_argument("--kill", action="store_true", help="kill -9 each node in turn during the games")
    options = parser.parse_args(words)
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    good = True
    for name, nodes in _nodes(options):
        print(f"{name} (load of the machine {os.getloadavg()[0]:.1f})", flush=True)
        try:
            good &= asyncio.run(load(nodes, options))
        finally:
            nodes.stop()
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())

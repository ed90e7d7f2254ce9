"""`wasabi-tx doctor`: where files are stored, and whether this machine, its terminal and a broker are fit to play."""

from __future__ import annotations

import asyncio
import os
import platform
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path
from time import perf_counter
from typing import Any

import click

from ... import __version__
from ...app.machine import broker_address
from ...app.output import echo, emit
from ...app.preferences import texts_for
from ...app.terminal import look_at_terminal, measure_glyphs, speaks_unicode
from ...broker.program import MOSQUITTO, NATS, BrokerFailed, find_program
from ...net.address import Address
from ...store.paths import find_paths
from ...text import Texts
from ...view.online.refusals import say_refusal
from ..options import broker_option

SMALLEST = (80, 24)
GLYPHS = "·★◂►│─●é"
FOLDERS = ("config", "editions", "themes", "games", "log")
"""Folders and files that are listed; WASABI_TX_HOME moves all of them."""

Report = dict[str, Any]


@click.command()
@broker_option
@click.option("--json", "as_json", is_flag=True, help="print one JSON object")
def doctor(broker: str | None, as_json: bool) -> None:
    """Check the terminal, the embedded broker with a test message, and the broker at URL.

    Also list the folders for settings, editions, themes and games, and the log; WASABI_TX_HOME moves all of them.

    Without --broker, check the one in WASABI_TX_BROKER or in the settings, if any. Exit code 1 if a problem would keep
    you from playing.
    """
    texts = Texts("en")
    address = broker_address(broker, texts)
    report: Report = {
        "version": __version__,
        "python": platform.python_version(),
        "system": platform.platform(terse=True),
        "terminal": _look(),
        "folders": _folders(),
        "engines": {name: _engine(name, texts) for name in (NATS, MOSQUITTO)},
    }
    if not as_json:
        # Trying brokers takes seconds.
        echo(f"wasabi-tx {report['version']}, Python {report['python']}, {report['system']}")
    report["embedded"] = asyncio.run(_embedded(texts))
    if address is not None:
        report["broker"] = asyncio.run(_examine(address, texts))
    report["ok"] = all(part.get("ok", True) for part in report.values() if isinstance(part, dict))
    if as_json:
        emit(report)
    else:
        _print(report)
    if not report["ok"]:
        sys.exit(1)


def _look() -> Report:
    terminal = look_at_terminal()
    found: Report = asdict(terminal) | {"language": texts_for(None).language, "glyphs": None}
    problems = []
    if terminal.interactive:
        if terminal.columns < SMALLEST[0] or terminal.rows < SMALLEST[1]:
            problems.append(f"smaller than {SMALLEST[0]} x {SMALLEST[1]}: some panels are left out")
        if not speaks_unicode():
            problems.append(f"it writes {terminal.encoding}, not UTF-8: choose ASCII glyphs in the settings")
        found["glyphs"] = _odd_glyphs()
        if found["glyphs"]:
            odd = ", ".join(f"{glyph} {width}" for glyph, width in found["glyphs"].items())
            problems.append(f"it draws these glyphs in another width than expected: {odd}; choose letters or ASCII")
    return found | {"problems": problems}


def _odd_glyphs() -> dict[str, int] | None:
    """Return glyphs that this terminal draws in an unexpected width; None if it cannot be asked."""
    from rich.cells import cell_len

    from ...engine.editions import PACKAGED, packaged_edition

    emoji = [one.emoji for name in PACKAGED for one in packaged_edition(name).ingredients]
    measured = measure_glyphs(dict.fromkeys([*GLYPHS, *emoji]))
    if measured is None:
        return None
    return {glyph: width for glyph, width in measured.items() if width != cell_len(glyph)}


def _folders() -> Report:
    paths = find_paths()
    wrong = [str(folder) for folder in (paths.config, paths.games) if not _writable(folder)]
    found: Report = {name: str(getattr(paths, name)) for name in FOLDERS} | {"ok": not wrong}
    return found | ({"problem": f"cannot be written to: {', '.join(wrong)}"} if wrong else {})


def _writable(folder: Path) -> bool:
    """Return whether the folder can be written to; if it does not exist yet, its nearest existing parent is checked."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return folder.is_dir() and os.access(folder, os.W_OK)


def _engine(name: str, texts: Texts) -> Report:
    try:
        engine = find_program(name)
    except BrokerFailed as failed:
        # Mosquitto is optional, NATS is part of this program.
        return {"ok": name != NATS, "problem": say_refusal(failed, texts)}
    return {"ok": True, "path": str(engine.path), "version": ".".join(map(str, engine.version))}


async def _embedded(texts: Texts) -> Report:
    """Start the embedded broker on loopback, play through it, and check that a watcher cannot publish."""
    from ...broker.broker import Broker
    from ...net.checkup import examine

    started = perf_counter()
    with tempfile.TemporaryDirectory(prefix="wasabi-doctor-", ignore_cleanup_errors=True) as folder:
        try:
            broker = await Broker.start(Path(folder))
        except BrokerFailed as failed:
            return {"ok": False, "problem": say_refusal(failed, texts)}
        start_ms = round((perf_counter() - started) * 1_000, 1)
        try:
            found = await _examine(broker.address(), texts)
            watcher = await examine([broker.address(watch=True)], patience=0.5)
        finally:
            await broker.stop()
    found |= {"start_ms": start_ms, "watchers_only_watch": not watcher.can_play}
    if watcher.can_play:
        found |= {"ok": False, "problem": "whoever watches can publish: do not use this broker, and report it"}
    return found


async def _examine(address: Address, texts: Texts) -> Report:
    from ...net.checkup import NEEDED, examine

    found = await examine([address])
    report: Report = {"address": str(address), "ok": found.fit}
    if found.lost is not None:
        where = f"{address.host}:{address.port}"
        said = texts.say(f"online.lost.{found.lost.reason}", broker=where)
        return report | {"reason": found.lost.reason, "detail": found.lost.detail, "problem": said}
    report |= {"connect_ms": round(found.connect_ms, 1), "can_play": found.can_play}
    if not found.can_play:
        return report | {"problem": "what is published does not come back: one can watch there, but not play"}
    report |= {
        "round_trip_ms": round(found.round_trip_ms, 2),
        "largest_payload": found.largest,
        "retained": found.retained,
    }
    if found.largest < NEEDED:
        report["problem"] = f"messages of {NEEDED:,} bytes do not pass; games need that"
    elif not found.retained:
        report["problem"] = "it keeps no retained messages: nobody would see an open table"
    return report


def _print(report: Report) -> None:
    terminal = report["terminal"]
    kind = terminal["name"] or "unknown" if terminal["interactive"] else "none: output goes to a file or a pipe"
    size = f"{terminal['columns']} x {terminal['rows']}"
    _line("terminal", f"{kind}, {size}, {terminal['colours']:,} colours")
    _line("locale", f"{terminal['locale'] or 'none'}, {terminal['encoding']}, language {terminal['language']}")
    if terminal["glyphs"] == {}:
        _line("glyphs", "all are drawn as wide as the screen reckons with")
    for problem in terminal["problems"]:
        _line("", problem)
    folders = report["folders"]
    _line("folders", folders.get("problem") or "can be written to", folders["ok"])
    for name in FOLDERS:
        _line(name, folders[name])
    for name, engine in report["engines"].items():
        known = f"{engine.get('version')}, {engine.get('path')}"
        _line(name, engine.get("problem") or known, engine["ok"])
    _line("embedded", _broker_line(report["embedded"]), report["embedded"]["ok"])
    if "broker" in report:
        _line("broker", f"{report['broker']['address']}: {_broker_line(report['broker'])}", report["broker"]["ok"])


def _broker_line(part: Report) -> str:
    words = []
    if "start_ms" in part:
        words.append(f"up in {part['start_ms']} ms")
    if "connect_ms" in part:
        words.append(f"connected in {part['connect_ms']} ms")
    if "round_trip_ms" in part:
        words.append(f"round trip {part['round_trip_ms']} ms")
        words.append(f"payloads of {part['largest_payload']:,} bytes")
        words.append("keeps retained messages" if part["retained"] else "keeps nothing")
    if part.get("watchers_only_watch"):
        words.append("watchers only watch")
    facts = ", ".join(words)
    return "; ".join(text for text in (facts, part.get("problem")) if text)


def _line(name: str, text: str, ok: bool | None = None) -> None:
    mark = {True: "ok   ", False: "WRONG", None: "     "}[ok]
    echo(f"{mark} {name:10} {text}")

"""The record of the person at this machine, from the finished games and the puzzles that are saved here."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict
from datetime import timedelta
from pathlib import Path
from typing import Any

from ..engine.edition import EditionError
from ..engine.editions import PACKAGED, packaged_edition
from ..engine.toml_text import read_json
from ..games.finished import Cooked, FinishedGame, FinishedSeat, finished_game
from ..lessons.progress import Progress, parse_progress
from ..puzzles.judge import star_line, streak, today
from ..store.games import list_games
from ..store.identity import known_seed
from ..store.paths import Paths
from ..store.progress import read_progress
from ..store.record_memory import read_memory, stamp_of, write_memory
from ..store.transcripts import LONGEST, list_transcripts, read_ends
from ..store.user_files import find_edition, user_editions
from ..text import Texts
from ..view.record import PuzzleDays, Record, record_of
from .preferences import own_name


def read_finished(path: Path) -> FinishedGame | None:
    """Return a local game if it is over and whole."""
    with suppress(OSError):
        return finished_game(*read_ends(path), own_name() or "")
    return None


def finished_games(paths: Paths) -> list[FinishedGame]:
    """Return every game that is over, in no particular order; damaged ones are left out."""
    own, found = own_name() or "", []
    for path in list_transcripts(paths.games):
        with suppress(OSError):
            found.append(finished_game(*read_ends(path), own))
    return [*(game for game in found if game is not None), *_finished_online(paths)]


def _finished_online(paths: Paths) -> list[FinishedGame]:
    """Return the finished games at tables online; each file is read once, and again when it has changed."""
    files = {path.name: path for path in list_games(paths.games)}
    if not files:
        return []
    memory = parse_memory(read_memory(paths.games))
    kept: dict[str, tuple[str, FinishedGame | None]] = {}
    for name, path in files.items():
        with suppress(OSError):
            stamp, known = stamp_of(path), memory.get(name)
            kept[name] = known if known is not None and known[0] == stamp else (stamp, _read_online(path, paths))
    if kept != memory:
        write_memory(paths.games, format_memory(kept))
    return [game for _, game in kept.values() if game is not None]


def _read_online(path: Path, paths: Paths) -> FinishedGame | None:
    from ..online.replayed import finished_online

    return finished_online(path, known_seed(paths.config))


def format_memory(games: Mapping[str, tuple[str, FinishedGame | None]]) -> str:
    return json.dumps({name: [stamp, game and asdict(game)] for name, (stamp, game) in games.items()})


def parse_memory(text: str) -> dict[str, tuple[str, FinishedGame | None]]:
    """Return the cached result of each file; nothing if any is damaged, since all of it can be computed again."""
    try:
        known = read_json(text, LONGEST) if text else {}
        return {str(name): (str(stamp), _game(raw)) for name, (stamp, raw) in known.items()}
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        return {}


def _game(raw: Any) -> FinishedGame | None:
    if raw is None:
        return None
    seats = tuple(
        FinishedSeat(
            str(seat["name"]),
            bool(seat["bot"]),
            int(seat["score"]),
            None,
            tuple(Cooked(str(one["recipe"])) for one in seat["cooked"]),
        )
        for seat in raw["seats"]
    )
    you = raw["you"]
    return FinishedGame(str(raw["edition"]), seats, None if you is None else range(len(seats))[int(you)])


def find_record(paths: Paths, texts: Texts) -> Record:
    """Return the record; one without games where nothing can be read."""
    editions = {name: packaged_edition(name) for name in PACKAGED}
    games: list[FinishedGame] = []
    progress = Progress()
    with suppress(OSError):
        games = finished_games(paths)
    with suppress(OSError):
        progress = parse_progress(read_progress(paths.config))
    for name in user_editions(paths.editions):
        with suppress(EditionError, OSError):
            edition = find_edition(name, paths.editions)
            if any(game.edition == edition.id for game in games):
                editions[edition.id] = edition
    return record_of(games, editions, puzzle_days(progress), texts)


def puzzle_days(progress: Progress) -> PuzzleDays:
    day = (today() - timedelta(days=1)).isoformat()
    stars = [stars for name, stars in progress.puzzles.items() if name.split(" ")[-1] == day]
    return PuzzleDays(streak(progress, today()), star_line(max(stars)) if stars else "")

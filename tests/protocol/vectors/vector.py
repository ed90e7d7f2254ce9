"""Vectors and the files that contain them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Input = Mapping[str, Any]
Output = dict[str, Any]
FOLDER = Path(__file__).parents[3] / "protocol" / "vectors"


@dataclass(frozen=True)
class Vector:
    """One case: an input and the result every client must reach."""

    id: str
    kind: str
    comment: str
    input: Input
    code: str | None = None
    blames: int | None = None
    flags: tuple[str, ...] = ()

    @property
    def result(self) -> str:
        return "valid" if self.code is None else "invalid"


@dataclass(frozen=True)
class Book:
    """One file of vectors; `games` and `tables` are recordings that vectors of any file refer to by name."""

    name: str
    comment: str
    vectors: Sequence[Vector]
    games: Mapping[str, Any] = field(default_factory=dict)
    tables: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Recordings:
    """Every recorded game and every recorded table of sealed decks, by name."""

    games: Mapping[str, Any]
    tables: Mapping[str, Any]


@dataclass(frozen=True)
class Judged:
    """Our code's verdict on an input."""

    code: str | None
    blames: int | None = None
    output: Output | None = None

    @property
    def result(self) -> str:
        return "valid" if self.code is None else "invalid"


def hexed(value: object) -> Any:
    """Convert a value for JSON: bytes to {"hex": ...}, tuples to lists."""
    if isinstance(value, bytes):
        return {"hex": value.hex()}
    if isinstance(value, dict):
        return {name: hexed(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [hexed(item) for item in value]
    return value


def pairs(items: Sequence[tuple[bytes, bytes]]) -> list[list[str]]:
    """Return keys and envelopes in hex."""
    return [[key.hex(), envelope.hex()] for key, envelope in items]


def from_pairs(items: Sequence[Sequence[str]]) -> list[tuple[bytes, bytes]]:
    """Return keys and envelopes from hex."""
    return [(bytes.fromhex(key), bytes.fromhex(envelope)) for key, envelope in items]


def entry_of(vector: Vector, judged: Judged) -> Output:
    """Return a vector as its file stores it: the maker's expectation, and the resulting values."""
    made: Output = {"id": vector.id, "kind": vector.kind, "comment": vector.comment, "flags": list(vector.flags)}
    made |= {"input": dict(vector.input), "result": vector.result}
    if vector.code is not None:
        made["code"] = vector.code
    if vector.blames is not None:
        made["blames"] = vector.blames
    if judged.output is not None:
        made["output"] = judged.output
    return made


def read_file(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def read_recordings(folder: Path = FOLDER) -> Recordings:
    """Return the recordings of all files."""
    games: dict[str, Any] = {}
    tables: dict[str, Any] = {}
    for path in sorted(folder.glob("*.json")):
        found = read_file(path)
        games |= found.get("games", {})
        tables |= found.get("tables", {})
    return Recordings(games, tables)

"""All books of vectors, from fixed secrets: the same bytes in every run."""

from __future__ import annotations

import json

from tests.protocol.vectors import (
    make_bytes,
    make_decks,
    make_doings,
    make_games,
    make_group,
    make_knocks,
    make_meetings,
    make_places,
    make_positions,
    make_proofs,
    make_tables,
)
from tests.protocol.vectors.judge import judge
from tests.protocol.vectors.vector import Book, Judged, Recordings, Vector, entry_of


class Surprise(Exception):
    """Our code's verdict on a vector differs from its maker's."""


def all_books() -> list[Book]:
    early = (make_bytes, make_tables, make_places, make_meetings, make_knocks, make_doings)
    makers = (*early, make_group, make_proofs, make_decks, make_games, make_positions)
    return [book for maker in makers for book in maker.books()]


def _check(vector: Vector, judged: Judged) -> None:
    if (judged.code, judged.blames) != (vector.code, vector.blames):
        raise Surprise(f"{vector.id}: {judged.code}, seat {judged.blames}; not {vector.code}, seat {vector.blames}")


def _entry(vector: Vector, recordings: Recordings) -> dict[str, object]:
    judged = judge(vector.kind, vector.input, recordings)
    _check(vector, judged)
    return entry_of(vector, judged)


def files() -> dict[str, str]:
    """Return the text of every file, by name."""
    books = all_books()
    games = {name: game for book in books for name, game in book.games.items()}
    tables = {name: table for book in books for name, table in book.tables.items()}
    recordings = Recordings(games, tables)
    return {f"{book.name}.json": _text(book, recordings) for book in books}


def _text(book: Book, recordings: Recordings) -> str:
    made: dict[str, object] = {"format": "wasabi vectors 1", "comment": book.comment}
    if book.games:
        made["games"] = book.games
    if book.tables:
        made["tables"] = book.tables
    made["vectors"] = [_entry(vector, recordings) for vector in book.vectors]
    return json.dumps(made, indent=1) + "\n"

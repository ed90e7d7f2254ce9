"""Progress: what was saved is restored, and a damaged file is never fatal."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wasabi_tx.bots.level_names import LEVEL_NAMES
from wasabi_tx.engine.toml_text import LARGEST
from wasabi_tx.lessons.progress import LastGame, Progress, format_progress, parse_progress

LAST = st.builds(
    LastGame, st.text(), st.lists(st.text(), min_size=1, max_size=3).map(tuple), st.sampled_from(LEVEL_NAMES)
)
NUMBERS = st.integers(-LARGEST, LARGEST)


@given(st.frozensets(st.text()), st.dictionaries(st.text(), NUMBERS), st.none() | LAST, st.frozensets(st.text()))
def test_what_was_kept_comes_back(
    learned: frozenset[str], lessons: dict[str, int], last: LastGame | None, noted: frozenset[str]
) -> None:
    progress = Progress(learned, lessons, last, noted)
    assert parse_progress(format_progress(progress)) == progress


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "7",
        '{"learned": 3, "lessons": []}',
        "[" * 100_000,
        '{"last": ["x", 4, "easy"]}',
        '{"last": ["x", ["", "", "", ""], "easy"]}',
        '{"last": ["x", [4], "easy"]}',
    ],
)
def test_what_cannot_be_is_forgotten(text: str) -> None:
    assert parse_progress(text) == Progress()


def test_the_rest_holds() -> None:
    text = json.dumps({"learned": ["classic", 4], "lessons": {"classic": 3, "master": "x", "other": True}, "more": 1})
    assert parse_progress(text) == Progress(frozenset({"classic"}), {"classic": 3})

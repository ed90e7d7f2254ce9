"""The people in a waiting room: of any messages, in any order and however often, only new ones count."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from wasabi_protocol.signed.messages import Doing

from wasabi_tx.online.client.room_runs import MOST_KEYS, RoomRuns

KEY = b"k" * 32
WORDS = st.builds(
    lambda run, n, what: Doing("a" * 26, KEY, bytes([run]) * 16, n, 0, what),
    st.integers(1, 4),
    st.integers(0, 6),
    st.sampled_from(["", "gone"]),
)


@given(st.lists(WORDS, max_size=40))
def test_no_word_counts_twice(words: list[Doing]) -> None:
    runs = RoomRuns()
    counted = [word for word in words if runs.is_new(KEY, word)]
    assert len(counted) == len(set(counted))
    assert not any(runs.is_new(KEY, word) for word in words if word in counted)


@given(st.lists(WORDS, max_size=40))
def test_a_goodbye_ends_the_run_that_was_heard_last_and_no_run_begins_twice(words: list[Doing]) -> None:
    runs = RoomRuns()
    here, seen = b"", list[bytes]()
    for word in words:
        if not runs.is_new(KEY, word):
            continue
        if word.what == "gone":
            assert word.run == here
            here = b""
        elif word.run != here:
            assert word.run not in seen
            seen.append(word.run)
            here = word.run


def test_strangers_take_bounded_room() -> None:
    runs = RoomRuns()
    for number in range(3 * MOST_KEYS):
        runs.is_new(number.to_bytes(32, "big"), Doing("a" * 26, KEY, bytes(16), 1, 0, ""))
    assert len(runs._heard) == MOST_KEYS

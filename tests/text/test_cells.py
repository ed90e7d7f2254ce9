"""Texts cut and wrapped to the cells of a terminal."""

from __future__ import annotations

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from wasabi_tx.text.cells import cut, fit, wrap

TEXT = st.text(st.sampled_from("abc  寿司é\u0301-\u00a0🍣"), max_size=60)


@given(TEXT, st.integers(2, 30), st.integers(0, 10))
def test_nothing_is_wider_than_its_room_and_nothing_is_lost(text: str, width: int, used: int) -> None:
    lines = wrap(text, width, used=used)
    assert lines
    assert all(cell_len(line) <= width for line in lines[1:])
    assert cell_len(lines[0]) <= max(2, width - used)
    assert "".join("".join(lines).split()) == "".join(text.split())


@given(st.text(st.sampled_from("abc  -\u00a0"), max_size=60), st.sampled_from(["", "  "]))
def test_narrow_letters_are_wrapped_as_the_standard_library_does(text: str, indent: str) -> None:
    words = " ".join(word[:9] for word in text.rstrip().split(" "))
    expected = textwrap.wrap(words, 14, subsequent_indent=indent, break_on_hyphens=False) or [""]
    assert wrap(words, 14, indent) == [line.replace("\u00a0", " ") for line in expected]


def test_a_wide_line_is_shown_whole() -> None:
    said = "寿司を食べましょう" * 10
    lines = wrap(said, 20)
    assert "".join(lines) == said
    assert all(cell_len(line) <= 20 for line in lines)


@given(TEXT, st.integers(0, 30))
def test_a_text_is_cut_and_filled_to_its_room(text: str, width: int) -> None:
    assert cell_len(fit(text, width)) == width
    assert cell_len(cut(text, width)) <= width


@pytest.mark.parametrize(
    ("width", "shown"), [(0, ""), (1, "…"), (4, "寿…"), (5, "寿司…"), (6, "寿司…"), (8, "寿司寿司")]
)
def test_what_was_cut_says_so(width: int, shown: str) -> None:
    assert cut("寿司寿司", width) == shown

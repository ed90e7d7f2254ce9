"""Styled text: lines that do not fit go on below the beginning of their last part."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from wasabi_tx.tui.spans import Line, Span, hang, line_width, text_of

WORDS = st.lists(st.sampled_from(("a", "be", "sea", "tuna", "squid", "寿司", "yellowtail")), min_size=1, max_size=20)


@given(WORDS, st.integers(0, 30), st.integers(12, 60))
def test_no_word_is_lost_and_no_row_is_too_wide(words: list[str], lead: int, width: int) -> None:
    line: Line = (Span("k" * lead, "key"), Span(" ".join(words), "text")) if lead else (Span(" ".join(words)),)
    rows = hang(line, width)
    assert "".join(text_of(rows).split()) == "k" * lead + "".join(words)
    if lead <= width:
        assert all(line_width(row) <= width for row in rows)


def test_what_does_not_fit_goes_on_below_its_beginning() -> None:
    rows = hang((Span("Enter  ", "key"), Span("does what the green button says")), 24)
    assert text_of(rows).splitlines() == ["Enter  does what the", "       green button says"]
    rows = hang((Span("  tokens: 2×4 3×3   cards: Ch"),), 20)
    assert text_of(rows).splitlines() == ["  tokens: 2×4 3×3", "  cards: Ch"]
    rows = hang((Span("Bartholomew the Great "), Span("12 in all")), 24)
    assert text_of(rows).splitlines() == ["Bartholomew the Great", "  12 in all"]
    assert hang((), 10) == [()]

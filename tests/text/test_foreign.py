"""Foreign text is made harmless, and harmless text is unchanged."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wasabi_tx.text.foreign import LINE, clean, harmless, harmless_lines

OBEYED = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Ana", "Ana"),
        ("  Zoë \t Maria ", "Zoë Maria"),
        ("[/bad] [bold]x[/]", "[/bad] [bold]x[/]"),
        ("a\x1b[31mb", "a [31mb"),
        ("\x1b]0;title\x07x", "]0;title x"),
        ("\x9b2Jx\x9d52;c;aGk=\x9c", "2Jx 52;c;aGk="),
        ("\u202eevil\u202c \u2066left\u2069\u200f", "evil left"),
        ("a\u200bb\u200dc\ufeffd\u2060\U000e0041", "abcd"),
        ("❤\ufe0f1\u20e3", "❤1"),
        ("\u3164\u2800\u115f", ""),
        ("one\ntwo\r\nthree\u2028four", "one two three four"),
        ("\ue000\udc80\U000f0000x", "x"),
        ("e\u0301", "é"),
        ("z\u0300\u0301\u0302\u0303", "z\u0300\u0301"),
        ("\u0301a \u0301b", "a b"),
        ("ที่นี่", "ที่นี่"),
        ("寿司 🍣", "寿司 🍣"),
    ],
)
def test_what_is_left_of_a_value(text: str, shown: str) -> None:
    assert clean(text) == shown


@given(
    st.text() | st.text(st.sampled_from("e\u0301\u0323\u0344\u200d\u2060 \x1b[1mᄀ\u1161\u20e3\ufb1d")),
    st.integers(1, 30),
)
def test_a_clean_value_is_short_visible_and_stays_what_it_is(text: str, longest: int) -> None:
    shown = clean(text, longest)
    assert len(shown) <= longest
    assert shown.isprintable()
    assert clean(shown, longest) == shown


def test_a_value_costs_no_more_than_its_limit() -> None:
    assert clean("x" * 10_000_000) == "x" * LINE


@given(st.text())
def test_a_harmless_line_holds_nothing_that_a_terminal_obeys(text: str) -> None:
    assert not [char for char in harmless(text) if unicodedata.category(char) in OBEYED]
    assert not [char for char in harmless_lines(text) if char != "\n" and unicodedata.category(char) in OBEYED]
    assert harmless(harmless(text)) == harmless(text)


@given(st.text(st.characters(categories=["L", "M", "N", "P", "S", "Zs"])))
def test_a_line_that_was_harmless_is_not_touched(line: str) -> None:
    assert harmless(line) == line


def test_lines_keep_their_shape() -> None:
    assert harmless_lines("a   b\n  \x1b[2Jc\u00a0d\n") == "a   b\n   [2Jc\u00a0d\n"

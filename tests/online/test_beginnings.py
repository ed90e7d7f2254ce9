"""A typed prefix of a table's name leads to that table, or to none."""

from __future__ import annotations

import pytest

from wasabi_tx.online.beginnings import SHOWN, SeveralTables, table_beginning

TABLES = ("abcdefgh", "abcdefgi", "abcdex", "b", "bc")


@pytest.mark.parametrize(
    ("beginning", "table"),
    [("abcdefgh", "abcdefgh"), ("abcdex", "abcdex"), ("b", "b"), ("bc", "bc"), ("c", None), ("abcdefghi", None)],
)
def test_a_name_or_a_beginning_that_only_one_has_leads_there(beginning: str, table: str | None) -> None:
    assert table_beginning(beginning, TABLES) == table


def test_a_beginning_of_several_is_refused_with_as_much_as_tells_them_apart() -> None:
    with pytest.raises(SeveralTables) as several:
        table_beginning("abc", TABLES)
    assert several.value.beginnings == ("abcdefgh", "abcdefgi", "abcdex")
    for beginning in several.value.beginnings:
        assert table_beginning(beginning, TABLES) == beginning


def test_of_a_crowd_a_few_are_named() -> None:
    several = SeveralTables([f"abcdef{number:04}" for number in range(1000)])
    assert len(several.beginnings) == SHOWN

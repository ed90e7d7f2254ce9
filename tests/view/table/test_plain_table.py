"""The table in plain lines: the meaning of codes."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from wasabi_tx.engine.editions import PACKAGED, packaged_edition
from wasabi_tx.text import LANGUAGES, Texts
from wasabi_tx.view.table.plain_table import tile_lines


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", PACKAGED)
def test_every_tile_has_its_name_and_where_wanted_its_japanese_one(name: str, language: str) -> None:
    edition = packaged_edition(name)
    plain, book = tile_lines(edition, Texts(language), 72), tile_lines(edition, Texts(language), 72, japanese=True)
    for one in edition.ingredients:
        assert f"{one.code} {one.names[language]}" in " ".join(" ".join(plain).split())
        assert one.japanese in "".join(book)
        assert one.japanese not in "".join(plain)
    assert max(map(cell_len, book)) <= 72, "two cells for each of these letters"

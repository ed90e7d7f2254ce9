"""Readable colours, and the pairs in each theme that look alike with a colour-vision deficiency."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.view.colour_laws import LEAST_CONTRAST, confusable
from wasabi_tx.app.colour import contrast, ink_on
from wasabi_tx.app.theme import Theme, ThemeError, parse_theme
from wasabi_tx.engine.editions import PACKAGED, packaged_edition
from wasabi_tx.store.user_files import find_themes, read_theme

NOWHERE = Path("nowhere")
THEMES = {name: parse_theme(name, read_theme(path)) for name, path in find_themes(NOWHERE).items()}
SHIPPED = {"omakase", "hinoki", "izakaya", "washi", "high-contrast", "monochrome", "natural", "terminal"}
INKS = ("text", "muted", "accent", "good", "warning", "error")
CONFUSED = {"omakase": 21, "hinoki": 22, "izakaya": 0, "washi": 0, "high-contrast": 0, "natural": 2}
"""Number of pairs of tile colours that look alike to some eyes. Omakase and Hinoki give each ingredient its own colour:
code and name settle what eyes do not, and the pairs stay above the limit below.
"""
CLOSEST = {"omakase": 1, "hinoki": 0}
"""Number of pairs closer than ten to some eyes: Shrimp and Tempura, to those who see no blue."""


def hex_themes() -> list[Theme]:
    return [theme for theme in THEMES.values() if theme.base and theme.base["text"].startswith("#")]


def test_eight_themes_are_shipped() -> None:
    assert set(THEMES) == SHIPPED


@pytest.mark.parametrize("theme", hex_themes(), ids=lambda theme: theme.id)
def test_every_ink_of_a_theme_reads_on_its_grounds(theme: Theme) -> None:
    for ground in ("background", "surface", "panel"):
        for ink in INKS:
            assert contrast(theme.base[ink], theme.base[ground]) >= LEAST_CONTRAST, (ink, ground)


@pytest.mark.parametrize("theme", hex_themes(), ids=lambda theme: theme.id)
@pytest.mark.parametrize("edition", PACKAGED)
def test_every_tile_has_a_ground_on_which_its_ink_reads(theme: Theme, edition: str) -> None:
    for ingredient in packaged_edition(edition).ingredients:
        ground = theme.tile_ground(ingredient.code, ingredient.category)
        ink = theme.tile_ink(ingredient.code, ingredient.category)
        assert ground is not None
        assert ink is not None
        assert contrast(ink, ground) >= LEAST_CONTRAST, ingredient.code


@pytest.mark.parametrize("theme", hex_themes(), ids=lambda theme: theme.id)
def test_the_count_of_confusable_tile_colours_is_known(theme: Theme) -> None:
    assert len(confusable(list(theme.tiles.values()))) == CONFUSED[theme.id]


@pytest.mark.parametrize("theme", CLOSEST)
def test_themes_with_a_colour_for_each_ingredient_keep_them_apart(theme: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.view.colour_laws.CONFUSABLE", 10.0)
    assert len(confusable(list(THEMES[theme].tiles.values()))) == CLOSEST[theme]
    for edition in PACKAGED:
        assert all(one.code in THEMES[theme].tiles for one in packaged_edition(edition).ingredients)


def test_ink_is_the_better_of_black_and_white() -> None:
    assert ink_on("#ffffff") == "#000000"
    assert ink_on("#117733") == "#ffffff"


def test_a_theme_falls_back_from_code_to_category() -> None:
    theme = THEMES["izakaya"]
    assert theme.tile_ground("Ma", "base") != theme.tile_ground("Ri", "base")
    assert theme.tile_ground("Tu", "fish") == theme.tiles["fish"]
    assert theme.tile_ground("Zz", "nothing") is None


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("name = ", "TOML"),
        ("dark = true", "name"),
        ('name = {en = "A", it = "A"}\ndark = 1', "dark"),
        ('name = {en = "A", it = "A"}\nglyphs = "runes"', "glyphs"),
        ('name = {en = "A", it = "A"}\n[base]\ntext = "#fff"', "base.text"),
        ('name = {en = "A", it = "A"}\n[base]\ntxet = "#ffffff"', "base.txet"),
        ('name = {en = "A", it = "A"}\n[tiles]\nRi = 3', "tiles.Ri"),
        ('name = {en = "A", it = "A"}\nbase = 3', "base"),
        ('name = {en = "A", it = "A"}\nfont = "big"', "font"),
    ],
)
def test_a_broken_theme_names_its_place(text: str, where: str) -> None:
    with pytest.raises(ThemeError) as caught:
        parse_theme("mine", text)
    assert caught.value.where == where


def test_a_users_theme_takes_the_place_of_a_shipped_one(tmp_path: Path) -> None:
    mine = tmp_path / "washi.toml"
    mine.write_text('name = {en = "Mine", it = "Mio"}')
    assert find_themes(tmp_path)["washi"] == mine

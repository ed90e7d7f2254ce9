"""Feats: what makes a completed recipe stand out is counted from what its seat has completed."""

from __future__ import annotations

import pytest

from wasabi_tx.engine.editions import packaged_edition
from wasabi_tx.engine.position import Claimed
from wasabi_tx.text import LANGUAGES, Texts
from wasabi_tx.view.log.feat import Feat, feat_of, feat_words


def claims(edition: str, *wanted: tuple[int, bool]) -> list[Claimed]:
    """Return recipes of these lengths, completed with style or without; each is another one."""
    recipes = packaged_edition(edition).recipes
    found: list[Claimed] = []
    for length, styled in wanted:
        taken = {one.recipe for one in found}
        number = next(n for n, one in enumerate(recipes) if one.length == length and n not in taken)
        found.append(Claimed(number, recipes[number].style if styled else 0))
    return found


@pytest.mark.parametrize("edition", ["classic", "master"])
@pytest.mark.parametrize(
    ("completed", "feat"),
    [
        ([(3, True)], Feat()),
        ([(3, True), (3, True)], Feat(in_a_row=2)),
        ([(3, False), (3, True), (3, True)], Feat(in_a_row=2)),
        ([(3, True), (3, False), (3, True)], Feat()),
        ([(3, True), (2, True), (3, True), (3, True)], Feat(in_a_row=3)),
        ([(3, True), (3, True), (2, True)], Feat()),
        ([(3, True), (3, True), (3, False)], Feat()),
        ([(4, False)], Feat(first_of=4)),
        ([(4, False), (4, False)], Feat()),
        ([(4, False), (5, False)], Feat(first_of=5)),
        ([(3, True), (4, True)], Feat(in_a_row=2, first_of=4)),
    ],
)
def test_style_in_a_row_and_the_first_long_recipe_are_feats(
    edition: str, completed: list[tuple[int, bool]], feat: Feat
) -> None:
    assert feat_of(packaged_edition(edition), claims(edition, *completed)) == feat


def test_the_tenth_token_is_the_greatest_feat() -> None:
    edition = packaged_edition("classic")
    lengths = [token.length for token in edition.tokens for _ in range(token.count)]
    claimed = claims("classic", *((length, False) for length in reversed(lengths)))
    assert [feat_of(edition, claimed[: count + 1]).last_token for count in range(10)] == [0] * 9 + [10]
    last = feat_of(edition, claimed)
    assert last.grade == 3
    assert "10" in feat_words(last, Texts("en"))
    master = packaged_edition("master")
    assert feat_of(master, claims("master", *((3, False) for _ in range(10)))).last_token == 0, "it has no tokens"


def test_grades_grow_with_the_row_and_with_the_length() -> None:
    rows = [Feat(in_a_row=count).grade for count in (0, 2, 3, 4, 9)]
    assert rows == [0, 1, 2, 3, 3]
    assert Feat().grade < Feat(first_of=4).grade < Feat(first_of=5).grade <= Feat(in_a_row=2, first_of=5).grade == 3


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_feat_has_words_and_a_usual_recipe_none(language: str) -> None:
    texts = Texts(language)
    told = {feat_words(one, texts) for one in (Feat(2), Feat(3), Feat(0, 4), Feat(0, 5), Feat(2, 5, 10))}
    assert len(told) == 5
    assert "" not in told
    assert feat_words(Feat(), texts) == ""

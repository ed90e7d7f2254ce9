"""Unsent steps: what was chosen, what comes next, undo."""

from __future__ import annotations

import pytest

from tests.games.seeded import SeededGame
from wasabi_tx.engine.editions import PACKAGED, rules_for
from wasabi_tx.engine.errors import Illegal, RulesError
from wasabi_tx.engine.observe import observe
from wasabi_tx.engine.position_text import parse_position
from wasabi_tx.engine.step import Step
from wasabi_tx.games.draft import Draft

ONE_TILE_FROM_TWO_RECIPES = """\
position: classic, 2 players
turn: 9, seat 1, play, first 1
board:
     a      b      c      d      e
1    .      .      .      .      .
2    .      Tu     .      Te     .
3    .      .      .      .      .
4    .      .      .      .      .
5    .      .      .      .      .
6    .      .      .      .      .
seat 1 | tiles Ma Av Cu | cards - | recipes tekkamaki crunchy-tuna
seat 2 | tiles Sa Te To | cards Ch | recipes 3.5 3.6 3.7
"""


def draft_of(text: str) -> Draft:
    rules, position, faces = parse_position(text, rules_for)
    return Draft(observe(rules, position, position.mover, faces))


def add(draft: Draft, text: str) -> None:
    for step in draft.observation.rules.parse(text):
        draft.add(step)


def kinds(draft: Draft) -> list[str]:
    return [("" if slot.step is None else "✓") + slot.kind for slot in draft.slots()]


def test_the_slots_of_a_turn_fill_from_left_to_right() -> None:
    draft = draft_of(ONE_TILE_FROM_TWO_RECIPES)
    assert kinds(draft) == ["place", "tile", "recipe", "send"]
    add(draft, "place Ma c2")
    assert kinds(draft) == ["✓place", "tile", "recipe", "send"]
    claim = next(step for step in draft.claims() if draft.observation.faces[step.args[0]] == step.args[1])
    draft.add(claim)
    assert kinds(draft) == ["✓place", "✓claim", "card", "tile", "recipe", "send"]
    add(draft, "take Sp")
    add(draft, "tile Ri")
    add(draft, "draw 3")
    assert kinds(draft) == ["✓place", "✓claim", "✓card", "✓tile", "✓recipe", "send"]
    assert draft.complete


def test_a_choice_of_the_next_part_ends_the_present_one_with_it() -> None:
    draft = draft_of(ONE_TILE_FROM_TWO_RECIPES)
    add(draft, "place Ma c2; tile Ri")
    assert [step.verb for step in draft.steps] == ["place", "done", "tile"]
    assert draft.undo()
    assert [step.verb for step in draft.steps] == ["place"]


def test_completions_are_offered_before_they_are_lost() -> None:
    draft = draft_of(ONE_TILE_FROM_TWO_RECIPES)
    assert draft.claims() == []
    add(draft, "place Ma c2")
    assert {draft.observation.rules.edition.recipes[step.args[1]].id for step in draft.claims()} == {
        "tekkamaki",
        "crunchy-tuna",
    }


def test_an_illegal_choice_leaves_the_draft_as_it_was() -> None:
    draft = draft_of(ONE_TILE_FROM_TWO_RECIPES)
    add(draft, "place Ma c2")
    before = draft.steps, draft.position
    for text in ("place Av b2", "place Av d4", "draw 2", "pass"):
        with pytest.raises(RulesError):
            add(draft, text)
        assert (draft.steps, draft.position) == before


def test_nothing_is_added_to_a_complete_draft_and_undo_opens_it_again() -> None:
    draft = draft_of(ONE_TILE_FROM_TWO_RECIPES)
    add(draft, "place Ma a1; tile Ri; draw 2")
    assert draft.complete
    assert draft.legal() == []
    with pytest.raises(Illegal, match="bundle-full"):
        add(draft, "draw 2")
    assert draft.undo()
    assert not draft.complete
    with pytest.raises(Illegal, match="bundle-too-short"):
        draft.bundle()
    draft.clear()
    assert draft.steps == ()
    assert not draft.undo()


@pytest.mark.parametrize("edition", PACKAGED)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_complete_draft_is_a_bundle_that_the_rules_accept(edition: str, players: int) -> None:
    game = SeededGame(rules_for(edition, players), f"draft {players}")
    while game.position.outcome is None:
        if game.deal() is not None:
            continue
        draft = game.draft()
        after = game.rules.apply_bundle(game.position, draft.bundle())
        assert game.rules.digest(after) == game.rules.digest(draft.position)
        game.position = after


@pytest.mark.parametrize("edition", PACKAGED)
def test_undo_walks_back_through_every_preview(edition: str) -> None:
    game = SeededGame(rules_for(edition, 3), "undo")
    for _ in range(60):
        if game.deal() is not None:
            continue
        draft = game.draft()
        game.position = draft.position
        seen = [draft.steps]
        while draft.undo():
            assert len(draft.steps) < len(seen[-1])
            assert seen[-1][: len(draft.steps)] == draft.steps
            seen.append(draft.steps)
        assert draft.steps == ()


def test_a_preview_shows_no_face_that_its_author_does_not_know() -> None:
    draft = draft_of(ONE_TILE_FROM_TWO_RECIPES)
    add(draft, "place Ma a1; tile Ri; draw 2")
    drawn = draft.position.seats[0].recipes[-1]
    assert drawn not in draft.observation.faces
    assert Step("draw", (2,)) == draft.steps[-1]

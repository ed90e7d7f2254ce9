"""Bots know what a player may know, and neither hidden cards nor set order influence them."""

from __future__ import annotations

import os
import random
import subprocess
import sys

import pytest

from tests.bots.games import BUDGET, walk
from wasabi_tx.bots.levels import GREEDY, KINDS, LEVELS, find_bot
from wasabi_tx.bots.reason import CODES
from wasabi_tx.engine.editions import PACKAGED
from wasabi_tx.engine.observe import observe
from wasabi_tx.engine.sealed_card import Card, deck_of

NAMES = [*KINDS, *LEVELS]


def otherwise_hidden(faces: dict[Card, int], known: dict[Card, int], claimed: set[int], seed: int) -> dict[Card, int]:
    """Return the same faces where the player knows them, and others of the same length everywhere else."""
    rng, other = random.Random(seed), dict(faces)
    for deck in sorted({deck_of(card) for card in faces}):
        cards = [card for card in sorted(faces) if deck_of(card) == deck and card not in known]
        cards = [card for card in cards if faces[card] not in claimed]
        shown = [faces[card] for card in cards]
        rng.shuffle(shown)
        other.update(zip(cards, shown, strict=True))
    return other


@pytest.mark.parametrize("edition", PACKAGED)
@pytest.mark.parametrize("name", NAMES)
def test_games_that_differ_in_hidden_cards_only_get_the_same_bundles(name: str, edition: str) -> None:
    bot, differed = find_bot(name), 0
    for seed, moment in enumerate(walk(edition, [find_bot("greedy"), find_bot("random")], seed=5)):
        seen = moment.seen
        claimed = {done.recipe for seat in seen.position.seats for done in seat.claimed}
        other = otherwise_hidden(moment.faces, seen.faces, claimed, seed)
        differed += other != moment.faces
        again = observe(seen.rules, seen.position, seen.seat, other)
        assert again == seen
        if seed % 3 == 0:
            assert bot.choose(seen, random.Random(1), BUDGET) == bot.choose(again, random.Random(1), BUDGET)
    assert differed > 10


@pytest.mark.grid
@pytest.mark.parametrize("edition", PACKAGED)
@pytest.mark.parametrize("name", NAMES)
def test_the_same_observation_and_generator_give_the_same_bundle(name: str, edition: str) -> None:
    bot = find_bot(name)
    for moment in list(walk(edition, [find_bot("greedy"), find_bot("greedy")], seed=6))[::6]:
        one, other = random.Random(9), random.Random(9)
        assert bot.choose(moment.seen, one, BUDGET) == bot.choose(moment.seen, other, BUDGET)
        assert one.getstate() == other.getstate()


@pytest.mark.parametrize("edition", PACKAGED)
def test_a_game_does_not_depend_on_the_order_of_sets(edition: str) -> None:
    program = (
        "from tests.bots.games import walk\n"
        "from wasabi_tx.bots.levels import find_bot\n"
        f"for moment in walk('{edition}', [find_bot('greedy'), find_bot('easy'), find_bot('random')], seed=2):\n"
        "    print(moment.bundle, moment.seen.rules.digest(moment.after).hex())\n"
    )
    games = [
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert games[0] == games[1]
    assert len(games[0].splitlines()) > 30


@pytest.mark.parametrize(
    ("edition", "expected"),
    [
        ("classic", {"completes", "advances", "fetches", "takes-card", "draws", "gives"}),
        ("master", {"completes", "advances", "plays-card", "takes-card", "takes-pool", "draws"}),
    ],
)
def test_every_reason_has_a_known_code_and_says_what_it_is_about(edition: str, expected: set[str]) -> None:
    codes = set()
    for moment in walk(edition, [find_bot("greedy"), find_bot("greedy")], seed=7):
        advice = GREEDY.explain(moment.seen)
        assert advice.reasons or advice.bundle.steps[0].verb == "done"
        for reason in advice.reasons:
            assert set(reason.about) == CODES[reason.code]
            codes.add(reason.code)
    assert codes >= expected


def test_importing_the_package_loads_nothing() -> None:
    program = "import sys; import wasabi_tx.bots; print([name for name in sys.modules if 'wasabi_tx.' in name])"
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert shown.strip() == "['wasabi_tx.bots']"

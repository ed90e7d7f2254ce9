"""The dealer of the second edition: cards that are turned up, and decks that are reshuffled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest

from tests.engine.games import shuffled
from tests.engine.master.games import preferring, walk
from tests.engine.master.table import table
from wasabi_tx.engine.deal import Dealer
from wasabi_tx.engine.editions import rules_for
from wasabi_tx.engine.errors import Malformed
from wasabi_tx.engine.step import Step


def test_the_dealer_turns_up_the_display_and_then_waits_for_the_players() -> None:
    rules = rules_for("master", 3)
    dealer = Dealer(rules, lambda _label, pile: pile)
    position = rules.start(0)
    for place in range(3):
        step = dealer.supply(position)
        assert step == Step("turn", (1 << 8 | place, 0)), "four Chops come first in the file"
        assert rules.legal(position, dealer.faces) == [step]
        position = rules.apply(position, step)
    assert dealer.supply(position) is None


def test_the_discards_are_put_in_order_under_a_label_that_names_the_epoch() -> None:
    labels: dict[str, tuple[int, ...]] = {}

    def shuffle(label: str, pile: Sequence[int]) -> Sequence[int]:
        labels[label] = tuple(pile)
        return tuple(reversed(pile))

    at = table("board:\n Ri\n display: Ch Sp St\n seat 2 | cards Ch Ch\n discards: Ch1 Sp3 St3 Sw4")
    dealer = Dealer(at.rules, shuffle)
    assert set(labels) == {"deck 1", "deck 2", "deck 3", "deck 4", "deck 5"}
    after = at.do("place Av b1; gain Ch").position
    assert dealer.supply(after) == Step("turn", (1 << 16 | 1 << 8, 3))
    assert labels["deck 1, epoch 1"] == (0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 3)
    assert len(labels) == 6, "the recipes stay as they are"


def test_games_with_many_gains_reshuffle_the_discards_and_turn_up_what_was_discarded() -> None:
    epochs = Counter[int]()
    for seed in range(6):
        for moment in walk(4, seed, preferring("chop", "stack", "switch", "place", "gain")):
            if moment.after.epoch != moment.position.epoch:
                epochs[moment.after.epoch] += 1
                assert moment.after.phase == "refill"
                deck = Counter(moment.faces[card] for card in moment.after.decks[1])
                assert deck == Counter(dict(enumerate(moment.position.discards)))
    assert epochs[1] == 6
    assert epochs[2] > 0


def test_after_somebody_vanished_the_dealer_knows_the_new_decks() -> None:
    rules = rules_for("master", 3)
    dealer = Dealer(rules, shuffled(1))
    position = rules.apply(rules.start(0), Step("exclude", (1,)))
    step = dealer.supply(position)
    assert step is not None
    held = [card for seat in position.seats for card in seat.recipes]
    known = sorted(dealer.faces[card] for card in [*held, *[card for deck in position.decks[2:] for card in deck]])
    assert known == list(range(len(rules.edition.recipes)))
    assert Counter(dealer.faces[card] for card in position.decks[1]) == {0: 4, 1: 4, 2: 4, 3: 4}


def test_a_shuffle_that_loses_cards_is_refused() -> None:
    with pytest.raises(Malformed, match="deck-order"):
        Dealer(rules_for("master", 2), lambda _label, pile: pile[1:])

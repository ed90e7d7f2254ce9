"""Texts of unreachable positions are refused, and the faulty line is named."""

from __future__ import annotations

import pytest

from tests.engine.classic.table import table
from wasabi_tx.engine.editions import rules_for
from wasabi_tx.engine.errors import Malformed
from wasabi_tx.engine.position_text import format_position, parse_position

HANDS = "seat 1 | tiles Tu Sh Av | recipes 2.1 2.2 2.3\nseat 2 | tiles Tu Sh Av | recipes 3.1 3.2 3.3"
FULL = """
board:
Ri Ri Ri Ri Ri
Ma Ma Ma Ma Ma
Tu Tu Tu Sa Sa
Sa Ye Ye Ye Ee
Ee Oc Sh Sh Sh
Cr Cr Cr Sc Sc
seat 1 | tiles Av Av Av | cards Sw | recipes 2.1 2.2 2.3
"""
IMPOSSIBLE = {
    "nobody moves in play": f"turn: 9, nobody, play\n{HANDS}",
    "gifts though all hands are full": "turn: 0, seat 1, give\nseat 1 | tiles Tu Sh Av\nseat 2 | tiles Tu Sh Av",
    "a gift by the wrong seat": "turn: 0, seat 2, give, first 1",
    "step 2 with nothing owed": f"turn: 9, seat 1, restock\n{HANDS}",
    "first recipes with a full hand": f"turn: 0, seat 1, draw\n{HANDS}",
    "play before turn 1": f"turn: 0, seat 1, play\n{HANDS}",
    "a card of a deck that is not there": "seat 1 | tiles Tu | recipes 9.0",
    "a card of deck 0": "seat 1 | tiles Tu | recipes 0.0",
    "one card in two hands": "seat 1 | tiles Tu | recipes 2.0\nseat 2 | recipes 2.0",
    "one card twice in a hand": "seat 1 | tiles Tu | recipes 2.0 2.0",
    "a seat that left with a hand": "seat 1 | tiles Tu\nseat 2 | tiles Tu\nseat 3 | tiles Tu | gone",
    "one seat left and not over": "seat 1 | tiles Tu\nseat 2 | gone",
    "a typing error in the turn line": f"turn: 9, seat 1, play, frist 2\n{HANDS}",
    "stacking without owing a tile": f"this turn: stacking, played St\n{HANDS}",
    "a second tile without Spicy!": f"this turn: extra\n{HANDS}",
    "losers instead of winners": f"turn: 9, nobody, over\nthis turn: -\noutcome: board, losers 2\n{HANDS}",
    "a tile owed on a full board": FULL,
    "more turns than a game can have": f"turn: 65535, seat 1, play\n{HANDS}",
    "more cubes than a game can have": "seat 1 | tiles Ri | cards Wa | cubes 65535",
    "a square that is not there": f"laid: z9\n{HANDS}",
    "more tiles laid on a square than lie there": f"laid: a1\n{HANDS}",
    "a tile that no square can have shown": f"was: a1=Zz\n{HANDS}",
    "a tile laid in Step 2": "board:\n Ri\n turn: 9, seat 1, restock\n laid: a1\n this turn: -\n seat 1 | tiles Tu",
    "a tile owed that cannot be placed any more": "this turn: owed, played Sw\nseat 1 | cards Sp",
    "a Wasabi! card that is not there": f"wasabi: z9\n{HANDS}",
    "more tiles than there are": f"board:\n Fl Fl\n{HANDS}",
}


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_refused_with_its_line(name: str) -> None:
    with pytest.raises(Malformed) as caught:
        table(IMPOSSIBLE[name], 3 if "seat 3" in IMPOSSIBLE[name] else 2)
    assert "line" in caught.value.where


def test_a_card_counted_twice_is_refused() -> None:
    at = table(HANDS)
    text = format_position(at.rules, at.position, {}).replace("kitchen: Ch1", "kitchen: Ch1 Ch1")
    with pytest.raises(Malformed, match="count"):
        parse_position(text, rules_for)

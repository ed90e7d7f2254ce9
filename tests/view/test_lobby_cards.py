"""The lobby's cards: their description of a table, in whole sentences and in every language."""

from __future__ import annotations

from dataclasses import replace

import pytest

from wasabi_tx.online.lobby import Offering
from wasabi_tx.online.terms import HINTS, WATCHERS_TALK
from wasabi_tx.text import LANGUAGES, Texts
from wasabi_tx.view.online.lobby_cards import table_card, table_facts, way_to
from wasabi_tx.view.online.lobby_columns import COLUMNS, Reader, lobby_rows

from .test_lobby_columns import offering

ENGLISH = Reader(Texts("en"), str)
FOUR = replace(offering("a" * 26, clock=0), seats=4)


@pytest.mark.parametrize(
    ("offer", "writes", "state", "way", "seen"),
    [
        (FOUR, True, "3 free", "Sit down", "seen just now"),
        (FOUR, False, "3 free", "Knock", "seen just now"),
        (replace(FOUR, taken=4), True, "full", "Watch", "seen just now"),
        (replace(FOUR, begun=True, age=130), False, "playing", "Watch", "seen for 2 min"),
        (replace(FOUR, fresh=False), True, "no answer", "Sit down", "no word from its host yet"),
    ],
)
def test_a_card_says_what_can_be_done_here_now(offer: Offering, writes: bool, state: str, way: str, seen: str) -> None:
    (row,) = lobby_rows([offer], ENGLISH)
    card = table_card(row, ENGLISH, writes)
    assert (card.state, card.way, card.seen) == (state, way, seen)
    assert card.way == ENGLISH.texts.say(f"lobby.way-{way_to(offer, writes)}")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_list_and_the_cards_say_the_same_of_a_table_whose_host_is_not_heard(language: str) -> None:
    reader = Reader(Texts(language), str)
    for offer in (FOUR, replace(FOUR, taken=4), replace(FOUR, begun=True)):
        (row,) = lobby_rows([replace(offer, fresh=False)], reader)
        shown = dict(zip((column.name for column in COLUMNS), row.texts, strict=True))
        assert table_card(row, reader, True).state == shown["state"]
        assert shown["age"] == "–", "there is no time since which it was heard"


@pytest.mark.parametrize(
    ("offer", "writes", "words"),
    [
        (FOUR, True, "The game begins when all are taken, or when Udon starts it, from 2 players on."),
        (replace(FOUR, least=4), True, "The game begins when all are taken."),
        (FOUR, True, "Anybody in this lobby may ask for a seat."),
        (FOUR, False, "You ask Udon for a seat."),
        (replace(FOUR, begun=True), True, "The game is being played: you can watch it."),
        (replace(FOUR, taken=4), False, "No seat is free: you can watch."),
        (replace(FOUR, clock=60), True, "A turn may take 1 min;"),
        (replace(FOUR, options=(HINTS,)), True, "Everybody may ask what a good turn would be."),
        (FOUR, True, "Nobody gets hints at this table."),
        (replace(FOUR, options=(WATCHERS_TALK,)), True, "Those who watch may talk."),
        (replace(FOUR, fresh=False), True, "It may be gone."),
        (FOUR, True, "Udon, with the key abcd-efgh."),
        (replace(FOUR, edition="of their own"), True, "of their own"),
    ],
)
def test_all_about_a_table_is_told(offer: Offering, writes: bool, words: str) -> None:
    assert words in " ".join(fact.words for fact in table_facts(offer, ENGLISH, writes))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_fact_is_a_sentence_with_a_label(language: str) -> None:
    for offer in (FOUR, replace(FOUR, begun=True, clock=60), replace(FOUR, taken=4, fresh=False)):
        for fact in table_facts(offer, Reader(Texts(language), str), True):
            assert fact.label[0].isupper()
            assert fact.words.endswith(".")
            assert "{" not in fact.words

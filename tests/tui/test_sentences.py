"""Sentences on real screens of 80 columns: the longest ones of each are there to their last word, in every language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

import pytest
from textual.app import App

from wasabi_tx.app.settings import Settings
from wasabi_tx.puzzles.puzzle import puzzles_from
from wasabi_tx.text import LANGUAGES, Texts
from wasabi_tx.text.marks import pieces_of
from wasabi_tx.tui.app import WasabiApp
from wasabi_tx.tui.forms.hosting import HostForm
from wasabi_tx.tui.screens.form import FormPage
from wasabi_tx.tui.screens.lobby import LobbyScreen
from wasabi_tx.tui.screens.page import TextPage
from wasabi_tx.tui.screens.waiting_room import WaitingRoomScreen

from .memory_games import MemoryGames, app_at
from .on_screen import table_of
from .party import Party, until, wish

LONGEST = 3
OVER = 10_000
"""A turn later than any game lasts."""
BEGINNING = 14
"""Number of letters that identify a sentence on a screen."""
PAGES = {
    "a turn": ("classic", 8, ()),
    "a held card": ("classic", 20, ("4",)),
    "a hint": ("classic", 8, ("i",)),
    "recipes to return": ("classic", 8, ("p",)),
    "the second edition": ("master", 8, ()),
    "help": ("classic", 8, ("question_mark",)),
    "the log": ("classic", 20, ("o",)),
    "leaving": ("classic", 8, ("q",)),
    "settings": ("classic", 8, ("f2",)),
    "the book": ("classic", 8, ("r",)),
    "since the turn": ("classic", 8, ("y",)),
    "themes": ("classic", 8, ("f3",)),
    "the second edition's help": ("master", 8, ("question_mark",)),
    "the end": ("short-classic", OVER, ()),
    "the replay": ("short-classic", OVER, ("w", "right")),
}
TALL = ("help", "the second edition's help", "the log", "settings")
"""Pages that scroll; every row of them is read."""


@contextmanager
def listening() -> Iterator[set[str]]:
    """Collect every sentence said while the block runs."""
    said: set[str] = set()
    whole = Texts.say

    def say(self: Texts, key: str, /, **params: object) -> str:
        words = whole(self, key, **params)
        said.update(words.split("\n"))
        return words

    with patch.object(Texts, "say", say):
        yield said


def flat(words: str) -> str:
    """Return the words single-spaced, without their frame."""
    return " ".join(re.sub("[─│╭╮╯╰▌►]", " ", words).split())


def on_screen(app: App[None]) -> str:
    """Return all rows, followed by the panel beside a form on its own."""
    rows = [strip.text for strip in app.screen._compositor.render_strips()]
    beside = [row[row.index("│", 40) + 1 :] for row in rows if row.count("│") > 2]
    return flat(" ".join([*rows, *beside]))


def longest(said: set[str], seen: str) -> list[str]:
    """Return the longest sentences whose beginning can be read."""
    plain = {flat("".join(piece.text for piece in pieces_of(words))) for words in said}
    whole = {words[:BEGINNING] for words in plain if words in seen}
    begun = [
        words
        for words in plain
        if len(words) > BEGINNING and words[:BEGINNING] in seen and (words in seen or words[:BEGINNING] not in whole)
    ]
    return sorted(begun, key=len)[-LONGEST:]


def check(app: App[None], said: set[str]) -> None:
    seen = on_screen(app)
    found = longest(said, seen)
    assert found, seen
    for words in found:
        assert words in seen, (words, seen)


@pytest.mark.grid
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("page", PAGES)
@pytest.mark.long
async def test_the_longest_sentences_of_a_table_and_its_pages_are_whole(page: str, language: str) -> None:
    edition, turn, keys = PAGES[page]
    with listening() as said:
        app = app_at(turn, edition=edition, language=language)
        async with app.run_test(size=(80, 200 if page in TALL else 24)) as pilot:
            await pilot.press(*keys)
            await pilot.pause()
            await pilot.pause()
            check(app, said)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_hint_and_its_reasons_are_whole_on_the_smallest_table(language: str) -> None:
    app = app_at(12, seed="picture", language=language)
    async with app.run_test(size=(40, 15)) as pilot:
        plan = table_of(app).followed.plan
        assert plan is not None
        await pilot.press("i")
        await until(pilot, lambda: isinstance(app.screen, TextPage))
        assert len(plan.said) > 2
        for words in plan.said:
            assert words in on_screen(app)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("edition", ["classic", "master"])
async def test_a_hint_and_its_first_reason_are_whole_at_80_columns(edition: str, language: str) -> None:
    app = app_at(16, edition=edition, language=language)
    async with app.run_test(size=(80, 24)) as pilot:
        plan = table_of(app).followed.plan
        assert plan is not None
        await pilot.press("i")
        await until(pilot, lambda: len(plan.said) > 2)
        await pilot.pause()
        for words in plan.said[:3]:
            assert flat(words) in on_screen(app)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_what_the_table_refuses_is_whole_on_the_smallest_one(language: str) -> None:
    app = app_at(12, seed="picture", language=language)
    async with app.run_test(size=(40, 15)) as pilot:
        await pilot.press("space")
        await pilot.pause()
        plan = table_of(app).followed.plan
        assert plan is not None
        assert plan.wrong
        assert plan.message in on_screen(app)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.long
async def test_the_longest_sentences_of_a_lesson_a_puzzle_and_a_curtain_are_whole(language: str) -> None:
    for app in (
        WasabiApp(MemoryGames(), language=language, lesson="classic"),
        WasabiApp(MemoryGames(), language=language, puzzles=puzzles_from("classic", 2)),
        app_at(people=2, bots=0, language=language),
    ):
        with listening() as said:
            async with app.run_test(size=(80, 24)) as pilot:
                await pilot.pause()
                await pilot.pause()
                check(app, said)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_longest_sentences_of_home_and_the_first_start_are_whole(language: str) -> None:
    with listening() as said:
        app = WasabiApp(MemoryGames(preferred=Settings(reduced_motion=True)), language=language, newcomer="Ana")
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            check(app, said)
            said.clear()
            await pilot.press("enter")
            await pilot.pause()
            check(app, said)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_longest_sentences_of_the_form_and_the_lobby_are_whole(party: Party, language: str) -> None:
    online = party.online()
    app = party.app(online)
    app._language = language
    async with app.run_test(size=(80, 24)) as pilot:
        with listening() as said:
            app.push_screen(FormPage(HostForm(app.games.editions(app.texts))))
            await pilot.pause()
            check(app, said)
            await pilot.press("escape")
        with listening() as said:
            lobby = LobbyScreen(online, "")
            app.push_screen(lobby)
            await until(pilot, lambda: longest(said, on_screen(app)))
            check(app, said)
            await pilot.press("escape")
        with listening() as said:
            app.visit(online.host(wish(edition="classic"), Texts(language)))
            await until(pilot, lambda: isinstance(app.screen, WaitingRoomScreen))
            await until(pilot, lambda: longest(said, on_screen(app)))
            check(app, said)
    await online.close()

"""Hosting a table, and the invite to one: every line of the form changes something."""

from __future__ import annotations

import pytest
from textual import events
from textual.widgets import Input

from wasabi_tx.app.values import GameWish, TableWish
from wasabi_tx.net.address import Address
from wasabi_tx.text import Texts
from wasabi_tx.tui.forms.hosting import GAME, TABLE, HostForm
from wasabi_tx.tui.forms.new_game import NewGameForm
from wasabi_tx.tui.screens.form import FormPage
from wasabi_tx.tui.screens.invite import InvitePage
from wasabi_tx.tui.screens.waiting_room import WaitingRoomScreen
from wasabi_tx.view.names import RIVALS

from .on_screen import rows as shown
from .on_screen import screen_words
from .party import Party, until


@pytest.mark.long
async def test_the_form_opens_a_table_with_one_enter_and_every_line_of_it_changes_something(party: Party) -> None:
    online = party.online()
    app = party.app(online)
    wishes: list[TableWish | None] = []
    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(FormPage(HostForm(app.games.editions(app.texts))), wishes.append)
        await pilot.pause()
        await pilot.press("enter")
        await until(pilot, lambda: wishes)
        assert wishes == [TableWish(options=("quick-start",))]
        form = HostForm(app.games.editions(app.texts))
        app.push_screen(FormPage(form))
        await pilot.pause()
        for name in (*TABLE, *GAME):
            before = form.result
            if name == "broker":
                # No lobby was visited, so the cursor skips this field.
                continue
            await pilot.press("right")
            if name == "least":
                assert form.result.least <= form.result.seats
            else:
                assert form.result != before, name
            await pilot.press("left", "right", "right", "down")
        assert form.result.bots < form.result.seats


def _fields(form: HostForm) -> dict[str, str]:
    return {field.id: field.value for group in form.groups(Texts("en")) for field in group.fields}


def test_a_form_says_where_a_table_lives_and_who_may_come() -> None:
    known = [Address("one.example", 1883, user="play", password="hunter2"), Address("two.example", 1883)]
    form = HostForm([("classic", "Wasabi!")], known)
    assert _fields(form)["broker"] == "on this machine"
    form.turn("broker", 1)
    assert form.result.brokers == ("mqtt://play:hunter2@one.example",)
    assert _fields(form)["broker"] == "one.example:1883", "its password is nobody's business"
    seen = []
    for _ in range(4):
        wish = form.result
        seen.append((wish.private, wish.welcome, wish.anywhere))
        form.turn("for", 1)
    assert len(set(seen)) == 4
    form.turn("for", -1)
    assert form.result.anywhere
    assert not form.result.brokers, "relays carry it"
    assert "broker" not in _fields(form)


def test_a_page_offers_no_table_that_it_cannot_host() -> None:
    form = HostForm([("classic", "Wasabi!")], [Address("one.example", 8443, websockets=True)], in_browser=True)
    assert not {"broker", "bots", "level"} & set(_fields(form))
    for _ in range(4):
        form.turn("for", 1)
        assert not form.result.anywhere


async def test_an_invite_is_pasted_with_its_line_breaks(party: Party) -> None:
    host = party.host(seats=3)
    await host.driver.open()
    online = party.online()
    app = party.app(online)
    async with app.run_test(size=(80, 24)) as pilot:
        app.ask_invite("join")
        await until(pilot, lambda: isinstance(app.screen, InvitePage) and app.screen.query(Input))
        app.post_message(events.Paste(f" {host.invite[:50]}\n{host.invite[50:]}\n"))
        await pilot.pause()
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, WaitingRoomScreen) and "Bo" in shown(app))
        await party.close(host)
        await online.close()


@pytest.mark.parametrize("way", ["join", "watch"])
async def test_a_wrong_invite_stays_in_its_window_with_what_is_wrong(party: Party, way: str) -> None:
    app = party.app(party.online())
    async with app.run_test(size=(80, 24)) as pilot:
        app.ask_invite(way)
        await until(pilot, lambda: isinstance(app.screen, InvitePage) and app.screen.query(Input))
        page = app.screen
        assert isinstance(page, InvitePage)
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, InvitePage), "there is nothing to go to yet"
        await pilot.press(*"example", "enter")
        await until(pilot, lambda: "not an invite" in page.told)
        assert page.told.startswith("This is not an invite"), "a sentence begins with a capital"
        assert "7-octopus-daikon" in page.told
        assert not app._notifications
        await pilot.press(*"1p")
        assert isinstance(app.screen, InvitePage), "what is typed next belongs to the invite"
        assert page.query_one(Input).value == "example1p"
        assert not page.told, "and what was wrong is about another text"
        await pilot.press("escape")
        await until(pilot, lambda: not isinstance(app.screen, InvitePage))


@pytest.mark.parametrize(("language", "by_lot"), [("en", "a bot, at random"), ("it", "un bot, a caso")])
@pytest.mark.long
async def test_each_bot_of_a_table_can_be_a_rival_whom_one_knows(party: Party, language: str, by_lot: str) -> None:
    online = party.online()
    app = party.app(online)
    app.change(language=language)
    wishes: list[TableWish | None] = []
    async with app.run_test(size=(80, 24)) as pilot:
        form = HostForm(app.games.editions(app.texts))
        page = FormPage(form)
        app.push_screen(page, wishes.append)
        await pilot.pause()
        await pilot.press("down", "right", "right")
        assert form.result.seats == 4
        await pilot.press(*["down"] * (len(TABLE) + GAME.index("bots") - TABLE.index("seats")), "right", "right")
        assert form.result.bots == 2
        assert screen_words(app).count(by_lot) == 2, screen_words(app)
        rows = [field.id for group in form.groups(app.texts) for field in group.fields]
        await pilot.press(*["down"] * (rows.index("bot 0") - rows.index("bots")), "right")
        (first,) = form.result.rivals
        assert first in RIVALS
        await pilot.press("down", "right")
        second = form.result.rivals[1]
        assert second in RIVALS
        assert second != first, "a rival plays once"
        assert "Bot 1" in screen_words(app)
        assert second in screen_words(app)
        await pilot.press("enter")
        await until(pilot, lambda: wishes)
        assert wishes[0] is not None
        assert wishes[0].rivals == (first, second)
        await online.close()


@pytest.mark.parametrize("language", ["en", "it"])
def test_the_form_explains_editions_and_levels_as_that_of_a_new_game_does(language: str) -> None:
    texts, editions = Texts(language), [("classic", "First"), ("master", "Second"), ("my-box", "Mine")]
    host, new = HostForm(editions), NewGameForm(GameWish(), editions)
    seen = set()
    for _ in editions:
        about = [
            {field.id: field.about for group in form.groups(texts) for field in group.fields} for form in (host, new)
        ]
        assert all(about[0][name] == about[1][name] for name in ("edition", "level"))
        seen.add(about[0]["edition"])
        for form in (host, new):
            form.turn("edition", 1)
    assert len(seen) == 3


def test_a_bot_that_is_not_wanted_any_more_gives_its_rival_free() -> None:
    form = HostForm([("classic", "First edition")])
    form.turn("seats", 2)
    form.turn("bots", 2)
    form.turn("bot 1", 1)
    (chosen,) = form.result.rivals
    form.turn("bots", -1)
    assert not form.result.rivals
    form.turn("bot 0", 1)
    assert list(form.result.rivals) == [chosen]
    form.turn("bots", 1)
    assert list(form.result.rivals) == [chosen], "the second one is drawn by lot again"

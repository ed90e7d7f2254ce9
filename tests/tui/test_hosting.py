"""Hosting a table, and the invite to one: every line of the form changes something."""

from __future__ import annotations

from textual import events
from textual.widgets import Input

from wasabi_tx.tui.forms.hosting import GAME, TABLE, HostForm
from wasabi_tx.tui.screens.form import FormPage
from wasabi_tx.tui.screens.invite import InvitePage
from wasabi_tx.tui.screens.waiting_room import WaitingRoomScreen
from wasabi_tx.tui.services import TableWish

from .on_screen import rows as shown
from .party import Party, until


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
            await pilot.press("right")
            if name == "least":
                assert form.result.least <= form.result.seats
            else:
                assert form.result != before, name
            await pilot.press("left", "right", "right", "down")
        assert form.result.bots < form.result.seats


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

"""The whole program in a real browser: on its own, at a table of native peers, as a watcher, and before strangers."""

from __future__ import annotations

import json
import os
import re
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.brokers import PATIENCE, until
from tests.needs import needs
from tests.peers import hands
from tests.peers.conftest import programs
from tests.peers.program import Program, Programs, game_file
from tests.peers.tables import NAMES, Table, open_table, verified
from tests.ports import own_port
from tests.tui.short import SHORT, short_text

from .chromium import Page
from .tab import Tab

__all__ = ["programs"]
pytestmark = needs("chromium", "node", "npm")

PERSON = {
    "config/settings.toml": 'name = "Tab"\nreduced_motion = true\n',
    "config/progress.json": '{"learned": ["classic"]}',
    **{f"config/editions/{name}.toml": short_text(name) for name in SHORT},
}
"""The files of somebody who was here before, with editions for short evenings."""
OVER = "Play again"
"""What the page of the result offers."""
LINK = r"(http://127\.0\.0\.1:\d+/#wasabi:\S+)\s"
"""Where a browser finds a host's table, in full."""


@pytest.fixture
def tab(browser: Page) -> Tab:
    return Tab(browser)


@pytest.fixture
def broker(programs: Programs, site: str) -> str:
    """Return the address for players of a broker that admits pages of the site."""
    words = ("--bind", "127.0.0.1", "--port", "0", "--websockets", "0", "--origin", site, "--silent", "--json")
    started = programs.start("operator", "broker", *words, typed=None)
    address: str = json.loads(started.line())["play_websockets"]
    return address


def table_of_bots(programs: Programs, seats: int, edition: str, broker: str) -> Table:
    """Let a bot open a table that allows hints, so that Enter is enough to play there."""
    return open_table(programs, seats, edition, broker=broker, words=("--option", "hints", "--option", "quick-start"))


def one_digest(programs: Programs, folder: Path, tab: Tab, native: Path) -> None:
    """Check that the file in the browser and the one of a native peer are the same settled game."""
    file = folder / "tab.wasabi"

    def settled() -> bool:
        """Return whether both have everybody's last signature; the order may differ, not the size."""
        (kept,) = [data for name, data in tab.kept().items() if name.endswith(".wasabi")]
        file.write_bytes(kept)
        if len(kept) != native.stat().st_size:
            return False
        ours, theirs = verified(programs, file, native)
        return bool(ours["settled"] and ours == theirs)

    until(settled, PATIENCE)


def put_site(home: Path, built: Path) -> None:
    """Let a home have the folder already that `host --web` serves, so that nothing is fetched."""
    shutil.copytree(built, home / "site", copy_function=os.link)


def link_of(host: Program) -> str:
    """Return the link to a seat that a host shows."""
    found = re.search(LINK, host.until(lambda said: bool(re.search(LINK, said))))
    assert found is not None
    return found[1]


def test_a_newcomer_plays_turns_by_keys_and_by_mouse_and_later_goes_on_without_a_network(tab: Tab, site: str) -> None:
    tab.open(site)
    tab.until("Welcome", "Your name")
    tab.press("A", "n", "n", "Enter", "Enter")
    tab.until("Play now")
    tab.press("n")
    tab.press("1")
    said = tab.until("YOUR TURN", "Place a tile")
    # The bot may have begun, and have put its tile anywhere.
    free = next(row for row in "3456" if re.search(rf"^{row} ( +·){{5}} ", said, re.MULTILINE))
    tab.press("1", "d", free)
    tab.play("Your turn is complete.")
    tab.press("Enter")
    tab.until("YOUR TURN", "Place a tile")
    tab.click("HAND   1 ", 8)
    tab.until("You hold")
    tab.click("   ·   ", 3)
    tab.play("Your turn is complete.", by_mouse=True)
    tab.click("Enter  ", 1)
    found = re.search(r"turn \d+ ", tab.until("YOUR TURN", "Place a tile"))
    assert found is not None
    assert tab.kept()
    tab.cut_off()
    tab.reload()
    tab.until("Continue with")
    tab.press("Enter")
    tab.until(found[0], "YOUR TURN")


def test_a_seat_in_a_tab_is_taken_up_again_after_a_reload_and_the_game_is_everybodys(
    tab: Tab, site: str, broker: str, programs: Programs, tmp_path: Path
) -> None:
    table = table_of_bots(programs, 2, "short-classic", broker)
    tab.keep(site, PERSON)
    tab.open(f"{site}/#{table.invite}")
    # One of these turns is our own, and lasts until we press something.
    tab.play("turn 4 ", "turn 5 ")
    tab.reload()
    tab.play(OVER)
    one_digest(programs, tmp_path, tab, table.game(NAMES[0]))
    assert table.host.ended() == 0
    assert table.host.json[-1]["settled"]
    tab.downloads(tmp_path)
    tab.press("m")
    until(lambda: bool(list(tmp_path.glob("*.html"))), PATIENCE)
    (sent,) = tmp_path.glob("*.html")
    assert programs.run("judge", "verify", str(sent))[0] == 0, "the browser hands over a page to send around"


def test_friends_with_a_browser_sit_at_a_table_whose_host_serves_the_page(
    tab: Tab, built: Path, programs: Programs, tmp_path: Path
) -> None:
    """A person in a terminal, and a friend who follows the link that the terminal shows."""
    put_site(programs.home("ann"), built)
    terms = ("--edition", "short-master", "--allow", "hints", "--for", "friends")
    place = ("--bind", "127.0.0.1", "--port", str(own_port()), "--name", "Ann")
    host = programs.start("ann", "host", "--web", "--plain", *terms, *place, typed=None)
    link = link_of(host)
    tab.keep(link.partition("/#")[0], PERSON)
    tab.open(link)
    with ThreadPoolExecutor(1) as pool:
        end = pool.submit(hands.play, host, "signed by everybody")
        tab.play(OVER)
        end.result()
    assert host.ended() == 0
    one_digest(programs, tmp_path, tab, game_file(programs.home("ann")))


def test_a_watcher_in_a_tab_follows_a_live_game_to_its_end_without_a_key_or_a_name(
    tab: Tab, site: str, broker: str, programs: Programs
) -> None:
    table = open_table(programs, 2, "classic", broker=broker)
    tab.open(f"{site}/#{table.watch}")
    tab.until("Waiting room", "1 of 2 taken")
    table.fill()
    tab.until("turn ", "squares left")
    tab.until("The game is over.")
    results = table.results()
    tab.press("Enter")
    tab.until(*results[NAMES[0]]["winner"], "HOW THE POINTS WERE MADE")
    assert tab.page.run("indexedDB.databases()") == []


def opens(page: Page, origin: str, url: str) -> bool:
    """Return whether a page of this origin can open a websocket for MQTT."""
    page.open(f"{origin}/words.json")
    return bool(
        page.run(
            f"""new Promise((found) => {{
              const socket = new WebSocket({json.dumps(url)}, "mqtt");
              socket.onopen = () => found(true);
              socket.onclose = () => found(false);
            }})"""
        )
    )


def test_pages_of_other_sites_reach_no_broker(
    browser: Page, site: str, built: Path, broker: str, programs: Programs
) -> None:
    """As `localhost` the same server is another site, for an operator's broker and for a host's."""
    other = site.replace("127.0.0.1", "localhost")
    operated = f"{broker.partition('play:')[0]}{broker.partition('@')[2]}/mqtt"
    assert opens(browser, site, operated)
    assert not opens(browser, other, operated)
    port = own_port()
    put_site(programs.home("ann"), built)
    words = ("--plain", "--bind", "127.0.0.1", "--port", str(port), "--name", "Ann")
    host = programs.start("ann", "host", "--web", *words, typed=None)
    link = link_of(host)
    own = link.partition("/#")[0]
    hosted = f"{own.replace('http', 'ws')}/mqtt"
    assert opens(browser, own, hosted)
    assert not opens(browser, site, hosted)
    assert not opens(browser, other, hosted)

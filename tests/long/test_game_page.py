"""The page of a game in a real browser: what a reader sees, does and hears, and what the page refuses."""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path
from random import Random

import pytest

from tests.app.game_page import pages
from tests.needs import needs
from tests.tui.tiny import put_tiny_edition
from wasabi_tx.app.game_page.page import viewer_page

from .chromium import Page

pytestmark = needs("chromium")

CHECKED = "document.querySelector('#verdict').className !== 'checking' && viewer.done"
AT = "Number(document.querySelector('#at').value)"
SABOTAGE = (
    ('throw new Refused("other-picture", number)', "0"),
    ('throw new Refused("other-picture")', "0"),
    ('throw new Refused("bad-signature")', "0"),
    ('throw new Refused("other-edition")', "0"),
    ('throw new Refused("equivocation")', "0"),
    ('throw new Refused("not-owed")', "0"),
    ('throw new Refused("cut")', "break"),
    ("if (!truth) throw", "if (false) throw"),
    ("return await crypto.subtle.verify(", "return true || await crypto.subtle.verify("),
    ("y < P && !SMALL.includes(y)", "true"),
    ("const same = (one, other) =>", "const same = (one, other) => true ||"),
    ("this.verdict(\"bad\", reason)", 'this.verdict("good", reason)'),
    ("const [y, r]", "return true; const [y, r]"),
    ("checkBeside(beside, votes);", ""),
    ("await checkStart(start, genesis, gid, seats);", ""),
    ("if (reader.at !== bytes.length) throw bad();", ""),
    ("if (bytes.at !== raw.length)", "if (false)"),
    ("game.settled) yes.push", "true) yes.push"),
    ("let head = await link([genesis.body]);", "let head = await link([genesis.body]); /* ours */"),
    ("no.push(say(\"page.no.page\"));", ""),
)  # fmt: skip


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("WASABI_TX_HOME", str(tmp_path))
    monkeypatch.setenv("WASABI_TX_LANG", "en")
    put_tiny_edition(tmp_path)
    return tmp_path


def opened(browser: Page, page: str, folder: Path, name: str = "game") -> Path:
    path = folder / f"{name}.html"
    path.write_text(page, encoding="utf-8", newline="\n")
    browser.open(path.as_uri())
    return path


def test_a_reader_goes_through_a_game_by_keys_buttons_slider_and_finger(browser: Page, home: Path) -> None:
    browser.size(390, 844)
    browser.requests.clear()
    path = opened(browser, pages.honest(), home)
    done = browser.wait_for(CHECKED)
    assert (done["signed"], done["settled"]) == (True, True)
    last = len(pages.pictures(pages.honest())) - 1
    assert browser.run(AT) == last, "it begins with the result"
    browser.press("Home")
    assert browser.run(AT) == 0
    browser.press("ArrowRight")
    browser.press("ArrowRight")
    browser.press("ArrowLeft")
    assert browser.run(AT) == 1
    browser.run("document.querySelector('#next').click()")
    assert browser.run(AT) == 2
    x, y = browser.run("(({x, y, width, height}) => [x + width / 2, y + height / 2])(board.getBoundingClientRect())")
    browser.drag((x, y), (x - 120, y))
    browser.wait_for(f"{AT} === 3")
    browser.run("document.querySelectorAll('#moves button')[5].click()")
    assert browser.run(AT) == 5
    browser.run("document.activeElement.blur()")
    browser.press(" ", " ")
    browser.wait_for(f"{AT} === 7")
    assert browser.run("document.querySelector('#play').getAttribute('aria-label')") == "Pause"
    browser.press(" ", " ")
    assert browser.run("document.querySelector('#play').getAttribute('aria-label')") == "Play"
    assert browser.run("document.documentElement.scrollWidth <= innerWidth"), "nothing is cut off on a telephone"
    assert browser.requests == [path.as_uri()], "it asks nobody for anything"


def test_a_screen_reader_finds_the_board_the_players_and_what_was_checked(browser: Page, home: Path) -> None:
    browser.size(1280, 900)
    opened(browser, pages.honest(), home)
    browser.wait_for(CHECKED)
    heard = browser.read_aloud()
    names = {role: [name for found, name in heard if found == role] for role, _ in heard}
    assert any(name.startswith("Checked by this page") for name in names["StaticText"])
    assert names["columnheader"][:3] == ["a", "b", "c"]
    assert "Tuna" in " ".join(names.get("cell", []) + names.get("gridcell", []) + names["StaticText"])
    assert {"to the first step", "Play", "to the next step"} <= set(names["button"])
    assert names["slider"] == ["Steps of the game"]
    assert all(name for name in names["button"])


def test_light_and_dark_follow_the_reader(browser: Page, home: Path) -> None:
    opened(browser, pages.honest(), home)
    browser.wait_for(CHECKED)
    ground = "getComputedStyle(document.body).backgroundColor"
    found = []
    for light in ("dark", "light"):
        browser.size(800, 600, light)
        found.append(browser.run(ground))
    browser.press("t", "t")
    found.append(browser.run(ground))
    assert found == ["rgb(21, 17, 14)", "rgb(246, 239, 224)", "rgb(21, 17, 14)"]


def test_tampered_pages_are_refused_in_the_browser_with_a_sentence(browser: Page, home: Path) -> None:
    for number, (way, page) in enumerate(pages.tampered(len(pages.WAYS), "browser")):
        opened(browser, page, home, str(number))
        if way == "the page cut off":
            assert browser.run("document.body.classList.contains('ready')") is False
            continue
        assert "refused" in browser.wait_for(CHECKED), way
        assert browser.run("document.querySelector('#verdict').className") == "bad", way
        assert browser.run("document.querySelector('#said').textContent").startswith("Refused: "), way
        assert browser.run("getComputedStyle(document.querySelector('main')).display") == "none", way


def test_the_viewer_opens_a_page_and_runs_nothing_of_it(browser: Page, home: Path) -> None:
    """A verifier that lies has no say there: its picture is refused."""
    lie = pages.WAYS["a bit of a picture"](sabotaged(pages.honest(), *SABOTAGE[0]), Random("viewer"))
    for number, (page, wanted) in enumerate(((pages.honest(), None), (lie, "other-picture"))):
        other = home / f"other-{number}.html"
        other.write_text(page, encoding="utf-8", newline="\n")
        opened(browser, viewer_page("en"), home, "viewer")
        root = browser.call("DOM.getDocument")["root"]["nodeId"]
        node = browser.call("DOM.querySelector", nodeId=root, selector="#file")["nodeId"]
        browser.call("DOM.setFileInputFiles", files=[str(other)], nodeId=node)
        assert browser.wait_for("viewer.done").get("refused") == wanted


def sabotaged(page: str, old: str, new: str) -> str:
    """Return the page with a changed script, which its policy names."""
    found = re.findall("<script>(.*?)</script>", page, re.DOTALL)[-1]
    assert old in found, old
    script = found.replace(old, new)
    hashes = [base64.b64encode(hashlib.sha256(one.encode()).digest()).decode() for one in (found, script)]
    return page.replace(found, script).replace(hashes[0], hashes[1])


def test_a_verifier_that_lies_shows_its_tick_and_verify_still_tells(browser: Page, home: Path) -> None:
    """A page cannot vouch for itself; twenty changed scripts, and `verify` names each."""
    chance = Random("liar")
    liar = pages.WAYS["a bit of a picture"](pages.honest(), chance)
    for old, new in SABOTAGE[:2]:
        liar = sabotaged(liar, old, new)
    liar = sabotaged(liar, 'throw new Refused("bad-picture");\n}', "}")
    opened(browser, liar, home)
    browser.wait_for(CHECKED)
    assert browser.run("document.querySelector('#verdict').className") == "good"
    assert pages.verify(home / "game.html").code == 3
    for number, (old, new) in enumerate(SABOTAGE):
        path = home / f"liar-{number}.html"
        path.write_text(sabotaged(pages.honest(), old, new), encoding="utf-8", newline="\n")
        told = pages.verify(path)
        assert told.code == 3, old
        assert "do not believe what it shows" in told.words, old

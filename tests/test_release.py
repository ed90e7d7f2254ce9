"""The developer's installation and the release agree with each other."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
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

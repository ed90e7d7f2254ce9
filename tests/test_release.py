"""What a developer installs and what is released agree with each other."""

from __future__ import annotations

import re
from pathlib import Path

from tests.__main__ import CHECKS

ROOT = Path(__file__).parent.parent


def test_the_hooks_before_a_commit_are_the_checks_of_the_test_command() -> None:
    hooks = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    assert re.findall(r"^ +entry: (.+)$", hooks, re.MULTILINE) == [" ".join(words) for words in CHECKS]

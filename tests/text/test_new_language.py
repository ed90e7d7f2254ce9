"""A language is added by its files alone: sentences and topics; what is not translated yet is in English."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import wasabi_tx

PACKAGE = Path(wasabi_tx.__file__).parent


@pytest.fixture
def french(tmp_path: Path) -> Path:
    """Return a copy of this program with a French file beside the other languages."""
    package = tmp_path / "wasabi_tx"
    package.mkdir()
    for one in PACKAGE.iterdir():
        if one.name not in ("text", "__pycache__"):
            (package / one.name).symlink_to(one)
    text = package / "text"
    shutil.copytree(PACKAGE / "text", text, ignore=shutil.ignore_patterns("__pycache__"))
    english = (text / "en.toml").read_text(encoding="utf-8")
    assert english.count('name = "English"') == 1
    (text / "fr.toml").write_text(english.replace('name = "English"', 'name = "français"'), encoding="utf-8")
    topics = text / "rules" / "fr" / "classic"
    shutil.copytree(text / "rules" / "en" / "classic", topics)
    (topics / "goal.md").write_text("# Le but\n\nGagner.\n", encoding="utf-8")
    return tmp_path


def run(french: Path, code: str) -> str:
    environment = os.environ | {
        "PYTHONPATH": str(french),
        "WASABI_TX_HOME": str(french / "home"),
        "LC_ALL": "fr_FR.UTF-8",
    }
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, cwd=french, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_its_files_are_enough(french: Path) -> None:
    said = run(
        french,
        """
from wasabi_tx.text import LANGUAGES, Texts, find_language
from wasabi_tx.text.topics import find_topic
from wasabi_tx.app.settings import parse_settings
from wasabi_tx.engine.editions import packaged_edition
texts = Texts(find_language())
print(LANGUAGES, texts.language, texts.say("tui.language.name"))
print(find_topic("fr", "classic", "but").title, "|", find_topic("fr", "master", "goal").title)
print(parse_settings('language = "fr"'))
print(packaged_edition("master").names["fr"])
""",
    )
    languages, topics, settings, edition = said.splitlines()
    assert languages == "('en', 'fr', 'it') fr français"
    assert topics == "Le but | Goal"
    assert "language='fr'" in settings
    assert settings.endswith("[])")
    assert edition == "Second edition"


@pytest.mark.parametrize("command", ["editions", "themes"])
def test_commands_take_it_and_fall_back_to_english(french: Path, command: str) -> None:
    code = "import sys; sys.argv = ['wasabi-tx', {words}]; from wasabi_tx.cli import run; run()"
    assert run(french, code.format(words=f"'{command}', '--language', 'fr'")) == run(
        french, code.format(words=f"'{command}', '--language', 'en'")
    )

"""All output of commands goes through one place, and is cleaned there."""

from __future__ import annotations

import ast
import json
import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

import wasabi_tx.cli
from wasabi_tx.app.output import echo, emit
from wasabi_tx.cli import show_failure

TAINT = "a\x1b]0;x\x07\x9b2J\u202eb"
SHOWN = "a ]0;x  2Jb"
PRINT_THEMSELVES = {
    "output.py": "it is the place",
    "__init__.py": "the help of the program",
    "completions.py": "a script for a shell, to the letter",
    "help.py": "the help of the program",
    "themes.py": "a sample in colours",
}


def test_what_is_printed_is_harmless(capsys: pytest.CaptureFixture[str]) -> None:
    echo(f"{TAINT}\n  {TAINT}")
    show_failure(TAINT)
    assert capsys.readouterr() == (f"{SHOWN}\n  {SHOWN}\n", f"wasabi-tx: {SHOWN}\n")


def test_json_is_harmless_at_every_depth(capsys: pytest.CaptureFixture[str]) -> None:
    emit({TAINT: [TAINT, {"deep": (TAINT, 1, None, True)}], "name": "Zoë"})
    line = capsys.readouterr().out
    assert "Zoë" in line
    assert json.loads(line) == {SHOWN: [SHOWN, {"deep": [SHOWN, 1, None, True]}], "name": "Zoë"}


def test_what_the_terminal_cannot_write_is_replaced_and_json_stays_what_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    written = TextIOWrapper(BytesIO(), encoding="latin-1")
    monkeypatch.setattr(sys, "stdout", written)
    monkeypatch.setattr(sys, "stderr", written)
    echo("Zoë, 日本")
    echo("日本", err=True)
    emit({"name": "日本"})
    emit({"name": "Zoë"})
    written.seek(0)
    assert written.read().splitlines() == ["Zoë, ??", "??", r'{"name": "\u65e5\u672c"}', '{"name": "Zoë"}']


def test_no_command_prints_past_it() -> None:
    folder = Path(wasabi_tx.cli.__file__).parent
    for path in folder.rglob("*.py"):
        calls = [
            node
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("click.echo", "click.secho", "print")
        ]
        assert not calls or path.name in PRINT_THEMSELVES, path

"""Rewrites the golden transcripts; `git diff` then shows what has changed."""

from __future__ import annotations

from tests.transcripts import FOLDER, GAMES, golden

for name in GAMES:
    (FOLDER / f"{name}.txt").write_text(golden(name), encoding="utf-8", newline="\n")
    print(name)

"""Saved games that may be damaged: as much as holds."""

from __future__ import annotations

from dataclasses import dataclass

from ..table.transcript import Broken, RulesFinder, Transcript, read_transcript


@dataclass(frozen=True)
class Holding:
    """As much of a transcript as holds, and why the rest does not."""

    transcript: Transcript | None
    broken: Broken | None


def read_holding(text: str, find_rules: RulesFinder) -> Holding:
    """Reads all that holds; a last line that was cut off is reported as broken."""
    try:
        transcript = read_transcript(text, find_rules)
    except Broken as broken:
        return Holding(_read_before(text, broken.line, find_rules), broken)
    torn = Broken(text.count("\n") + (not text.endswith("\n")), "torn") if transcript.torn else None
    return Holding(transcript, torn)


def _read_before(text: str, line: int, find_rules: RulesFinder) -> Transcript | None:
    kept = text.split("\n")[: line - 1]
    try:
        return read_transcript("".join(f"{one}\n" for one in kept), find_rules)
    except Broken:
        return None

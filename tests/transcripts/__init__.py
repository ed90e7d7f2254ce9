"""Golden transcripts: whole games, rewritten by `python -m tests.transcripts` and compared in the suite."""

from __future__ import annotations

from pathlib import Path

from wasabi_tx.engine.editions import rules_for
from wasabi_tx.games.arena import play_out

FOLDER = Path(__file__).parent
GAMES: dict[str, tuple[str, tuple[str, ...]]] = {
    "classic-2-greedy-random": ("classic", ("greedy", "random")),
    "classic-3-greedy": ("classic", ("greedy", "greedy", "easy")),
    "classic-4-random": ("classic", ("random",) * 4),
    "master-2-greedy-random": ("master", ("greedy", "random")),
    "master-3-random": ("master", ("random",) * 3),
    "master-4-greedy": ("master", ("greedy", "easy", "greedy", "random")),
}


def golden(name: str) -> str:
    """Return the transcript of the game of this name, as it is played now."""
    edition, bots = GAMES[name]
    return play_out(rules_for(edition, len(bots)), bots, name, 0, record=True).transcript

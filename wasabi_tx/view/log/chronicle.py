"""The chronicle of a game, turn by turn, and which squares have changed since a player's last turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...engine.position import NOBODY, Position
from ...engine.rules import AnyRules
from ...table.game import Player
from ...table.transcript import Move, Transcript
from ...text import Texts
from ...text.marks import mark, renamed, unmarked
from .phrases import phrases


@dataclass(frozen=True)
class TurnEntry:
    """What one seat did in one turn, in few words."""

    turn: int
    seat: int
    words: tuple[str, ...]


class Chronicle:
    """Follows a game from its events."""

    def __init__(self, rules: AnyRules, players: Sequence[Player], texts: Texts) -> None:
        self._rules = rules
        self._players = players
        self._texts = texts
        self.entries: list[TurnEntry] = []
        self._authors: list[dict[int, int]] = [{} for _ in players]
        self._mover = NOBODY

    def follow(self, transcript: Transcript) -> None:
        """Takes in all that a transcript tells."""
        for move in transcript.moves:
            self.add(move)

    def add(self, move: Move) -> TurnEntry:
        """Takes in a move; what it adds to the log."""
        seat, before, after = move.seat, move.before, move.after
        words = tuple(phrases(self._texts, self._rules, self._players, before, move.steps))
        entry = TurnEntry(before.turn, seat, words)
        last = self.entries[-1] if self.entries else None
        if last is not None and (last.turn, last.seat) == (entry.turn, seat):
            self.entries[-1] = TurnEntry(entry.turn, seat, last.words + words)
        else:
            self.entries.append(entry)
        self._mark(seat, before, after)
        return entry

    def _mark(self, seat: int, before: Position, after: Position) -> None:
        """Notes the author of every changed square for all others; the author has seen it all."""
        for number, authors in enumerate(self._authors):
            if number == seat:
                continue
            for square in changed_squares(before, after):
                authors[square] = seat
        # A card may be turned up at the end of a turn, when nobody moves.
        self._mover = self._mover if before.mover == NOBODY else before.mover
        if self._mover != NOBODY and after.turn != before.turn:
            self._authors[self._mover] = {}

    def authors(self, seat: int | None) -> dict[int, int]:
        """Who changed which square since the seat's last turn."""
        return {} if seat is None else dict(self._authors[seat])

    def line(self, entry: TurnEntry, you: int | None = None) -> str:
        """The entry in plain words; `you` is the reader's seat."""
        return unmarked(entry_sentence(entry, [player.name for player in self._players], self._texts, you))


def entry_sentence(entry: TurnEntry, names: Sequence[str], texts: Texts, you: int | None = None) -> str:
    """`Ana put Tuna on d3 and completed Crunchy Tuna with style: 4 points.`, marked; `you` is the reader's seat."""
    say = texts.say
    words = list(entry.words) or [say("log.nothing")]
    if entry.seat == NOBODY:
        return f"{say('log.dealer')}: {', '.join(words)}."
    who = mark("who", names[entry.seat], str(entry.seat + 1))
    told = words[0] if len(words) == 1 else ", ".join(words[:-1]) + say("worth.and") + words[-1]
    if you is not None:
        told = renamed(told, str(you + 1), say("log.you"))
    return f"{who} {told}."


def changed_squares(before: Position, after: Position) -> list[int]:
    """Squares that look different: another stack, or covered or uncovered."""
    old, new = before.board, after.board
    return [
        square
        for square in range(len(new.stacks))
        if old.stacks[square] != new.stacks[square] or (square in old.blocked) != (square in new.blocked)
    ]

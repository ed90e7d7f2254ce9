"""The chronicle of a game, turn by turn, and the squares that have changed since a player's last turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ...engine.position import NOBODY, Position
from ...engine.rules import AnyRules
from ...games.game import Player
from ...games.plans import Plans
from ...games.transcript import Move, Transcript
from ...text import Texts
from ...text.marks import mark, renamed, unmarked
from .phrases import Phrase, Rank, listed, phrases, told_words


@dataclass(frozen=True)
class TurnEntry:
    """The actions of one seat in one turn, in few words."""

    turn: int
    seat: int
    phrases: tuple[Phrase, ...]
    planned: bool = False
    """True if the turn was played from the player's plan."""


def with_plans(entry: TurnEntry, you: int | None, plans: Plans) -> TurnEntry:
    """Return the entry, marked as planned if it is a turn of the reader's that was played from a plan."""
    return replace(entry, planned=True) if entry.seat == you and entry.turn in plans.played else entry


class Chronicle:
    """Follows a game by its moves."""

    def __init__(self, rules: AnyRules, players: Sequence[Player], texts: Texts) -> None:
        self._rules = rules
        self._players = players
        self._texts = texts
        self.entries: list[TurnEntry] = []
        self._authors: list[dict[int, int]] = [{} for _ in players]
        self._covers: list[dict[int, int]] = [{} for _ in players]
        """The seat that covered each square's tiles; once uncovered, the square is as it was."""
        self._mover = NOBODY

    def follow(self, transcript: Transcript) -> None:
        """Add all moves of a transcript."""
        for move in transcript.moves:
            self.add(move)

    def add(self, move: Move) -> TurnEntry:
        """Add a move and return its entry for the log."""
        seat, before, after = move.seat, move.before, move.after
        told = tuple(phrases(self._texts, self._rules, self._players, before, move.steps))
        entry = TurnEntry(before.turn, seat, told)
        at = self._begun(entry)
        if at is None:
            self.entries.append(entry)
        else:
            self.entries[at] = TurnEntry(entry.turn, seat, self.entries[at].phrases + told)
        self._mark(seat, before, after)
        return entry

    def take_back(self, turn: int) -> None:
        """Forget a turn and everything after it."""
        self.entries = [entry for entry in self.entries if entry.turn < turn]
        self._authors = [{} for _ in self._players]
        self._covers = [{} for _ in self._players]

    def _begun(self, entry: TurnEntry) -> int | None:
        """Return the index of the entry that began this turn; entries for cards turned up may follow it."""
        for at in range(len(self.entries) - 1, -1, -1):
            if (self.entries[at].turn, self.entries[at].seat) == (entry.turn, entry.seat):
                return at
            if self.entries[at].seat != NOBODY:
                break
        return None

    def _mark(self, seat: int, before: Position, after: Position) -> None:
        """Note the author of every changed square for all other seats; the author has seen the change."""
        old, new = before.board, after.board
        for number, (authors, covers) in enumerate(zip(self._authors, self._covers, strict=True)):
            for square in changed_squares(before, after):
                if square not in new.blocked:
                    covers.pop(square, None)
                elif number != seat and square not in old.blocked:
                    covers[square] = seat
                if number != seat and new.stacks[square] != old.stacks[square]:
                    authors[square] = seat
        # A card may be turned up at the end of a turn, when nobody moves.
        self._mover = self._mover if before.mover == NOBODY else before.mover
        if self._mover != NOBODY and after.turn != before.turn:
            self._authors[self._mover], self._covers[self._mover] = {}, {}

    def authors(self, seat: int | None) -> dict[int, int]:
        """Return who changed each square since the seat's last turn; uncovering a square does not count."""
        return {} if seat is None else self._authors[seat] | self._covers[seat]

    def line(self, entry: TurnEntry, you: int | None = None) -> str:
        """Return the entry in plain words; `you` is the reader's seat."""
        return unmarked(entry_sentence(entry, [player.name for player in self._players], self._texts, you))


def entry_sentences(entry: TurnEntry, names: Sequence[str], texts: Texts, you: int | None = None) -> Iterator[str]:
    """Yield the turn as one full sentence and then as ever shorter ones, to choose from by the room available."""
    kept = list(entry.phrases)
    yield _sentence(entry, kept, names, texts, you)
    while len(kept) > 1:
        least = min(one.rank for one in kept)
        numbers = [number for number, one in enumerate(kept) if one.rank == least]
        # The last actions matter most; steps that fill up a hand are in order of importance.
        number = numbers[0] if least == Rank.DONE else numbers[-1]
        others = [one for one in kept if not one.kind or one.kind != kept[number].kind]
        if not others:
            kept = [Phrase(texts.say(f"log.several.{kept[number].kind}", count=len(kept)))]
        else:
            kept = others if kept[number].kind else kept[:number] + kept[number + 1 :]
        yield _sentence(entry, kept, names, texts, you)
    if kept and kept[0].brief:
        yield _sentence(entry, [Phrase(kept[0].brief)], names, texts, you)


def entry_sentence(entry: TurnEntry, names: Sequence[str], texts: Texts, you: int | None = None) -> str:
    """Return, marked, `Ana put Tuna on d3 and completed Crunchy Tuna with style: 4 points.`; `you` is the reader."""
    return _sentence(entry, entry.phrases, names, texts, you)


def _sentence(entry: TurnEntry, phrases: Sequence[Phrase], names: Sequence[str], texts: Texts, you: int | None) -> str:
    say = texts.say
    words = told_words(phrases, texts) or [say("log.nothing")]
    if entry.seat == NOBODY:
        return f"{say('log.dealer')}: {', '.join(words)}."
    # Some languages would change the whole sentence for "you"; they keep the name.
    name = (say("log.own") if entry.seat == you else "") or names[entry.seat]
    who: str = mark("who", name, str(entry.seat + 1))
    if entry.planned:
        who += f" {say('log.planned')}"
    told = listed(words, texts)
    if you is not None:
        told = renamed(told, str(you + 1), say("log.you"))
    # A card's name may end in a punctuation mark of its own.
    return f"{who} {told}" + ("" if unmarked(told).endswith("!") else ".")


def changed_squares(before: Position, after: Position) -> list[int]:
    """Return the squares that look different: another stack, or newly covered or uncovered."""
    old, new = before.board, after.board
    return [
        square
        for square in range(len(new.stacks))
        if old.stacks[square] != new.stacks[square] or (square in old.blocked) != (square in new.blocked)
    ]

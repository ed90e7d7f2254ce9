"""Transcripts: local games as readable text, the position at the start of every turn and every step in notation.

    wasabi-tx transcript 2
    edition: classic 5f0c...
    players: 2
    seat 1: person Ana
    seat 2: bot normal
    deal 2: tekkamaki ...
    first: 2

    --- turn 1
    position: classic, 2 players
    ...
    > 2: place Tu d3; done; tile Cu

A transcript only grows, so a game that was cut short is a transcript without its end.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from ..engine.errors import RulesError
from ..engine.position import NOBODY, Position
from ..engine.position_text import format_position
from ..engine.rules import RULES_VERSION, AnyRules
from ..engine.sealed_card import Card, make_card
from ..engine.step import Step
from ..text.foreign import NAME, clean, harmless
from .game import Change, Dealt, Excluded, Played, Player, SeatLeft

TITLE = f"wasabi-tx transcript {RULES_VERSION}"
"""The first line, with the version of the rules that the game was played by."""
DEALER = "dealer"
_TITLE = re.compile(r"wasabi-tx transcript [0-9]{1,9}", re.ASCII)
_HEAD = re.compile(r"(edition|players|first|seed|seat [1-4]|deal [1-5]): (.*)")
_STEPS = re.compile(r"> ([1-4]|dealer): (.+)")

RulesFinder = Callable[[str, int], AnyRules]


class Broken(Exception):
    """A transcript that is not valid: the line, and what is wrong there."""

    def __init__(self, line: int, problem: str, detail: str = "") -> None:
        super().__init__(line, problem, detail)
        self.line = line
        self.problem = problem
        self.detail = detail


@dataclass(frozen=True)
class Move:
    """One line of steps: the seat that took them, and the positions around them."""

    seat: int
    """The seat, or `NOBODY` for the dealer."""
    steps: tuple[Step, ...]
    before: Position
    after: Position


def move_of(event: Change, before: Position) -> Move:
    """Return an event as a move; an exclusion counts as a move of the excluded seat."""
    match event:
        case Played(bundle, earlier, after):
            return Move(bundle.seat, bundle.steps, earlier, after)
        case Dealt(step, after):
            return Move(NOBODY, (step,), before, after)
        case SeatLeft(seat, after):
            return Move(seat, (Step("leave", (seat,)),), before, after)
        case Excluded(seat, _, after):
            return Move(seat, (Step("exclude", (seat,)),), before, after)


def moves_of(start: Position, changes: Sequence[Change]) -> tuple[Move, ...]:
    """Return consecutive changes from a first position as moves."""
    before = (start, *(change.after for change in changes))
    return tuple(move_of(change, position) for change, position in zip(changes, before, strict=False))


class Past(Protocol):
    """The moves played before a screen begins to follow a game."""

    @property
    def start(self) -> Position: ...

    @property
    def moves(self) -> tuple[Move, ...]: ...

    @property
    def known(self) -> int:
        """The number of moves that were seen before."""
        ...

    @property
    def faces(self) -> Mapping[Card, int]:
        """The saved faces of recipes."""
        ...


@dataclass(frozen=True)
class GameRecord:
    """A game as far as somebody has followed it."""

    rules: AnyRules
    players: tuple[Player, ...]
    faces: Mapping[Card, int]
    """The known faces of recipes."""
    moves: tuple[Move, ...]


@dataclass(frozen=True)
class Transcript:
    rules: AnyRules
    players: tuple[Player, ...]
    first: int
    seed: str
    faces: dict[Card, int]
    start: Position
    moves: tuple[Move, ...]
    lines: int
    """The number of valid lines; the text after them was cut off while it was being written."""
    torn: bool
    owes_turn: bool
    """True if the position at the start of the present turn is missing from the valid lines."""

    @property
    def record(self) -> GameRecord:
        return GameRecord(self.rules, self.players, self.faces, self.moves)

    @property
    def last(self) -> Position:
        return self.moves[-1].after if self.moves else self.start

    @property
    def known(self) -> int:
        return len(self.moves)


def write_head(rules: AnyRules, players: tuple[Player, ...], first: int, seed: str, faces: dict[Card, int]) -> str:
    edition = rules.edition
    lines = [TITLE, f"edition: {edition.id} {edition.hash}", f"players: {rules.players}", f"seed: {seed}"]
    for number, player in enumerate(players, 1):
        kind = f"bot {player.bot}" if player.bot else "person"
        lines.append(f"seat {number}: {kind} {harmless(player.name)}")
    for deck, size in rules.deck_sizes().items():
        lines.append(f"deal {deck}: " + " ".join(rules.face_name(deck, faces[make_card(deck, n)]) for n in range(size)))
    return "\n".join([*lines, f"first: {first + 1}", ""])


def write_turn(rules: AnyRules, position: Position, faces: dict[Card, int]) -> str:
    """Format the position at the start of a turn, or at the end of the game."""
    title = f"turn {position.turn}" if position.outcome is None else "end"
    return f"\n--- {title}\n{format_position(rules, position, faces)}"


def is_of_edition(text: str, edition: str) -> bool:
    """Return whether a transcript's head names this edition."""
    return f"\nedition: {edition} " in text


def write_steps(rules: AnyRules, seat: int, steps: tuple[Step, ...]) -> str:
    return f"> {DEALER if seat == NOBODY else seat + 1}: {rules.format(steps)}\n"


def export_moves(transcript: Transcript) -> Iterator[dict[str, Any]]:
    """Export a game for other programs: first an object about the game, then one for each line of steps."""
    rules = transcript.rules
    yield {
        "edition": rules.edition.id,
        "seed": transcript.seed,
        "seats": [{"seat": n, "name": one.name, "bot": one.bot} for n, one in enumerate(transcript.players)],
        "first": transcript.first,
    }
    for move in transcript.moves:
        yield {
            "seat": None if move.seat == NOBODY else move.seat,
            "turn": move.before.turn,
            "steps": [rules.format((step,)) for step in move.steps],
        }


def export_lines(transcript: Transcript) -> Iterator[str]:
    """Export a game as lines for people."""
    head, *moves = export_moves(transcript)
    yield f"edition {head['edition']}"
    for number, player in enumerate(transcript.players, start=1):
        yield f"seat {number}: {player.name}"
    for move in moves:
        who = DEALER if move["seat"] is None else transcript.players[move["seat"]].name
        yield f"turn {move['turn']} {who}: {'; '.join(move['steps'])}"


def read_transcript(text: str, find_rules: RulesFinder) -> Transcript:
    """Replay the game in the text and check it line by line; raise `Broken` with the first invalid line."""
    return _Reader(text, find_rules).read()


class _Reader:
    def __init__(self, text: str, find_rules: RulesFinder) -> None:
        whole = text.endswith("\n")
        lines = text.split("\n")
        # Text after the last line ending was cut off while it was being written.
        self.torn = not whole and bool(text)
        self.lines = lines[:-1]
        self.at = 0
        self.sound = 0
        self.owes_turn = True
        self.find_rules = find_rules

    def read(self) -> Transcript:
        title = self.lines[0] if self.lines else ""
        if _TITLE.fullmatch(title) and title != TITLE:
            raise Broken(1, "other-rules", title.split()[-1])
        if title != TITLE:
            raise Broken(1, "not-a-transcript")
        self.at = 1
        head = self._head()
        rules, players, first, faces = self._setting(head)
        self.sound = self.at
        start = rules.start(first)
        moves = tuple(self._moves(rules, start, faces))
        seed = head.get("seed", "")
        return Transcript(rules, players, first, seed, faces, start, moves, self.sound, self.torn, self.owes_turn)

    def _fault(self, problem: str, detail: str = "") -> Broken:
        return Broken(self.at + 1, problem, detail)

    def _head(self) -> dict[str, str]:
        head = {}
        while self.at < len(self.lines) and (found := _HEAD.fullmatch(self.lines[self.at])):
            head[found[1]] = found[2]
            self.at += 1
        return head

    def _setting(self, head: dict[str, str]) -> tuple[AnyRules, tuple[Player, ...], int, dict[Card, int]]:
        name, _, fingerprint = head.get("edition", "").partition(" ")
        count = head.get("players", "")
        if count not in ("2", "3", "4"):
            raise self._fault("players", count)
        try:
            rules = self.find_rules(name, int(count))
        except KeyError:
            raise self._fault("unknown-edition", name) from None
        if rules.edition.hash != fingerprint:
            raise self._fault("other-edition", name)
        seats = [str(number + 1) for number in range(rules.players)]
        if head.get("first") not in seats:
            raise self._fault("first", head.get("first", ""))
        players = tuple(self._player(head.get(f"seat {seat}", "")) for seat in seats)
        return rules, players, int(head["first"]) - 1, self._faces(rules, head)

    def _player(self, text: str) -> Player:
        kind, _, rest = text.partition(" ")
        if kind == "person":
            return Player(clean(rest, NAME))
        bot, _, name = rest.partition(" ")
        if kind != "bot" or not bot:
            raise self._fault("seat", text)
        return Player(clean(name or bot, NAME), clean(bot, NAME))

    def _faces(self, rules: AnyRules, head: dict[str, str]) -> dict[Card, int]:
        faces = {}
        for key, names in head.items():
            if key.startswith("deal "):
                deck = int(key.removeprefix("deal "))
                for place, name in enumerate(names.split()):
                    try:
                        faces[make_card(deck, place)] = rules.face_number(deck, name)
                    except KeyError:
                        raise self._fault("recipe", name) from None
        return faces

    def _moves(self, rules: AnyRules, position: Position, faces: dict[Card, int]) -> Iterator[Move]:
        while self.at < len(self.lines):
            line = self.lines[self.at]
            if line.startswith("--- "):
                self._check_position(rules, position, faces)
            elif found := _STEPS.fullmatch(line):
                move = self._move(rules, position, found[1], found[2])
                self.owes_turn = move.after.turn != position.turn or move.after.outcome is not None
                position = move.after
                self.at += 1
                self.sound = self.at
                yield move
            elif line:
                raise self._fault("line", line[:60])
            else:
                self.at += 1

    def _move(self, rules: AnyRules, before: Position, who: str, text: str) -> Move:
        seat = NOBODY if who == DEALER else int(who) - 1
        try:
            steps = rules.parse(text)
            leaving = steps[0].verb == "leave" and steps[0].args == (seat,)
            if seat != before.mover and not leaving:
                raise self._fault("not-their-turn", who)
            after = before
            for step in steps:
                after = rules.apply(after, step)
        except RulesError as error:
            raise self._fault("step", str(error)) from error
        return Move(seat, steps, before, after)

    def _check_position(self, rules: AnyRules, position: Position, faces: dict[Card, int]) -> None:
        """Check that the position written here is the one that the steps led to; a torn file may end within it."""
        self.at += 1
        for expected in format_position(rules, position, faces).splitlines():
            if self.at >= len(self.lines):
                self.torn = True
                return
            if self.lines[self.at] != expected:
                raise self._fault("position", self.lines[self.at][:60])
            self.at += 1
        self.sound = self.at
        self.owes_turn = False

"""The replay of a saved game, turn by turn."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from ..engine.observe import observe
from ..engine.position import NOBODY, Position
from ..games.game import Player, first_person
from ..games.transcript import Broken, Move, RulesFinder, Transcript, read_transcript
from ..games.what_if import may_branch, turn_start, unsaved, what_if
from ..text import Texts
from ..view.log.chronicle import Chronicle, TurnEntry
from ..view.log.phrases import phrases
from ..view.table.ending import end_view, ending_lines
from ..view.table.plain_table import table_lines, wrap
from ..view.table.recipe import recipe_name, strip_codes
from ..view.table.table import describe_table
from .console import Console, InputEnded
from .session import PlainSession


@dataclass(frozen=True)
class ReplayPage:
    """One turn: the position before it, and its moves; setup is turn 0."""

    turn: int
    before: Position
    moves: tuple[Move, ...]


def pages_of(transcript: Transcript) -> list[ReplayPage]:
    pages: list[ReplayPage] = []
    for move in transcript.moves:
        if pages and pages[-1].turn == move.before.turn:
            pages[-1] = ReplayPage(pages[-1].turn, pages[-1].before, (*pages[-1].moves, move))
        else:
            pages.append(ReplayPage(move.before.turn, move.before, (move,)))
    return pages or [ReplayPage(transcript.start.turn, transcript.start, ())]


class PlainReplay:
    """Shows the pages of a replay, forwards and backwards."""

    def __init__(self, transcript: Transcript, console: Console, texts: Texts) -> None:
        self._transcript = transcript
        self._console = console
        self._texts = texts
        self._pages = pages_of(transcript)
        self._chronicle = Chronicle(transcript.rules, transcript.players, texts)

    def print_all(self) -> None:
        self._head()
        for page in self._pages:
            self._show(page)
        self._end()

    def walk(self) -> None:
        """Show turns as the person asks for them, until they quit or the input ends."""
        self._head()
        self._console.say_all(wrap(self._texts.say("replay.how")))
        at = 0
        try:
            while True:
                self._show(self._pages[at])
                if at == len(self._pages) - 1:
                    self._end()
                at = self._ask(at)
        except InputEnded:
            return

    def _ask(self, at: int) -> int:
        """Ask for the next page, and return its number."""
        while True:
            word = self._console.ask().strip().casefold()
            if word in ("q", "quit", *self._texts.say("command.quit").split()):
                raise InputEnded
            if not word and at == len(self._pages) - 1:
                raise InputEnded
            if not word:
                return at + 1
            if word == "b":
                return max(at - 1, 0)
            if word in self._texts.say("replay.what-if").split():
                self._play_on(self._pages[at])
                return at
            turns = [page.turn for page in self._pages]
            if word.isascii() and word.isdigit() and len(word) < 6:
                if int(word) in turns:
                    return turns.index(int(word))
                self._say("replay.no-turn", turn=int(word), first=turns[0], last=turns[-1])
            else:
                self._say("replay.unknown")

    def _play_on(self, page: ReplayPage) -> None:
        """Play on against bots from the beginning of a turn, without saving anything."""
        record, seat = self._transcript.record, first_person(self._players)
        at = turn_start(record, page.turn)
        if self._transcript.last.outcome is None:
            self._say("replay.not-over")
        elif not may_branch(record, at, seat):
            self._say("replay.nothing-to-play")
        else:
            earlier = what_if(record, at, seat)
            self._say("play.what-if", turn=page.turn)
            asyncio.run(_play(earlier, self._console, self._texts))

    def _say(self, key: str, **params: object) -> None:
        self._console.say_all(wrap(self._texts.say(key, **params)))

    def _head(self) -> None:
        names = ", ".join(f"{player.name} ({player.bot})" if player.bot else player.name for player in self._players)
        edition = self._transcript.rules.edition.names[self._texts.language]
        self._say("replay.head", edition=edition, names=names)

    @property
    def _players(self) -> tuple[Player, ...]:
        return self._transcript.players

    def _show(self, page: ReplayPage) -> None:
        """Print the table before the turn with all recipes open, then the turn's moves."""
        rules, texts = self._transcript.rules, self._texts
        observation = observe(rules, page.before, None, {})
        view = describe_table(observation, self._players, texts)
        self._console.print_lines("", *table_lines(view, rules, texts))
        for player, seat in zip(self._players, page.before.seats, strict=True):
            known = [self._transcript.faces[card] for card in seat.recipes if card in self._transcript.faces]
            words = ", ".join(f"{recipe_name(rules, texts, face)} ({strip_codes(rules, face)})" for face in known)
            self._console.say_all(wrap(texts.say("replay.recipes", name=player.name, recipes=words or "-"), "  "))
        for move in page.moves:
            told = tuple(phrases(texts, rules, self._players, move.before, move.steps))
            line = self._chronicle.line(TurnEntry(page.turn, move.seat, told))
            self._console.say_all(wrap(("  " if move.seat == NOBODY else "> ") + line, "    "))

    def _end(self) -> None:
        last = self._transcript.last
        if last.outcome is None:
            self._say("replay.end")
            return
        view = end_view(self._transcript.rules, last, self._players, self._texts)
        self._console.print_lines("", *ending_lines(view, self._texts))


async def _play(earlier: Transcript, console: Console, texts: Texts) -> None:
    """Play a game that is not saved, on from its last move."""
    chronicle = Chronicle(earlier.rules, earlier.players, texts)
    chronicle.follow(earlier)
    game = unsaved(earlier)
    try:
        await PlainSession(game, console, texts, chronicle, "").run()
    finally:
        await game.close()


@dataclass(frozen=True)
class Holding:
    """The valid beginning of a transcript, and why the rest is invalid."""

    transcript: Transcript | None
    broken: Broken | None


def read_holding(text: str, find_rules: RulesFinder) -> Holding:
    """Read everything that is valid; a last line that was cut off is reported as broken."""
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

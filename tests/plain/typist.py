"""A player of a plain game who types what a bot would do."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from wasabi_tx.bots.levels import GREEDY, RandomLegal
from wasabi_tx.engine.editions import rules_for
from wasabi_tx.engine.observe import Observation
from wasabi_tx.engine.step import Bundle
from wasabi_tx.games.game import Player
from wasabi_tx.games.local import LocalGame
from wasabi_tx.games.transcript import Transcript, read_transcript
from wasabi_tx.plain.console import Console
from wasabi_tx.plain.session import PlainSession
from wasabi_tx.text import Texts
from wasabi_tx.turn.step_groups import typed_form
from wasabi_tx.view.log.chronicle import Chronicle
from wasabi_tx.view.table.hand import hand_of

Advice = Callable[[Observation], Bundle]


def good(observation: Observation) -> Bundle:
    """Return the bundle that a good player would send."""
    return GREEDY.explain(observation).bundle


def quick(observation: Observation) -> Bundle:
    """Return a legal bundle quickly, always the same one in the same position."""
    digest = observation.rules.digest(observation.position)
    return RandomLegal().choose(observation, Random(digest), 1)


class Typist(io.StringIO):
    """Type whole bundles, send them and raise curtains, up to this number of lines."""

    def __init__(self, target: io.StringIO, texts: Texts, advice: Advice, most: int, liberal: bool) -> None:
        super().__init__()
        self.game: LocalGame | None = None
        self.typed: list[str] = []
        self._target = target
        self._advice = advice
        self.watch: Callable[[Typist, str], None] = lambda _typist, _said: None
        self._watched = 0
        self._most = most
        self._texts = texts
        self._liberal = liberal

    def readline(self, _size: int | None = -1) -> str:  # type: ignore[override]
        said = self._target.getvalue()
        fresh = said[self._watched :]
        self.watch(self, fresh)
        self._watched = len(said)
        if len(self.typed) >= self._most:
            return ""
        line = self._answer(fresh.rstrip("> ").splitlines())
        self.typed.append(line)
        return line + "\n"

    def _answer(self, said: list[str]) -> str:
        assert self.game is not None
        if self._curtain(said) or self._is_ready(said):
            return ""
        observation = self.game.observation
        steps = self._advice(observation).steps
        if self._liberal:
            return "; ".join(typed_form(observation.rules, hand_of(observation), step, self._texts) for step in steps)
        return observation.rules.format(steps)

    def _is_ready(self, said: list[str]) -> bool:
        start = self._texts.say("prompt.send", steps="").rstrip(" .")
        return any(line.startswith(start) for line in said)

    def _curtain(self, said: list[str]) -> bool:
        return self.reader(" ".join(said[-2:])) is not ...

    def reader(self, said: str) -> object:
        """Return the seat that reads the last lines, None between two people, or `...` without curtains."""
        assert self.game is not None
        names = [player.name for player in self.game.players]
        for seat, name in enumerate(names):
            if any(self._texts.say("play.curtain", name=name, next=other) in said for other in names):
                return seat
            if self._texts.say("play.curtain-ready", name=name) in said:
                return None
        return ...


@dataclass
class Sitting:
    """The printed text of a game, or of a part of it."""

    output: str
    typed: list[str]
    transcript: str
    ended: bool
    lines: list[str] = field(init=False)

    def __post_init__(self) -> None:
        self.lines = self.output.splitlines()


def sit_down(
    players: tuple[Player, ...],
    seed: str,
    *,
    edition: str = "classic",
    language: str = "en",
    most: int = 10_000,
    typed: str | None = None,
    earlier: str | None = None,
    liberal: bool = False,
    advice: Advice = quick,
    watch: Callable[[Typist, str], None] | None = None,
) -> Sitting:
    """Play a game with a typist or from given text, until the game or the input ends."""
    texts, target = Texts(language), io.StringIO()
    journal: list[str] = []
    rules = rules_for(edition, len(players))
    chronicle = Chronicle(rules, players, texts)
    source = Typist(target, texts, advice, most, liberal) if typed is None else io.StringIO(typed)

    def erase(text: str) -> None:
        while text:
            last = journal.pop()
            assert text.endswith(last)
            text = text[: len(text) - len(last)]

    async def play() -> bool:
        if earlier is None:
            game = LocalGame(rules, players, seed, journal.append, erase=erase)
        else:
            saved = load(earlier)
            chronicle.follow(saved)
            journal.extend(earlier.splitlines(keepends=True)[: saved.lines])
            game = LocalGame.resumed(saved, journal.append, erase=erase)
        if isinstance(source, Typist):
            source.game = game
            source.watch = watch or source.watch
        try:
            return await PlainSession(game, Console(source, target), texts, chronicle, "FILE").run()
        finally:
            await game.close()

    ended = asyncio.run(play())
    lines = source.typed if isinstance(source, Typist) else []
    return Sitting(target.getvalue(), lines, "".join(journal), ended)


def load(text: str) -> Transcript:
    return read_transcript(text, rules_for)

"""The engine and the oracle play the same random games and must agree at every step."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, fields
from random import Random
from typing import Any

from tests.oracle.alike import deck_of
from tests.oracle.oracles import ORACLES, Faces, Oracle, Step
from wasabi_tx.engine import step as engine_step
from wasabi_tx.engine.edition import EditionError
from wasabi_tx.engine.editions import edition_text, rules_from_text
from wasabi_tx.engine.errors import RulesError

EDITIONS = [*ORACLES["classic"].edits, "wild"]
"""The first edition and those derived from it; by default, every other game uses the first."""

MASTER_EDITIONS = [*ORACLES["master"].edits, "wild"]
"""The second edition and those derived from it, likewise."""

LONGEST = 4000
"""Steps after which a game is abandoned; unfinished games are counted."""


@dataclass
class Tally:
    """Counts of the comparison, and the disagreements found."""

    games: int = 0
    steps: int = 0
    attempts: int = 0
    refused: int = 0
    verbs: Counter[str] = field(default_factory=Counter)
    endings: Counter[str] = field(default_factory=Counter)
    occasions: Counter[str] = field(default_factory=Counter)
    disagreements: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Add the other tally's counts."""
        for one in fields(self):
            setattr(self, one.name, getattr(self, one.name) + getattr(other, one.name))


class Disagreement(Exception):
    """The subject of a disagreement, the engine's answer and the oracle's."""

    def __init__(self, about: str, engine: object, oracle: object) -> None:
        super().__init__(about)
        self.about, self.engine, self.oracle = about, engine, oracle


class Match:
    """One game in both implementations; `take` moves both and compares them."""

    def __init__(self, text: str, players: int, rng: Random, oracle: Oracle = ORACLES["classic"]) -> None:
        self.rng = rng
        self.oracle = oracle
        self.rules: Any = rules_from_text(text, players)
        self.hash = bytes.fromhex(self.rules.edition.hash)
        first = rng.randrange(players)
        self.position: Any = self.rules.start(first)
        self.state: Any = oracle.rules.start(oracle.rules.read(text, players), first)
        self.history: list[Step] = []
        self.turn: list[Step] = []
        self.faces: Faces = {}
        self.tally = Tally(games=1)
        self._deal()
        self._compare_positions("the start", self.position, self.state)

    def _deal(self) -> None:
        """Assign shuffled faces to the cards that have none: all at the start, renamed decks later."""
        held = [card for seat in self.state.seats for card in seat.recipes]
        for deck, cards in self.state.decks.items():
            unnamed = [card for card in held + cards if deck_of(card) == deck and card not in self.faces]
            if unnamed:
                hidden = self.oracle.hidden(self.state, deck, self.faces)
                self.rng.shuffle(hidden)
                self.faces.update(zip(unnamed, hidden, strict=True))

    def own_faces(self) -> Faces:
        """Return the faces the mover knows, or the one about to be turned up."""
        return self.oracle.known(self.state, self.faces)

    def some_faces(self) -> Faces:
        """Return faces somebody might know or guess: none, all, a part, or possible recipes."""
        if self.rng.random() < 0.25:
            return self._guesses()
        share = self.rng.choice([0.0, 0.5, 1.0])
        return {card: face for card, face in self.faces.items() if self.rng.random() < share}

    def _guesses(self) -> Faces:
        """Return a possible face for each card."""
        fitting = {deck: self.oracle.guesses(self.state, deck) for deck in self.state.decks}
        return {card: self.rng.choice(fitting[deck_of(card)]) for card in self.faces if fitting[deck_of(card)]}

    def legal(self, faces: Faces) -> list[Step]:
        """Return the legal steps; raise Disagreement unless both agree on them."""
        expected: list[Step] = self.oracle.rules.legal(self.state, faces)
        try:
            found = [(step.verb, tuple(step.args)) for step in self.rules.legal(self.position, faces)]
        except Exception as error:
            raise Disagreement(f"legal steps, knowing {len(faces)} faces", f"failed: {error!r}", expected) from error
        if found != expected:
            only = {"only here": sorted(set(found) - set(expected)), "all": found}
            others = {"only here": sorted(set(expected) - set(found)), "all": expected}
            raise Disagreement(f"legal steps, knowing {len(faces)} faces", only, others)
        if (not expected) != (self.state.phase == "over"):
            raise Disagreement("a legal step until the game is over", found, self.state.phase)
        return expected

    def claims_after(self, step: Step) -> int:
        """Return how many recipes the mover could claim after this step, using the engine, which is fast."""
        after = self.rules.apply(self.position, engine_step.Step(*step))
        return sum(next_step.verb == "claim" for next_step in self.rules.legal(after, self.own_faces()))

    def try_step(self, step: Step) -> tuple[Any, Any] | None:
        """Return both results, or None if both refuse."""
        try:
            state = self.oracle.rules.apply(self.state, step)
        except self.oracle.rules.Refused:
            state = None
        try:
            position = self.rules.apply(self.position, engine_step.Step(*step))
        except RulesError as error:
            if state is not None:
                raise Disagreement(f"whether {step} is allowed", f"refused: {error}", "allowed") from error
            return None
        except Exception as error:
            raise Disagreement(f"whether {step} is allowed", f"failed: {error!r}", state is not None) from error
        if state is None:
            raise Disagreement(f"whether {step} is allowed", "allowed", "refused")
        self._compare_positions(f"the result of {step}", position, state)
        return position, state

    def _compare_positions(self, about: str, position: Any, state: Any) -> None:
        outcome = position.outcome
        found = None
        if outcome is not None:
            found = (str(outcome.ending), list(outcome.winners), list(outcome.scores))
        expected = None
        if state.outcome is not None:
            expected = (state.outcome.ending, state.outcome.winners, state.outcome.scores)
        if found != expected:
            raise Disagreement(f"outcome in {about}", found, expected)
        if self.rules.digest(position) != self.oracle.rules.digest(state, self.hash):
            raise Disagreement(f"digest of {about}", position, readable(state))

    def take(self, step: Step) -> None:
        """Move both; raise Disagreement if they differ."""
        results = self.try_step(step)
        if results is None:
            raise Disagreement(f"whether the listed {step} is allowed", "refused", "refused")
        before = self.state
        self.position, self.state = results
        self.history.append(step)
        self.tally.steps += 1
        self.tally.verbs[step[0]] += 1
        self.tally.occasions.update(self.oracle.occasions(before, step, self.state, self.turn))
        self.turn = [*self.turn, step] if self.state.turn == before.turn else []
        broken = self.oracle.broken_laws(self.state)
        if broken:
            raise Disagreement(f"the laws after {step}", "the same", f"broken: {broken}")
        if self.state.epoch != before.epoch:
            self._deal()

    def spoil(self, steps: list[Step]) -> None:
        """Try a step that is probably illegal, without changing the game."""
        step = self.oracle.attempt(self.rng, self.state, steps)
        self.tally.attempts += 1
        if self.try_step(step) is None:
            self.tally.refused += 1


def play(match: Match) -> None:
    """Play one random game to its end."""
    player = match.oracle.player(match.rng)
    prying = match.rng.choice([0.05, 0.3])
    while match.state.phase != "over" and len(match.history) < LONGEST:
        faces = match.own_faces()
        steps = match.legal(faces)
        if match.rng.random() < 0.2:
            match.legal(match.some_faces())
        while match.rng.random() < prying:
            match.spoil(steps)
        if match.rng.random() < 0.02:
            player.mood = match.oracle.player(match.rng).mood
        step = player.leave(match.state) or player.choose(match.state, steps, faces, match.claims_after)
        match.take(step)
    match.legal(match.some_faces())
    for _ in range(5):
        match.spoil(match.history)
    match.tally.endings[match.state.outcome.ending if match.state.outcome else "broken off"] += 1


def play_numbered(seed: int, number: int, edition: str | None, rules: str = "classic") -> Tally:
    """Play the game of this number; its edition (unless given), players and all chance follow from the numbers."""
    oracle = ORACLES[rules]
    editions = [*oracle.edits, "wild"]
    name = edition or editions[number // 6 % len(editions) if number // 3 % 2 else 0]
    rng = Random(f"{seed}/{number}")
    players = 2 + number % 3
    printed = edition_text(rules)
    text = _wild_text(printed, oracle, seed, number, players) if name == "wild" else oracle.variant(printed, name)
    match = None
    try:
        match = Match(text, players, rng, oracle)
        play(match)
    except Disagreement as found:
        head = f"seed {seed}, game {number}, {rules}, edition {name}, players {players}"
        tally = match.tally if match else Tally(games=1)
        tally.disagreements.append(f"{head}\n{report(match, found)}")
        return tally
    return match.tally


def _wild_text(printed: str, oracle: Oracle, seed: int, number: int, players: int) -> str:
    """Return a wild edition that the engine accepts; one of twenty, since the engine caches what it has read."""
    rng = Random(f"{seed}/wild/{number // 3 % 20}")
    while True:
        text = oracle.wild(printed, rng)
        try:
            rules_from_text(text, players)
        except EditionError:
            continue
        return text


def report(match: Match | None, found: Disagreement) -> str:
    """Return the information a person needs to judge a disagreement."""
    lines = [f"about: {found.about}", f"engine: {found.engine}", f"oracle: {found.oracle}"]
    if match is not None:
        steps = [" ".join([verb, *map(str, args)]) for verb, args in match.history]
        lines += [f"after step {len(steps)}: " + "; ".join(steps[-12:]), "the position before, as the oracle sees it:"]
        lines.append(readable(match.state))
    return "\n".join(lines)


def readable(state: Any) -> str:
    """Return the fields of a state, one per line."""
    lines = []
    for one in fields(state):
        value = getattr(state, one.name)
        if one.name == "edition":
            continue
        if one.name == "board":
            value = {square: tiles for square, tiles in value.items() if tiles}
        if one.name == "decks":
            value = {length: len(cards) for length, cards in value.items()}
        if one.name == "seats":
            lines += [f"  seat {number}: {seat}" for number, seat in enumerate(value)]
            continue
        lines.append(f"  {one.name}: {value}")
    return "\n".join(lines)

"""Vectors of the game itself: positions of both editions, their bytes and digests, and the text of steps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256

from tests.protocol.vectors.vector import Book, Vector
from wasabi_tx.engine.deal import Dealer
from wasabi_tx.engine.editions import rules_for
from wasabi_tx.engine.position_text import format_position, parse_position
from wasabi_tx.engine.rules import AnyRules
from wasabi_tx.engine.step import Step


def _number(*names: object) -> int:
    """Return a number that is the same in every run and every version of Python."""
    return int.from_bytes(sha256(repr(names).encode()).digest()[:8], "big")


def _shuffled(label: str, pile: Sequence[int]) -> Sequence[int]:
    return sorted(pile, key=lambda face: (_number(label, face), face))


class Walk:
    """A game that advances by a fixed hash: a verb first, then one of its steps; completions when possible."""

    def __init__(self, edition: str, players: int) -> None:
        self.rules: AnyRules = rules_for(edition, players)
        self.dealer = Dealer(self.rules, _shuffled)
        self.position = self.rules.start(_number(edition, players) % players)
        self.count = 0

    def next_step(self) -> Step:
        dealt = self.dealer.supply(self.position)
        if dealt is not None:
            return dealt
        steps = self.rules.legal(self.position, self.dealer.faces)
        # Random passes would end a game before it begins.
        verbs = sorted({step.verb for step in steps} - {"pass"}) or ["pass"]
        won = [verb for verb in verbs if verb in self.rules.claiming]
        verb = (won or verbs)[_number("verb", self.count) % len(won or verbs)]
        chosen = [step for step in steps if step.verb == verb]
        return chosen[_number("step", self.count) % len(chosen)]

    def take(self, step: Step) -> None:
        self.position = self.rules.apply(self.position, step)
        self.dealer.supply(self.position)
        self.count += 1

    def walk(self, steps: int) -> None:
        for _ in range(steps):
            if self.position.outcome is not None:
                return
            self.take(self.next_step())

    @property
    def text(self) -> str:
        held = {card for seat in self.position.seats for card in seat.recipes}
        faces = {card: face for card, face in self.dealer.faces.items() if card in held}
        text = format_position(self.rules, self.position, faces)
        rules, again, _ = parse_position(text, rules_for)
        assert rules.digest(again) == self.rules.digest(self.position), "the text says less than the position"
        return text


def _positions(edition: str, players: int) -> Iterator[Vector]:
    walk = Walk(edition, players)

    def case(name: str, comment: str) -> Vector:
        return Vector(f"{edition}/{players}-{name}", "position", comment, {"text": walk.text})

    yield case("start", "before anything has been done")
    for number, steps in enumerate((7, 23, 60), 1):
        walk.walk(steps)
        yield case(f"moment-{number}", f"after {walk.count} steps of a walk at random")
    text, steps_text = walk.text, []
    for _ in range(6):
        step = walk.next_step()
        steps_text.append(walk.rules.grammar.format(step))
        walk.take(step)
    comment = "the digest after each of six steps"
    yield Vector(f"{edition}/{players}-play", "play", comment, {"text": text, "steps": steps_text})
    if players > 2:
        walk.take(Step("leave", (walk.position.playing[0],)))
        yield case("left", "after a leave")
        walk.take(Step("exclude", (walk.position.playing[0],)))
        yield case("excluded", "after an exclusion: a new epoch, new names")
    walk.walk(5000)
    yield case("over", "at the end")


CHANGES: dict[str, tuple[str, dict[str, str], tuple[str, ...]]] = {
    "classic": (
        "a tile laid and switched with another, a card discarded",
        {"a1": "Tu", "b1": "Sa"},
        ("place Av c1", "switch b1 c1", "discard Ch", "done"),
    ),
    "master": (
        "a tile stacked and chopped again changes nothing",
        {"a1": "Av", "b1": "Ri"},
        ("stack Tu a1", "chop a1", "place To d4"),
    ),
}
"""The content of the board, with steps that change it or change it back."""


def _changes(edition: str) -> Vector:
    comment, lying, steps = CHANGES[edition]
    rules = rules_for(edition, 2)
    cells = [lying.get(name, ".") for name in rules.grid.names]
    columns = rules.grid.columns
    rows = [f"{n + 1} {' '.join(cells[n * columns : (n + 1) * columns])}" for n in range(rules.grid.rows)]
    own = {
        "classic": "seat 1 | tiles Av Cu Da | cards Sw Ch | recipes 2.0 3.0",
        "master": "display: Sp Sw Sw\nseat 1 | cards Ch St | recipes 2.0 3.0 4.0",
    }[edition]
    short = [f"position: {edition}, 2 players", "turn: 9, seat 1, play, first 1", "board:", "a b c d e", *rows, own]
    _, position, _ = parse_position("\n".join([*short, "seat 2 | cards -"]), rules_for)
    text = format_position(rules, position, {})
    return Vector(f"{edition}/changes", "play", comment, {"text": text, "steps": list(steps)})


STEPS: dict[str, dict[str, tuple[str, str | None]]] = {
    "classic": {
        "give": ("give Ri", None),
        "place": ("place Ri a1", None),
        "claim": ("claim 2.3 {recipe}", None),
        "pass": ("pass", None),
        "pass-two": ("pass 2.0 3.11", None),
        "later-epoch": ("pass 2.0@3", None),
        "chop-target": ("chop a1 b2", None),
        "discard": ("discard Ch", None),
        "leave": ("leave 2", None),
        "two-blanks": ("place Ri  a1", "arguments"),
        "blank-at-end": ("done ", "arguments"),
        "upper-verb": ("Done", "verb"),
        "upper-square": ("place Ri A1", "square"),
        "no-such-square": ("place Ri z9", "square-outside"),
        "square-zero": ("place Ri a01", "square"),
        "no-such-tile": ("place Xx a1", "tile"),
        "card-zero": ("pass 2.00", "card"),
        "card-epoch-0": ("pass 2.0@0", "card"),
        "no-such-deck": ("draw 9", "deck"),
        "seat-0": ("leave 0", "seat"),
    },
    "master": {
        "turn": ("turn 1.0 {action}", None),
        "cup": ("cup a1 b1", None),
        "pool": ("pool", None),
        "exchange": ("exchange 2.0", None),
        "draw-1": ("draw 1", "deck"),
        "classic-verb": ("give Ri", "verb"),
    },
}


def _steps(edition: str) -> Iterator[Vector]:
    rules = rules_for(edition, 3)
    words = {"recipe": rules.edition.recipes[0].id, "action": rules.edition.actions[0].code}
    tile = rules.edition.ingredients[0].code
    for name, (text, code) in STEPS[edition].items():
        spelled = text.format(**words).replace("Ri", tile)
        given = {"edition": edition, "players": 3, "text": spelled}
        comment = "a step has one text" if code else "a step in its one text"
        yield Vector(f"step/{edition}-{name}", "step", comment, given, code)


def books() -> list[Book]:
    made = []
    for edition in ("classic", "master"):
        vectors = [Vector(f"{edition}/edition", "edition", "the hash of the packaged edition", {"edition": edition})]
        for players in (2, 3, 4):
            vectors += _positions(edition, players)
        vectors += [_changes(edition), *_steps(edition)]
        comment = f"positions of {edition} as text, as bytes and as digest; steps as text"
        made.append(Book(edition, comment, vectors))
    return made

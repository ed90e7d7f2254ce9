"""Finds puzzles: boards from bots' games, a new hand dealt from what nobody holds, and one turn that is best.

Bots' own hands give few: they have built towards what they hold, and the best turn is the obvious one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count, islice
from random import Random
from typing import NamedTuple

from wasabi_tx.bots.levels import GREEDY
from wasabi_tx.engine.board import find_match
from wasabi_tx.engine.editions import rules_for
from wasabi_tx.engine.errors import Malformed
from wasabi_tx.engine.observe import Observation, observe
from wasabi_tx.engine.position import Position
from wasabi_tx.engine.position_text import format_position, parse_position
from wasabi_tx.engine.rules import AnyRules
from wasabi_tx.engine.step import Step
from wasabi_tx.games.arena import play_out
from wasabi_tx.games.staged_game import settle
from wasabi_tx.games.transcript import read_transcript
from wasabi_tx.puzzles.puzzle import turn_over
from wasabi_tx.puzzles.turn_search import TooManyTurns, TurnGain, WholeTurn, best_turns, can_be_planned, every_turn

MOST_TURNS = 40_000
"""Most turns that a puzzle may allow; more take too long to verify."""
LEAST_POINTS, LEAST_MARGIN = 4, 1
"""Least gain of the best turn, and its least margin over one that completes something else."""
WALKS = 80
"""Number of random turns tried for one hand, to deal recipes that one of them completes."""
CHANGES = ("chop", "place", "spicy", "stack", "switch")
BOARDS = 8
"""Number of boards of one game that are tried."""
MOST_PER_BOARD = 2
DEALS = 15
"""Number of hands dealt for one board."""
LEAST_EMPTY, MOST_EMPTY = 3, {"classic": 20, "master": 9}
"""Limits of empty squares; where tiles come from the pantry, many of them allow too many turns."""
LEVELS = ("easy", "normal", "hard", "random")
LEFT_OUT = ("pantry", "deck", "kitchen", "this turn")
"""Lines of a position that follow from the others."""


def find_puzzles(edition: str, seed: str) -> Iterator[str]:
    """Yield the lines of puzzles without end, a few from each board."""
    for number in count():
        chance = Random(f"{seed} {edition} {number}")
        rules = rules_for(edition, chance.choice((2, 2, 3, 4)))
        for position in _boards(rules, f"{seed} {number}", chance):
            yield from islice(_puzzles_on(rules, position, chance), MOST_PER_BOARD)


def _boards(rules: AnyRules, seed: str, chance: Random) -> list[Position]:
    """Return positions of one game in which a turn begins on a board with something on it."""
    bots = tuple(chance.choice(LEVELS) for _ in range(rules.players))
    played = read_transcript(play_out(rules, bots, seed, 0, record=True).transcript, rules_for)
    begun = {move.before.turn: move.before for move in played.moves if move.before.phase == "play"}
    least, most = LEAST_EMPTY, MOST_EMPTY[rules.edition.id]
    found = [one for one in begun.values() if least <= len(one.board.empty) <= most]
    return chance.sample(found, min(len(found), BOARDS))


def format_puzzle(text: str, gain: TurnGain, rules: AnyRules, best: Sequence[Step]) -> str:
    """Return the lines of a puzzle with this position."""
    return f"gains: {gain.points}, style {gain.style}, cards {-gain.cards}\nbest: {rules.format(best)}\n{text}"


class Findings(NamedTuple):
    """The result of a search through every turn."""

    best: tuple[WholeTurn, ...]
    next_points: int
    """The points of the best turn that completes something else."""
    tried: int
    """Number of turns tried."""


def search(observation: Observation, most: int) -> Findings:
    """Try every turn; raise TooManyTurns if there are more than this."""
    points: dict[frozenset[tuple[int, int]], int] = {}
    tried = 0

    def noted() -> Iterator[WholeTurn]:
        nonlocal tried
        for turn in every_turn(observation, most):
            tried += 1
            points[turn.completed] = max(points.get(turn.completed, 0), turn.gain.points)
            yield turn

    best = best_turns(noted())
    others = (gained for completed, gained in points.items() if completed != best[0].completed)
    return Findings(best, max(others, default=0), tried)


def _puzzles_on(rules: AnyRules, position: Position, chance: Random) -> Iterator[str]:
    known = set()
    for _ in range(DEALS):
        text, promised = _deal_anew(rules, position, chance)
        if promised < LEAST_POINTS:
            continue
        observation = _observe(text)
        # If any tile of the pantry can be placed, the search takes much longer than the greedy bot.
        if not rules.edition.hand_tiles and greedy_points(observation) >= promised:
            continue
        try:
            findings = search(observation, MOST_TURNS)
        except TooManyTurns:
            continue
        if findings.best[0].completed not in known and not faults(observation, findings):
            known.add(findings.best[0].completed)
            yield format_puzzle(text, findings.best[0].gain, rules, findings.best[0].steps)


def _observe(text: str) -> Observation:
    rules, position, faces = parse_position(text, rules_for)
    return observe(rules, position, position.mover, faces)


def _deal_anew(rules: AnyRules, position: Position, chance: Random) -> tuple[str, int]:
    """Return the text of the position with another hand, and the points of a turn found at random."""
    tiles, cards = _tiles(rules, position, chance), _cards(rules, chance)
    try:
        start = _observe(_with_hand(rules, position, tiles, cards, ())).position
    except Malformed:
        # There are not that many of these cards.
        return "", 0
    seat = start.seats[start.mover]
    lengths = [deck for deck in rules.edition.lengths if not seat.tokens or seat.tokens[deck]]
    unseen = [face for deck in lengths for face in rules.unseen(start, deck, {})]
    walks = [_completed(rules, start, unseen, chance) for _ in range(WALKS)]
    worth = {face: rules.edition.recipes[face].points for face in unseen}
    found = max(walks, key=lambda faces: sum(worth[face] for face in faces))[: chance.choice((1, 2, 2, 3))]
    tempting = sorted({face for faces in walks for face in faces} - set(found), key=lambda face: -worth[face])
    others = [face for face in unseen if face not in found and face not in tempting]
    chance.shuffle(others)
    recipes = [*found, *tempting, *others][: rules.hand_recipes]
    chance.shuffle(recipes)
    return _with_hand(rules, position, tiles, cards, recipes), sum(worth[face] for face in found)


def _tiles(rules: AnyRules, position: Position, chance: Random) -> list[int]:
    """Return a hand of tiles, if the edition has one."""
    held = position.seats[position.mover].tiles
    pantry = [tile for tile, count in enumerate(position.pantry) for _ in range(count)]
    return sorted(chance.sample([*pantry, *held], rules.edition.hand_tiles))


def _cards(rules: AnyRules, chance: Random) -> list[int]:
    cards = [card for card, action in enumerate(rules.edition.actions) if action.effect != "wasabi"]
    number = chance.choice((0, 1, 1, 2, 2) if rules.edition.hand_tiles else (0, 1, 1, 1, 1))
    return sorted(chance.choices(cards, k=number))


def _completed(rules: AnyRules, position: Position, unseen: list[int], chance: Random) -> list[int]:
    """Return recipes that lie on the board during a random turn, the best first."""
    found: set[int] = set()
    while steps := [step for step in rules.legal(position, {}) if step.verb in CHANGES]:
        position = rules.apply(position, chance.choice(steps))
        found.update(
            face for face in unseen if find_match(rules.grid, position.board, position.changed, rules.strips[face])
        )
    return sorted(found, key=lambda face: (-rules.edition.recipes[face].points, face))


def _with_hand(rules: AnyRules, position: Position, tiles: list[int], cards: list[int], recipes: Sequence[int]) -> str:
    """Return the text of the position with this hand for the mover, without lines that follow from the others."""
    seat = f"seat {position.mover + 1}"
    hand = {
        "tiles": " ".join(map(rules.code, tiles)),
        "cards": " ".join(map(rules.card_code, cards)),
        "recipes": " ".join(rules.edition.recipes[face].id for face in recipes),
    }
    lines = [line for line in format_position(rules, position, {}).splitlines() if not line.startswith(LEFT_OUT)]
    for number, line in enumerate(lines):
        if line.startswith(f"{seat} |"):
            parts = [part.split(" ")[0] for part in line.split(" | ")]
            old = dict(zip(parts, line.split(" | "), strict=True))
            lines[number] = " | ".join(
                f"{part} {hand[part] or '-'}" if part in hand else old[part] for part in parts if part not in LEFT_OUT
            )
    return "\n".join(lines)


def faults(observation: Observation, findings: Findings) -> list[str]:
    """Return the reasons why a position is not a puzzle; empty if it is one."""
    best = findings.best[0]
    ordinary = {
        "several turns are the best": len(findings.best) > 1 or _could_differ(observation, best),
        "it ends the game": best.gain.won,
        "a card comes before its end": not can_be_planned(observation.rules, best),
        "little to gain": best.gain.points < LEAST_POINTS,
        "another turn gains nearly as much": best.gain.points - findings.next_points < LEAST_MARGIN,
        "one tile for one recipe": len(best.completed) < 2 and not best.gain.cards,
    }
    found = [fault for fault, is_one in ordinary.items() if is_one]
    return found or ([] if greedy_points(observation) < best.gain.points else ["the greedy bot finds it"])


def _could_differ(observation: Observation, best: WholeTurn) -> bool:
    """Return whether the turn has an arbitrary part, of which the search tries only some variants."""
    needed = {tile for face in observation.faces.values() for tile in observation.rules.strips[face].tiles}
    placed = {step.args[0] for step in best.steps if step.verb in ("place", "spicy", "stack") and step.args}
    return not placed <= needed or any(step.verb in ("cup", "pool") for step in best.steps)


def greedy_points(observation: Observation) -> int:
    """Return what the greedy bot's first choice gains until its turn is judged."""
    rules, start, seat = observation.rules, observation.position, observation.position.mover
    position = start
    while not turn_over(start, position):
        view = observe(rules, position, seat, observation.faces)
        for step in GREEDY.explain(view).bundle.steps:
            position = rules.apply(position, step)
            if turn_over(start, position):
                break
        position = settle(rules, position, observation.faces)
    return position.seats[seat].score - start.seats[seat].score

"""Finds puzzles: boards from bots' games, a new hand dealt from what nobody holds, and one turn that is best.

Bots' own hands give few: they have built towards what they hold, and the best turn is the obvious one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import count
from random import Random
from typing import NamedTuple

from tests.engine import reachable
from wasabi_tx.bots.bot import Bot
from wasabi_tx.bots.levels import GREEDY, LEVELS, find_bot
from wasabi_tx.engine.board import TILE_MASK, find_match, stack_tiles
from wasabi_tx.engine.editions import rules_for
from wasabi_tx.engine.editions.classic.position import ClassicPosition
from wasabi_tx.engine.editions.master.position import MasterPosition
from wasabi_tx.engine.errors import Malformed
from wasabi_tx.engine.observe import Observation, observe
from wasabi_tx.engine.position import Position
from wasabi_tx.engine.position_text import format_position, parse_position
from wasabi_tx.engine.rules import AnyRules
from wasabi_tx.engine.step import Step
from wasabi_tx.games.arena import play_out
from wasabi_tx.games.bot_process import NODES
from wasabi_tx.games.staged_game import settle
from wasabi_tx.games.transcript import read_transcript
from wasabi_tx.puzzles.puzzle import Puzzle, read_puzzle, turn_over
from wasabi_tx.puzzles.turn_search import (
    TooManyTurns,
    TurnGain,
    WholeTurn,
    best_turns,
    can_be_planned,
    every_turn,
    gain_of,
)

MOST_TURNS = 30_000
"""Most turns that a puzzle may allow; more take too long to verify."""
LEAST_POINTS, LEAST_LEAD = 4, 2
"""Least gain of the best turn, and its least lead over every turn with another result, unless it alone wins."""
EASY_TRIES = 6
"""The easy bot misses a puzzle if it misses it this many times."""
WALKS = 60
"""Number of random turns tried for one hand, to deal recipes that one of them completes."""
CHANGES = ("chop", "place", "spicy", "stack", "switch")
BOARDS = 6
"""Number of boards of one game that are tried."""
DEALS, LAST_DEALS = 10, 30
"""Number of hands dealt for one board, and for one on which the game may end."""
MOST_EMPTY = {"classic": 18, "master": 7}
"""Most empty squares; where tiles come from the pantry, many of them allow too many turns."""
END_EMPTY, LAST_TOKENS = 6, 2
"""A turn of the first edition can win if so few squares are empty, or so few tokens are left."""
LEFT_OUT = ("pantry", "deck", "kitchen", "this turn")
"""Lines of a position that follow from the others."""

MOST_SHARE, LEAST_SHARE = 4, 25
"""At most a fourth of all puzzles have one shape, and at least a twenty-fifth each mark."""

Shape = tuple[str, ...]
"""The cards that a turn plays, or "tile" if it plays none."""


def shape_of(rules: AnyRules, best: Sequence[Step]) -> Shape:
    """Return the shape of a turn; two puzzles of one shape ask for the same idea."""
    return tuple(sorted(step.verb for step in best if rules.slots.get(step.verb) == "action")) or ("tile",)


class Wants:
    """The puzzles that a collection still lacks: no shape may occur too often, and every mark often enough."""

    def __init__(self, rules: AnyRules, count: int) -> None:
        self._count = count
        self._shapes: Counter[Shape] = Counter()
        self._marks = dict.fromkeys(all_marks(rules), 0)
        self._found = 0

    @property
    def _missing(self) -> dict[str, int]:
        least = self._count // LEAST_SHARE
        return {mark: least - have for mark, have in self._marks.items() if have < least}

    @property
    def _room(self) -> int:
        return self._count - self._found - sum(self._missing.values())

    def board(self, position: Position) -> bool:
        """Return whether a board may give what is missing: if that is a win by the last tokens, few can."""
        return self._room > 0 or set(self._missing) != {"tenth"} or 0 < _tokens(position) <= LAST_TOKENS

    def card(self, effect: str) -> float:
        """Return the weight with which a card is dealt: more while it is missing, less the more often it was played."""
        if effect in self._missing:
            return 3.0
        often = sum(number for shape, number in self._shapes.items() if effect in shape)
        return max(0.05, 1 - often * MOST_SHARE / self._count)

    def takes(self, puzzle: Puzzle) -> bool:
        """Return whether there is room for the puzzle beside those whose marks are still missing."""
        if (self._shapes[shape_of(puzzle.rules, puzzle.best)] + 1) * MOST_SHARE > self._count:
            return False
        return self._room > 0 or not marks_of(puzzle).isdisjoint(self._missing)

    def add(self, puzzle: Puzzle) -> None:
        self._found += 1
        self._shapes[shape_of(puzzle.rules, puzzle.best)] += 1
        for mark in marks_of(puzzle):
            self._marks[mark] += 1


def find_puzzles(edition: str, seed: str, first: int, wants: Wants) -> Iterator[str]:
    """Yield the lines of puzzles without end, at most one from each game; the first is looked for in this game."""
    for number in count(first):
        chance = Random(f"{seed} {edition} {number}")
        rules = rules_for(edition, chance.choice((2, 2, 3, 4)))
        boards = filter(wants.board, _boards(rules, f"{seed} {number}", chance))
        found = next(filter(None, (_puzzle_on(rules, one, chance, number, wants) for one in boards)), "")
        if found:
            yield found


def _boards(rules: AnyRules, seed: str, chance: Random) -> list[Position]:
    """Return positions of one game in which a turn begins, those in which it can end first."""
    levels = [chance.choice(("easy", "normal", "normal", "random")) for _ in range(rules.players)]
    if chance.random() < 0.4:
        # With nobody to disturb it, a bot completes nearly everything.
        levels = chance.sample(["normal", *["random"] * (rules.players - 1)], rules.players)
    played = read_transcript(play_out(rules, tuple(levels), seed, 0, record=True).transcript, rules_for)
    begun = {move.before.turn: move.before for move in played.moves if move.before.phase == "play"}
    found = [one for one in begun.values() if len(one.board.empty) <= MOST_EMPTY[rules.edition.id]]
    chance.shuffle(found)
    found.sort(key=lambda one: (not may_end(one), _tokens(one) > LAST_TOKENS))
    ending = sum(map(may_end, found))
    return [*found[: min(ending, BOARDS // 2)], *found[ending : ending + BOARDS // 2]]


def may_end(position: Position) -> bool:
    """Return whether the turn may be the last: it can win the first edition, or is the last of a final round."""
    if isinstance(position, ClassicPosition):
        return len(position.board.empty) <= END_EMPTY or _tokens(position) <= LAST_TOKENS
    return isinstance(position, MasterPosition) and bool(position.trigger) and not position.finals


def _tokens(position: Position) -> int:
    """Return how many tokens the mover has left, which is none in an edition without them."""
    return sum(position.seats[position.mover].tokens)


def marks_of(puzzle: Puzzle) -> set[str]:
    """Return what a puzzle shows of the game: its cards, a tile revealed, a tenth token, the end of a game."""
    rules, position = puzzle.rules, puzzle.position
    claims = sum(step.verb in rules.claiming for step in puzzle.best)
    marks = {mark for mark in shape_of(rules, puzzle.best) if mark != "tile"}
    if _reveals(rules, position, puzzle.best):
        marks.add("reveal")
    if may_end(position) and (puzzle.gain.won or isinstance(position, MasterPosition)):
        marks.add("end")
    if puzzle.gain.won and _tokens(position) == claims:
        marks.add("tenth")
    return marks


def all_marks(rules: AnyRules) -> set[str]:
    """Return the marks that puzzles of an edition can have."""
    cards = {action.effect for action in rules.edition.actions}
    return cards | {"end", "reveal"} | ({"tenth"} if rules.edition.tokens else set())


def _reveals(rules: AnyRules, position: Position, best: Sequence[Step]) -> bool:
    """Return whether the turn chops a tile off another."""
    for step in best:
        if step.verb == "chop" and len(stack_tiles(position.board.stacks[step.args[0]])) > 1:
            return True
        position = rules.apply(position, step)
    return False


def format_puzzle(text: str, game: int, missed: Sequence[str], turn: tuple[TurnGain, str]) -> str:
    """Return the lines of a puzzle with this position, and its best turn with its gain."""
    gain, best = turn
    gains = f"gains: {gain.points}, style {gain.style}, cards {-gain.cards}{', wins' if gain.won else ''}"
    return f"{gains}\nbest: {best}\nfound: game {game}, missed by {' '.join(missed)}\n{text}"


class Findings(NamedTuple):
    """The result of a search through every turn."""

    best: tuple[WholeTurn, ...]
    lead: int
    """The points by which the best turn leads over every turn with another result: other recipes, style or points."""
    alone_wins: bool
    """True if it wins, and no turn with another result does."""
    tried: int
    """Number of turns tried."""


def search(observation: Observation, most: int) -> Findings:
    """Try every turn; raise TooManyTurns if there are more than this."""
    results: set[tuple[frozenset[tuple[int, int]], bool, int]] = set()
    tried = 0

    def noted() -> Iterator[WholeTurn]:
        nonlocal tried
        for turn in every_turn(observation, most):
            tried += 1
            results.add((turn.completed, turn.gain.won, turn.gain.points))
            yield turn

    best = best_turns(noted())
    top = best[0]
    others = results - {(top.completed, top.gain.won, top.gain.points)}
    lead = top.gain.points - max((points for _, _, points in others), default=0)
    return Findings(best, lead, top.gain.won and not any(won for _, won, _ in others), tried)


def _puzzle_on(rules: AnyRules, position: Position, chance: Random, number: int, wants: Wants) -> str:
    """Return the lines of a puzzle on this board, or "" if none was found."""
    ending = rules.edition.hand_tiles and may_end(position)
    for _ in range(LAST_DEALS if ending else DEALS):
        text, promised = _deal_anew(rules, position, chance, wants)
        if not text or (promised < LEAST_POINTS and not ending):
            continue
        observation = _observe(text)
        # If any tile of the pantry can be placed, the search takes much longer than the greedy bot.
        if not rules.edition.hand_tiles and bot_gain(GREEDY, observation, "").points >= promised:
            continue
        try:
            findings = search(observation, MOST_TURNS)
        except TooManyTurns:
            continue
        best = findings.best[0]
        turn = best.gain, rules.format(best.steps)
        if not wants.takes(read_puzzle("", format_puzzle(text, number, ["normal"], turn))):
            continue
        if not faults(observation, findings):
            return format_puzzle(text, number, missed_by(observation, best.gain), turn)
    return ""


def _observe(text: str) -> Observation:
    rules, position, faces = parse_position(text, rules_for)
    return observe(rules, position, position.mover, faces)


def _deal_anew(rules: AnyRules, position: Position, chance: Random, wants: Wants) -> tuple[str, int]:
    """Return the text of the position with another hand, and the points of a turn found at random."""
    tiles, cards = _tiles(position, chance), _cards(rules, position, chance, wants)
    if 0 < _tokens(position) <= LAST_TOKENS:
        tiles, last = _for_last_tokens(rules, position, tiles, chance)
        return _possible(rules, position, tiles, cards, last), 0
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
    # Some hands have less to tempt, so that leads are larger.
    recipes = [*found, *tempting[: chance.choice((0, 1, 2))], *others][: rules.hand_recipes]
    chance.shuffle(recipes)
    return _possible(rules, position, tiles, cards, recipes), sum(worth[face] for face in found)


def _possible(rules: AnyRules, position: Position, tiles: list[int], cards: list[int], recipes: list[int]) -> str:
    """Return the text of the position with this hand, or "" if it cannot arise."""
    text = _with_hand(rules, position, tiles, cards, recipes)
    try:
        return "" if reachable.faults(rules, _observe(text).position) else text
    except Malformed:
        # There are not that many of these cards, or the rivals hold the last ones of a deck.
        return ""


def _for_last_tokens(
    rules: AnyRules, position: Position, tiles: list[int], chance: Random
) -> tuple[list[int], list[int]]:
    """Return a hand for the last tokens: recipes whose lines on the board lack a tile or two, and tiles.

    Few random hands allow it, because the last tokens are for long recipes.
    """
    seat = position.seats[position.mover]
    recipes: list[int] = []
    lacking: Counter[int] = Counter()
    for length, left in enumerate(seat.tokens):
        unseen = rules.unseen(position, length, {}) if left else ()
        near = [one for face in unseen for one in _nearly_there(rules, position, face)]
        for face, lacks in chance.sample(near, min(left, len(near))):
            recipes.append(face)
            lacking |= lacks
    tiles = [*lacking.elements(), *tiles][: len(seat.tiles)]
    others = [face for deck in rules.edition.lengths for face in rules.unseen(position, deck, {})]
    recipes = [*dict.fromkeys([*recipes, *chance.sample(others, len(others))])][: rules.hand_recipes]
    chance.shuffle(recipes)
    return sorted(tiles), recipes


def _nearly_there(rules: AnyRules, position: Position, face: int) -> list[tuple[int, Counter[int]]]:
    """Return the recipe with the tiles that a line lacks, for every line that lacks one or two."""
    strip, stacks = rules.strips[face], position.board.stacks
    lines = {line.indices(len(stacks)) for lines in rules.grid.windows[len(strip.tiles)] for line in lines}
    found = [Counter(strip.tiles) - Counter(stacks[at] & TILE_MASK for at in range(*line)) for line in sorted(lines)]
    return [(face, lacks) for lacks in found if 1 <= lacks.total() <= 2]


def _tiles(position: Position, chance: Random) -> list[int]:
    """Return a hand of tiles, if the edition has one."""
    held = position.seats[position.mover].tiles
    pantry = [tile for tile, count in enumerate(position.pantry) for _ in range(count)]
    return sorted(chance.sample([*pantry, *held], len(held)))


def _cards(rules: AnyRules, position: Position, chance: Random, wants: Wants) -> list[int]:
    """Return a hand of cards, rather those whose shape is wanted, and Wasabi! only where it can end the game."""
    ending = may_end(position)
    effects = [action.effect for action in rules.edition.actions]
    weights = [wants.card(effect) if effect != "wasabi" or ending else 0 for effect in effects]
    if chance.random() < 0.12 or not any(weights):
        return []
    cards = chance.choices(range(len(effects)), weights)
    if rules.edition.hand_tiles and chance.random() < 0.4:
        cards += chance.choices(range(len(effects)), [effect != "wasabi" or ending for effect in effects])
    return sorted(cards)


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
    rules, best = observation.rules, findings.best[0]
    ordinary = {
        "several turns are the best": len(findings.best) > 1 or _could_differ(observation, best),
        "a card comes before its end": not can_be_planned(rules, best),
        "little to gain": best.gain.points < LEAST_POINTS and not findings.alone_wins,
        "another turn gains nearly as much": findings.lead < LEAST_LEAD and not findings.alone_wins,
        "one tile for one recipe": len(best.completed) < 2 and not best.gain.cards and not findings.alone_wins,
        "it cannot arise": bool(reachable.faults(rules, observation.position)),
    }
    found = [fault for fault, is_one in ordinary.items() if is_one]
    return found or (["the greedy bot finds it"] if _finds(GREEDY, observation, best.gain, "") else [])


def _could_differ(observation: Observation, best: WholeTurn) -> bool:
    """Return whether part of the turn is arbitrary, so that the search tries only some variants."""
    needed = {tile for face in observation.faces.values() for tile in observation.rules.strips[face].tiles}
    placed = {step.args[0] for step in best.steps if step.verb in ("place", "spicy", "stack") and step.args}
    return not placed <= needed or any(step.verb in ("cup", "pool") for step in best.steps)


def missed_by(observation: Observation, best: TurnGain) -> list[str]:
    """Return the levels of bots that miss the best turn; the easy bot, which errs at random, has several tries."""
    tries = {level: EASY_TRIES if level == "easy" else 1 for level in LEVELS}
    return [
        level
        for level, times in tries.items()
        if not any(_finds(find_bot(level), observation, best, str(number)) for number in range(times))
    ]


def _finds(bot: Bot, observation: Observation, best: TurnGain, seed: str) -> bool:
    """Return whether the bot wins or gains as much as the best turn."""
    gain = bot_gain(bot, observation, seed)
    return (gain.won, gain.points) >= (best.won, best.points)


def bot_gain(bot: Bot, observation: Observation, seed: str) -> TurnGain:
    """Return what a bot gains until its turn is judged."""
    rules, start, seat = observation.rules, observation.position, observation.position.mover
    position, steps, whims = start, [], Random(seed)
    while not turn_over(start, position):
        view = observe(rules, position, seat, observation.faces)
        for step in bot.choose(view, whims, NODES).steps:
            position = rules.apply(position, step)
            steps.append(step)
            if turn_over(start, position):
                break
        position = settle(rules, position, observation.faces)
    return gain_of(rules, start, position, steps)

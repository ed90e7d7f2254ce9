"""The text form of a whole position, for tests, bug reports, puzzles and transcripts.

    position: classic, 2 players
    turn: 7, seat 1, play, first 2
    board:
         a      b      c      d      e
    1    Ri     .      Tu     .      .
    ...
    seat 1 | tiles Av Ri Tu | cards St | recipes 2.3=tekkamaki 3.0 | claimed - | cubes 1
    pantry: Ri8 Ma9 ...
    deck 2: 4 5 6 ...

A stack is written from the bottom, `Av/Cu`. In the middle of a turn `laid: d3` lists where tiles were laid, and
`was: e4=Tu` what a square showed before. A recipe shows its face where it is known. Every line of a position is
checked against the others. Lines that can be derived may be omitted: the pantry and the decks contain whatever is
nowhere else, and a recipe may be given by its name alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from .board import TILE_BITS, TILE_MASK, make_board, stack_tiles
from .changes import find_changed
from .edition import Edition
from .errors import Malformed
from .position import NOBODY, Claimed, Outcome, Position, Seat
from .rules import AnyRules
from .scores import all_scores
from .sealed_card import Card, Faces, deck_of, format_card, make_card, parse_card
from .text_lines import Lines, Words

Editions = Callable[[str, int], AnyRules]
"""Returns the rules of an edition, given its id and the number of players."""

MOST = 9999
"""The highest turn or cube count; a larger one is a typing error and would not fit the digest."""

_COUNTED = re.compile(r"([A-Z][a-z])([0-9]{1,3})", re.ASCII)


def format_position(rules: AnyRules, position: Position, faces: Faces) -> str:
    edition, names = rules.edition, rules.grid.names
    mover = "nobody" if position.mover == NOBODY else f"seat {position.mover + 1}"
    turn = f"turn: {position.turn}, {mover}, {position.phase}, first {position.first + 1}"
    lines = [
        f"position: {edition.id}, {rules.players} players",
        turn + (f", epoch {position.epoch}" if position.epoch else ""),
        "board:",
        "    " + "".join(f" {name[0]:6}" for name in names[: rules.grid.columns]).rstrip(),
    ]
    for row in range(rules.grid.rows):
        stacks = position.board.stacks[row * rules.grid.columns : (row + 1) * rules.grid.columns]
        cells = " ".join(f"{format_stack(edition, stack):6}" for stack in stacks)
        lines.append(f"{row + 1:<4} {cells}".rstrip())
    lines += _format_changes(rules, position)
    lines += rules.own_lines(position)
    lines += (_format_seat(edition, number, seat, faces) for number, seat in enumerate(position.seats, 1))
    lines.append("pantry: " + format_counts([i.code for i in edition.ingredients], position.pantry[1:]))
    lines += (_format_deck(deck, position.decks[deck]) for deck in edition.lengths)
    if position.outcome is not None:
        winners = " ".join(str(winner + 1) for winner in position.outcome.winners)
        lines.append(f"outcome: {position.outcome.ending}, winners {winners or '-'}")
    return "\n".join(lines) + "\n"


def _format_changes(rules: AnyRules, position: Position) -> list[str]:
    """Return lines for tiles laid this turn, and for squares whose earlier tile does not lie under the laid ones."""
    edition, names = rules.edition, rules.grid.names
    lines = [f"laid: {' '.join(names[square] for square in position.laid)}"] if position.laid else []
    changed = [square for square in range(rules.grid.size) if position.changed >> square & 1]
    shown = {square: position.before[square] & TILE_MASK for square in changed}
    was = [
        f"{names[square]}={format_stack(edition, tile)}"
        for square, tile in shown.items()
        if tile != _below(position, square) & TILE_MASK
    ]
    return [*lines, f"was: {' '.join(was)}"] if was else lines


def _below(position: Position, square: int) -> int:
    """Return the stack of a square without the tiles laid this turn."""
    return position.board.stacks[square] >> TILE_BITS * position.laid.count(square)


def format_stack(edition: Edition, stack: int) -> str:
    return "/".join(edition.ingredients[tile - 1].code for tile in stack_tiles(stack)) or "."


def format_counts(codes: list[str], counts: list[int] | bytes) -> str:
    """Format the codes whose count is not zero, each with its count: `Ri4 Tu1`."""
    return " ".join(f"{code}{count}" for code, count in zip(codes, counts, strict=True) if count) or "-"


def _format_seat(edition: Edition, number: int, seat: Seat, faces: Faces) -> str:
    recipes = " ".join(_format_recipe(edition, card, faces) for card in seat.recipes)
    claimed = " ".join(
        edition.recipes[done.recipe].id + (f"+{done.cubes}" if done.cubes else "") for done in seat.claimed
    )
    parts = [f"seat {number}"]
    if edition.hand_tiles:
        parts.append("tiles " + (" ".join(edition.ingredients[tile - 1].code for tile in seat.tiles) or "-"))
    parts.append("cards " + (" ".join(edition.actions[card].code for card in seat.cards) or "-"))
    parts += [f"recipes {recipes or '-'}", f"claimed {claimed or '-'}"]
    if edition.tokens:
        parts.append("left " + " ".join(str(seat.tokens[token.length]) for token in edition.tokens))
    parts += [f"points {seat.points}", f"cubes {seat.cubes}"]
    return " | ".join(parts + ["gone"] * seat.gone)


def _format_recipe(edition: Edition, card: Card, faces: Faces) -> str:
    return format_card(card) + (f"={edition.recipes[faces[card]].id}" if card in faces else "")


def _format_deck(deck: int, cards: tuple[Card, ...]) -> str:
    """Format a deck by the places of its cards, since their deck is known."""
    return f"deck {deck}: " + (" ".join(format_card(card).split(".")[1] for card in cards) or "-")


def parse_position(text: str, editions: Editions) -> tuple[AnyRules, Position, dict[Card, int]]:
    """Return the rules, position and known faces that the text describes; raise `Malformed` with the line at fault."""
    lines = Lines(text)
    head = lines.take_line("position")
    try:
        rules = editions(head.comma(0), head.number_before("players", 2, 4))
    except KeyError:
        raise head.fault("unknown-edition") from None
    reader = _PositionReader(rules, lines)
    position = reader.read()
    lines.finish()
    if position.outcome is None and (len(position.playing) < 2 or not rules.legal(position, reader.faces)):
        raise head.fault("no-legal-step")
    return rules, position, reader.faces


class _PositionReader:
    """Builds a position line by line."""

    def __init__(self, rules: AnyRules, lines: Lines) -> None:
        self.rules = rules
        self.edition = rules.edition
        self.lines = lines
        self.faces: dict[Card, int] = {}
        self._held: set[Card] = set()
        self.position: Position = rules.start(0).evolve()

    def read(self) -> Position:
        position = self.position
        turn = self.lines.take_line("turn")
        position.turn = turn.number(0, 0, MOST)
        position.first = turn.number_after("first", 1, self.rules.players, default=1) - 1
        position.epoch = turn.number_after("epoch", 0, 9999, default=0)
        position.phase = turn.comma(2)
        if position.phase not in self.rules.phases:
            raise turn.fault("phase")
        if any(not part.startswith(("first ", "epoch ")) for part in turn.text.split(", ")[3:]):
            raise turn.fault("unknown-part")
        position.board = make_board(self._board())
        self._changes()
        position.seats = [self._seat(number) for number in range(self.rules.players)]
        position.mover = self._mover(turn)
        position.pantry = self._pantry()
        self._name_bare_recipes()
        position.decks = position.decks.copy()
        for deck in self.edition.lengths:
            position.decks[deck] = self._deck(deck)
        self.rules.read_own_lines(position, self.lines)
        position.outcome = self._outcome(turn)
        return position

    def _mover(self, turn: Words) -> int:
        if turn.comma(1) == "nobody":
            return NOBODY
        mover = turn.number_after("seat", 1, self.rules.players) - 1
        if self.position.seats[mover].gone:
            raise turn.fault("seat-gone")
        return mover

    def _board(self) -> list[int]:
        grid = self.rules.grid
        rows = self.lines.block("board", grid.rows + 1)
        stacks = []
        for number, row in enumerate(rows[1:], 1):
            words = row.words
            if len(words) != grid.columns + 1 or words[0] != str(number):
                raise row.fault("board-row")
            stacks += [self._stack(row, word) for word in words[1:]]
        return stacks

    def _stack(self, row: Words, word: str) -> int:
        stack = 0
        for code in [] if word == "." else word.split("/"):
            stack = stack << TILE_BITS | row.look_up(self.edition.tile_numbers, code)
        return stack

    def _changes(self) -> None:
        """Read where tiles were laid, and what the squares showed at the start of the turn."""
        position, grid = self.position, self.rules.grid
        line = self.lines.find("laid")
        position.laid = tuple(sorted(line.square(grid, word) for word in line.words)) if line else ()
        for square in position.laid:
            if line and len(stack_tiles(position.board.stacks[square])) < position.laid.count(square):
                raise line.fault("laid")
        position.before = [_below(position, square) for square in range(grid.size)]
        was = self.lines.find("was")
        for word in was.words if was else ():
            name, _, tile = word.partition("=")
            if was:
                position.before[was.square(grid, name)] = was.look_up({".": 0, **self.edition.tile_numbers}, tile)
        position.changed = find_changed(position)

    def _seat(self, number: int) -> Seat:
        line = self.lines.take_line(f"seat {number + 1}")
        edition, seat = self.edition, self.position.seats[number].evolve()
        parts = line.parts()
        seat.tiles = tuple(sorted(line.look_up(edition.tile_numbers, word) for word in parts.pop("tiles", ())))
        seat.cards = tuple(sorted(line.look_up(edition.action_numbers, word) for word in parts.pop("cards", ())))
        if len(seat.tiles) > edition.hand_tiles or len(seat.cards) > edition.hand_cards + 1:
            raise line.fault("hand-too-large")
        seat.recipes = tuple(self._recipe(line, word) for word in parts.pop("recipes", ()))
        if len(seat.recipes) > edition.hand_recipes:
            raise line.fault("hand-too-large")
        seat.claimed = tuple(self._claimed(line, word) for word in parts.pop("claimed", ()))
        seat.points = sum(edition.recipes[done.recipe].points for done in seat.claimed)
        seat.cubes = line.integer(parts.pop("cubes", ["0"]), 0, MOST)
        seat.gone = parts.pop("gone", None) is not None
        if seat.gone and (seat.tiles or seat.cards or seat.recipes):
            raise line.fault("seat-gone")
        tokens = bytearray(seat.tokens)
        for done in seat.claimed:
            length = edition.recipes[done.recipe].length
            if tokens and not tokens[length]:
                raise line.fault("no-token")
            if tokens:
                tokens[length] -= 1
        seat.tokens = bytes(tokens)
        left = parts.pop("left", None)
        if left is not None and left != [str(tokens[token.length]) for token in edition.tokens]:
            raise line.fault("tokens")
        points = parts.pop("points", None)
        if points is not None and points != [str(seat.points)]:
            raise line.fault("points")
        if parts:
            raise line.fault("unknown-part")
        return seat

    def _recipe(self, line: Words, word: str) -> Card:
        """Read a card, with or without its face; a bare recipe name becomes a negative stand-in until all cards are
        known.
        """
        if word in self.edition.recipe_numbers:
            return -1 - self.edition.recipe_numbers[word]
        name, _, face = word.partition("=")
        try:
            card = parse_card(name)
        except Malformed:
            raise line.fault("recipe") from None
        if deck_of(card) not in self.edition.lengths or card in self._held:
            raise line.fault("recipe")
        self._held.add(card)
        if face:
            self._learn(line, card, line.look_up(self.edition.recipe_numbers, face))
        return card

    def _learn(self, line: Words, card: Card, face: int) -> None:
        if self.edition.recipes[face].length != deck_of(card) or face in self.faces.values():
            raise line.fault("recipe")
        self.faces[card] = face

    def _claimed(self, line: Words, word: str) -> Claimed:
        slug, _, cubes = word.partition("+")
        recipe = line.look_up(self.edition.recipe_numbers, slug)
        return Claimed(recipe, line.integer([cubes or "0"], 0, 255))

    def _name_bare_recipes(self) -> None:
        for number, seat in enumerate(self.position.seats):
            named = []
            for card in seat.recipes:
                if card < 0:
                    face = -1 - card
                    deck = self.edition.recipes[face].length
                    card = next(c for c in (make_card(deck, n) for n in range(256)) if c not in self._held)
                    self._held.add(card)
                    self._learn(self.lines.take_line(f"seat {number + 1}"), card, face)
                named.append(card)
            seat.recipes = tuple(named)

    def _pantry(self) -> list[int]:
        left = [0, *(ingredient.count for ingredient in self.edition.ingredients)]
        placed = [tile for stack in self.position.board.stacks for tile in stack_tiles(stack)]
        for tile in placed + [tile for seat in self.position.seats for tile in seat.tiles]:
            left[tile] -= 1
            if left[tile] < 0:
                raise self.lines.take_line("board").fault("too-many-tiles")
        line = self.lines.find("pantry")
        if line and read_counts(line, self.edition.tile_numbers) != {n: c for n, c in enumerate(left) if c}:
            raise line.fault("pantry")
        return left

    def _deck(self, deck: int) -> tuple[Card, ...]:
        """Return the cards that the line names; by default every card of the deck that nobody holds or has claimed."""
        size = self.rules.deck_sizes().get(deck, 0)
        held = {card for seat in self.position.seats for card in seat.recipes if deck_of(card) == deck}
        claimed = [done.recipe for seat in self.position.seats for done in seat.claimed]
        left = size - len(held) - sum(self.edition.recipes[recipe].length == deck for recipe in claimed)
        line = self.lines.find(f"deck {deck}")
        if line is None:
            named = (make_card(deck, place) for place in range(256))
            cards = tuple(card for card in named if card not in held)[: max(left, 0)]
        else:
            cards = tuple(self._place(line, deck, word) for word in line.words)
        if left != len(cards) or len({*cards, *held}) != len(cards) + len(held):
            raise (line or self.lines.take_line("turn")).fault("deck")
        if len(set(claimed)) != len(claimed) or set(claimed) & set(self.faces.values()):
            raise self.lines.take_line("seat 1").fault("recipe")
        return cards

    def _place(self, line: Words, deck: int, word: str) -> Card:
        try:
            return parse_card(f"{deck}.{word}")
        except Malformed:
            raise line.fault("card") from None

    def _outcome(self, turn: Words) -> Outcome | None:
        line = self.lines.find("outcome")
        if (line is None) == (self.position.phase == "over") or (line and self.position.mover != NOBODY):
            raise turn.fault("outcome")
        if line is None:
            return None
        if line.comma(0) not in self.rules.endings:
            raise line.fault("outcome")
        word, *winners = line.comma(1).split()
        if word != "winners" or not winners:
            raise line.fault("outcome")
        winners = [] if winners == ["-"] else winners
        seats = {str(number + 1): number for number in range(self.rules.players)}
        best = tuple(line.look_up(seats, word) for word in winners)
        return Outcome(line.comma(0), best, all_scores(self.position))


def read_counts(line: Words, numbers: dict[str, int]) -> dict[int, int]:
    """Read counted codes such as `Ri4 Tu1`, by number."""
    counts = {}
    for word in line.words:
        found = _COUNTED.fullmatch(word)
        if found is None or line.look_up(numbers, found[1]) in counts:
            raise line.fault("count")
        counts[line.look_up(numbers, found[1])] = int(found[2])
    return counts

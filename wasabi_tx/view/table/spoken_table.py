"""The table in whole words, a part at a time, for somebody who listens: names instead of codes, no signs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...engine.rules import AnyRules
from ...text import Texts
from .table import Cell, RecipeView, SeatView, TableView


class SpokenTable:
    """Reads out one part of a table."""

    def __init__(self, view: TableView, rules: AnyRules, texts: Texts) -> None:
        self._view = view
        self._rules = rules
        self._texts = texts
        self._names = {one.code: one.names[texts.language] for one in rules.edition.ingredients}

    def board(self) -> list[str]:
        """Return the rows of the board, from the first to the last."""
        return [line for row in self._rules.grid.names[:: self._view.columns] for line in self.line(row[1:])]

    def line(self, name: str) -> list[str]:
        """Return the row or column of this name: what lies on its squares; nothing if there is none."""
        cells = [cell for cell in self._view.cells if name and name.casefold() in (cell.name[0], cell.name[1:])]
        if not cells:
            return []
        told = [f"{cell.name} {self._lies(cell)}" for cell in cells if cell.codes or cell.cover]
        key = "spoken.row" if name.isdigit() else "spoken.column"
        words = ", ".join(told) if told else self._texts.say("spoken.empty")
        return [self._texts.say(key, name=name.casefold(), squares=words)]

    def square(self, name: str) -> list[str]:
        """Return what lies on the square of this name; nothing if there is none."""
        cell = next((cell for cell in self._view.cells if cell.name == name.casefold()), None)
        if cell is None:
            return []
        author = None if cell.author is None else self._view.seats[cell.author].name
        changed = "" if author is None else self._texts.say("spoken.changed", name=author)
        return [self._texts.say("spoken.square", name=cell.name, lies=self._lies(cell)) + changed]

    def _lies(self, cell: Cell) -> str:
        if not cell.codes:
            return self._texts.say(f"spoken.{cell.cover or 'empty'}")
        key = f"spoken.{cell.cover}-over" if cell.cover else "spoken.stack" if len(cell.codes) > 1 else "spoken.tile"
        *below, top = map(self._name, cell.codes)
        under = [*below, top] if cell.cover else below
        return self._texts.say(key, tile=top, below=", ".join(reversed(under)))

    def _name(self, code: str) -> str:
        return self._names[code]

    def _listed(self, codes: Sequence[str]) -> str:
        return ", ".join(map(self._name, codes))

    def pantry(self) -> list[str]:
        """Return the tiles left in the pantry, one category per line."""
        categories = dict.fromkeys(item.category for item in self._view.pantry)
        return [
            f"{category}: "
            + ", ".join(
                f"{self._name(item.code)} {item.count}" for item in self._view.pantry if item.category == category
            )
            for category in categories
        ]

    def hand(self) -> list[str]:
        """Return the viewer's tiles, cards and recipes with the numbers that pick them."""
        view, say = self._view, self._texts.say
        if not any(seat.you for seat in view.seats):
            return []
        lines = []
        if self._rules.edition.hand_tiles:
            tiles = ", ".join(f"{one.key} {self._name(one.code)}" for one in view.tiles if one.code)
            lines.append(say("spoken.tiles", tiles=tiles or say("spoken.none")))
        cards = ", ".join(f"{one.key} {one.name}" for one in view.cards)
        lines.append(say("spoken.cards", cards=cards or say("spoken.none")))
        return lines + [self._recipe(one) for one in view.recipes]

    def _recipe(self, one: RecipeView) -> str:
        say, progress = self._texts.say, one.progress
        if progress is None:
            return f"{one.key} {say('recipe.unknown', length=one.length)}"
        head = f"{one.key} {one.name}, {say('worth.points', count=one.points)}, {self._listed(one.strip)}"
        if one.claim is not None:
            return say("spoken.ready", recipe=head)
        if not one.playable:
            return f"{head}: {say('recipe.no-token', length=one.length)}"
        if progress.dead:
            return f"{head}: {say('recipe.dead')}"
        if not progress.have:
            return say("spoken.not-begun", recipe=head)
        where = ", ".join(self._rules.grid.names[square] for square in progress.squares)
        missing = self._listed([self._rules.code(tile) for tile in progress.missing]) or say("spoken.none")
        return say("spoken.begun", recipe=head, have=progress.have, of=progress.length, where=where, missing=missing)

    def seats(self) -> list[str]:
        """Return a line for each player: points and style, and of others also tiles, cards and lengths of recipes."""
        return [f"{seat.name}: {'; '.join(self._seat(seat))}" for seat in self._view.seats]

    def _seat(self, seat: SeatView) -> Iterator[str]:
        say = self._texts.say
        yield say("worth.points", count=seat.total)
        yield say("worth.cubes", count=seat.cubes)
        if seat.gone:
            yield say("seat.gone")
        elif not seat.you:
            actions = {one.code: one.names[self._texts.language] for one in self._rules.edition.actions}
            held = ", ".join(actions[code].partition(" (")[0] for code in seat.cards)
            lengths = ", ".join(map(str, seat.lengths))
            words = [say("spoken.tiles", tiles=self._listed(seat.tiles))] if seat.tiles else []
            words.append(say("spoken.cards", cards=held or say("spoken.none")))
            words += [say("spoken.lengths", lengths=lengths)] if lengths else []
            yield from (one[:1].lower() + one[1:] for one in words)

"""The table as lines of text, at most 79 columns wide."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.cells import cell_len

from ...engine.edition import Edition
from ...engine.rules import AnyRules
from ...text import Texts, cells
from .recipe import long_worth, window_name
from .table import Cell, RecipeView, SeatView, TableView

WIDTH = 79
CELL = 6
_EMPTY = "·"
_COVERS = {"wasabi": "▒▒", "cup": "U"}


def wrap(text: str, indent: str = "", width: int = WIDTH) -> list[str]:
    """Wrap text to the width of the plain screen; indent all lines but the first."""
    return cells.wrap(text, width, indent)


def table_lines(view: TableView, rules: AnyRules, texts: Texts) -> list[str]:
    """Return the lines of the open table and of the viewer's own hand and recipes."""
    lines = [*wrap(table_head(view, texts)), *board_lines(view), *_legend(view, texts), *seat_lines(view, texts)]
    stocks = "  ".join(f"{stock.label} {stock.items}" for stock in view.stocks)
    decks = " ".join(f"{deck.length}:{deck.count}" for deck in view.decks)
    lines += wrap(f"{stocks}  {texts.say('table.decks')} {decks}", "  ")
    lines += pantry_lines(view, texts)
    lines += hand_lines(view, rules, texts)
    for notice in view.notices:
        lines += wrap(notice)
    return lines


def table_head(view: TableView, texts: Texts) -> str:
    """Return the edition, the turn, the squares left and whose turn it is."""
    left = texts.say("table.squares-left", count=view.squares_left)
    turn = texts.say("table.turn", turn=view.turn) if view.turn else texts.say("table.setup")
    whose = texts.say("table.to-move", name=view.mover) if view.mover else texts.say("header.dealing")
    whose = texts.say("table.your-turn") if view.your_turn else whose
    return f"{view.edition} - {turn} - {left} - {whose}"


def cell_text(cell: Cell) -> str:
    """Format a square: its code, a stack's height, `?` for a change of this turn, `◂` and a seat for others'."""
    if cell.cover:
        mark = _COVERS[cell.cover]
    elif cell.codes:
        mark = cell.codes[-1] + (str(len(cell.codes)) if len(cell.codes) > 1 else "")
    else:
        mark = _EMPTY
    if cell.pending:
        return mark + "?"
    return mark if cell.author is None else f"{mark}◂{cell.author + 1}"


def board_lines(view: TableView) -> list[str]:
    names = [cell.name for cell in view.cells]
    lines = ["   " + "".join(f"{name[0]:<{CELL}}" for name in names[: view.columns]).rstrip()]
    for start in range(0, len(view.cells), view.columns):
        row = view.cells[start : start + view.columns]
        lines.append(f"{row[0].name[1:]:<3}" + "".join(f"{cell_text(cell):<{CELL}}" for cell in row).rstrip())
    return lines


def _legend(view: TableView, texts: Texts) -> list[str]:
    """Explain those marks that are on the board now."""
    marks = []
    if any(cell.cover for cell in view.cells):
        cover = next(cell.cover for cell in view.cells if cell.cover)
        marks.append(f"{_COVERS[cover]} {texts.say(f'legend.{cover}')}")
    if any(len(cell.codes) > 1 and not cell.cover for cell in view.cells):
        marks.append(texts.say("legend.stack"))
    if any(cell.pending for cell in view.cells):
        marks.append(f"? {texts.say('legend.pending')}")
    if any(cell.author is not None and not cell.pending for cell in view.cells):
        marks.append(f"◂ {texts.say('legend.author')}")
    return wrap("(" + ", ".join(marks) + ")") if marks else []


def seat_lines(view: TableView, texts: Texts) -> list[str]:
    """Return one line a seat: total, cubes, tokens left, tiles, cards, lengths of recipes."""
    rows = [_seat_row(seat, texts) for seat in view.seats]
    titles = ["", *(texts.say(f"seat.{name}") for name in ("total", "cubes", "tokens", "tiles", "cards", "recipes"))]
    rows.insert(0, titles)
    shown = [column for column in range(len(titles)) if any(row[column] for row in rows[1:])]
    return columns([row[column] for column in shown] for row in rows)


def _seat_row(seat: SeatView, texts: Texts) -> list[str]:
    mark = "►" if seat.to_move else " "
    role = "seat.you" if seat.you else f"seat.{seat.character or 'bot'}" if seat.bot else ""
    name = f"{mark}{seat.number} {seat.name}" + (f" ({texts.say(role)})" if role else "")
    if seat.gone:
        return [f"{name} ({texts.say('seat.gone')})", str(seat.total), str(seat.cubes), "", "", "", ""]
    tokens = " ".join(f"{length}×{left}" for length, left in seat.tokens)
    lengths = " ".join(map(str, seat.lengths))
    cards = " ".join(seat.cards)
    return [name, str(seat.total), str(seat.cubes), tokens, " ".join(seat.tiles), cards or "-", lengths or "-"]


def pantry_lines(view: TableView, texts: Texts) -> list[str]:
    words = [("*" if item.missing else "") + f"{item.code}{item.count or '-'}" for item in view.pantry]
    title = texts.say("table.pantry")
    if any(item.missing for item in view.pantry):
        title = texts.say("table.pantry-missing")
    return wrap(f"{title} {' '.join(words)}", "  ")


def hand_lines(view: TableView, rules: AnyRules, texts: Texts) -> list[str]:
    """Return the lines of the viewer's own hand, each item with its number."""
    if not any(seat.you for seat in view.seats):
        return []
    parts = []
    if rules.edition.hand_tiles:
        parts.append(f"{texts.say('table.hand')} " + (" ".join(f"{one.key} {one.code}" for one in view.tiles) or "-"))
    parts.append(f"{texts.say('table.cards')} " + (" ".join(f"{one.key} {one.code}" for one in view.cards) or "-"))
    return [*wrap("  ".join(parts), "  "), *recipe_lines(view.recipes, rules, texts)]


def recipe_lines(recipes: Sequence[RecipeView], rules: AnyRules, texts: Texts) -> list[str]:
    lines: list[str] = []
    for one in recipes:
        if one.progress is None:
            lines += wrap(f"{one.key} {texts.say('recipe.unknown', length=one.length)}", "  ")
            continue
        head = f"{one.key} {one.name}  {long_worth(one.points, one.extra, texts)}  {' '.join(one.strip)}"
        lines += wrap(f"{head}  {recipe_state(one, rules, texts)}", "    ")
    return lines


def recipe_state(one: RecipeView, rules: AnyRules, texts: Texts) -> str:
    """Return a few words on the progress of a recipe."""
    progress = one.progress
    assert progress is not None
    if one.claim is not None:
        return texts.say("recipe.done", where=window_name(rules, one.claim.squares)) + ("★" if one.claim.cubes else "")
    if not one.playable:
        return texts.say("recipe.no-token", length=one.length)
    if one.waits:
        return texts.say("recipe.waits", where=window_name(rules, one.waits))
    if progress.dead:
        return texts.say("recipe.dead")
    if not progress.missing:
        return texts.say("recipe.lies", where=window_name(rules, progress.squares))
    if not progress.have:
        return f"0/{progress.length}"
    star = "★" if progress.in_order and one.style else ""
    state = f"{progress.have}/{progress.length}{star} {window_name(rules, progress.squares)}"
    if one.opening is not None:
        return f"{state} {texts.say('recipe.opening', tile=one.opening[0], square=one.opening[1])}"
    codes = " ".join(rules.code(tile) for tile in progress.missing)
    if len(progress.missing) == 1 and progress.cups:
        square = rules.grid.names[progress.cups[0]]
        return f"{state} {texts.say('recipe.needs-cup', tile=codes, square=square)}"
    return f"{state} {texts.say('recipe.needs', count=len(progress.missing), tiles=codes)}"


def under_lines(view: TableView, texts: Texts) -> list[str]:
    """Return one line for each square with tiles under a stack or a cover."""
    return [f"{cell.name}  {'/'.join(cell.codes)}" for cell in lying_under(view)] or [texts.say("under.nothing")]


def lying_under(view: TableView) -> list[Cell]:
    """Return the squares on which a tile lies under something."""
    return [cell for cell in view.cells if len(cell.codes) > 1 or (cell.cover and cell.codes)]


def tile_lines(edition: Edition, texts: Texts, width: int = WIDTH, japanese: bool = False) -> list[str]:
    """Explain the codes of the tiles, one category a line, on request with the Japanese names."""
    lines: list[str] = []
    for category in edition.categories:
        found = [one for one in edition.ingredients if one.category == category.id]
        names = (f"{one.code} {one.names[texts.language]} {one.japanese if japanese else ''}".rstrip() for one in found)
        words = ", ".join(names)
        lines += wrap(f"{category.names[texts.language]}: {words}", "  ", width)
    return lines


def card_lines(edition: Edition, texts: Texts, width: int = WIDTH) -> list[str]:
    """Explain the action cards: code, name and effect."""
    lines: list[str] = []
    for action in edition.actions:
        lines += wrap(f"{action.code} {action.names[texts.language]}: {action.texts[texts.language]}", "  ", width)
    return lines


def columns(rows: Iterable[Sequence[str]]) -> list[str]:
    """Align rows of words in columns."""
    rows = [list(row) for row in rows]
    widths = [max((cell_len(row[n]) for row in rows), default=0) for n in range(len(rows[0]))] if rows else []
    return ["  ".join(cells.fit(word, width) for word, width in zip(row, widths, strict=True)).rstrip() for row in rows]

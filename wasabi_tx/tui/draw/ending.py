"""The ending of a game as a page: who won, the podium, the score race, and how the points were made."""

from __future__ import annotations

from rich.cells import cell_len
from textual.geometry import Region

from ...text.cells import cut, wrap
from ...text.marks import Piece
from ...view.table.ending import Completed, Ending, SeatEnding, winner_words
from ..canvas import BOLD, Canvas, mix, stacked
from ..views.panel_views import RaceView
from ..widgets.table.race import paint_race
from .lettering import HEIGHT, LETTERS, lettering_width, paint_lettering
from .podium import paint_podium, podium_width
from .sheet import Means, Sheet, piece_width, wrap_pieces

FOOT = 2
"""Rows of the foot below the page."""
TALL = 32
"""Fewest rows for the winner's name in block letters."""
ROOMY = 36
"""Fewest rows for a blank one between players."""
SIDE_BY_SIDE = 70
"""Fewest columns for podium and race side by side."""
PODIUM, PODIUM_SMALL = 8, 6
HIGHER = 5
"""Additional rows that podium and race may take, if there are any."""
WIDEST = 120
BANNER_FOOD = ("Sa", "Ma")
"""The food beside the banner."""
SPARKS = ((0.03, 2, "·"), (0.08, 8, "*"), (0.13, 1, "*"), (0.19, 1, "✦"), (0.21, 6, "*"))
"""Signs beside the banner: the share of the width from either side, the row, the sign."""


def paint_ending(ending: Ending, means: Means, width: int, height: int, shown: float = 1.0) -> Canvas:
    """Paint the whole page, which may be longer than the visible `height`.

    `shown` is below 1 while the podium rises and the race is drawn.
    """
    words = banner_words(ending, means, width) if means.paints.depth and height >= TALL else ""
    head = _banner(ending, words, means, width) if words else _head(ending, means, width)
    below = [_made(ending, means, width, height), _facts(ending, means, width)]
    rows = PODIUM if height >= TALL else PODIUM_SMALL
    left = height - FOOT - head.height - rows - 1 - sum(part.height for part in below)
    scores = _scores(ending, means, width, rows + max(0, min(left, HIGHER)), shown)
    return stacked([head, scores, *below], width, means.paints["background"])


def banner_words(ending: Ending, means: Means, width: int) -> str:
    """Return the longest words that fit in blocks, or ""."""
    say, name = means.texts.say, ending.winners[0].upper() if len(ending.winners) == 1 else ""
    if ending.you_win:
        wished = [say("ending.banner")]
    elif name:
        wished = [say("ending.banner-other", name=name), f"{name}!"]
    else:
        wished = [say("ending.banner-draw")] if ending.winners else []
    for words in wished:
        # Strangers may be called what nobody can write in blocks.
        if all(letter in LETTERS for letter in words):
            size = lettering_width(words)
            if size is not None and size <= width - 4:
                return words
    return ""


def _banner(ending: Ending, words: str, means: Means, width: int) -> Canvas:
    """Paint the winner in blocks with food at both sides, the score below, and the reason for the end."""
    reason = _reason(ending, means, width)
    sheet = Sheet(means, width, 1 + HEIGHT + len(reason))
    paints, size = sheet.paints, lettering_width(words) or 0
    left = (width - size) // 2
    for share, y, sign in SPARKS:
        x = round(width * share)
        for at in (x, width - 1 - x):
            if not left - 2 <= at < left + size + 2:
                sheet.canvas.text(at, y, sign, paints["points-shape"], BOLD)
    food = [paints.pictures.large[code] for code in BANNER_FOOD if code in paints.pictures.large]
    if len(food) == len(BANNER_FOOD) and left >= len(food[0][0]) + 6:
        for x, picture in zip((4, width - 4 - len(food[1][0])), food, strict=True):
            sheet.canvas.blank(x - 1, 2, len(picture[0]) + 2, 5)
            sheet.canvas.stamp(x, 6, picture)
    paint_lettering(sheet.canvas, left, 1, words, paints["points-shape"])
    for number, line in enumerate(reason):
        sheet.write((width - cell_len(line)) // 2, 1 + HEIGHT + number, line, "text", BOLD)
    return sheet.canvas


def _reason(ending: Ending, means: Means, width: int) -> list[str]:
    """Return the rows of `28 to 24 · the board is full`, or of a sentence if the rules did not end the game."""
    say, reason = means.texts.say, _why(ending, means)
    others = [one.total for one in ending.results if not one.winner]
    if ending.by_cubes:
        reason = f"{winner_words(ending, means.texts)} {reason}"
    elif len(ending.winners) == 1 and others and not ending.you_left:
        reason = f"{say('ending.score', mine=ending.ranked[0].total, best=max(others))} · {reason}"
    return wrap(reason, width - 4)


def _why(ending: Ending, means: Means) -> str:
    """Return the shortest reason for the end of the game."""
    if ending.you_left:
        return means.texts.say("ending.you-left")
    key = f"ending.short.{ending.ending}"
    return means.texts.say(key if means.texts.knows(key) else f"ending.{ending.ending}")


def _head(ending: Ending, means: Means, width: int) -> Canvas:
    """Paint the winner and the reason in words."""
    won, why = winner_words(ending, means.texts), _why(ending, means)
    why = why[:1].upper() + why[1:] + ("" if why.endswith(".") else ".")
    rows = wrap_pieces([Piece(won, "points"), Piece(" "), Piece(why, "muted")], width - 4)
    sheet = Sheet(means, width, 1 + len(rows))
    for y, row in enumerate(rows):
        sheet.pieces((width - sum(map(piece_width, row))) // 2, y, row)
    return sheet.canvas


def _margin(width: int) -> int:
    return 4 if width >= 100 else 1


def _scores(ending: Ending, means: Means, width: int, rows: int, shown: float) -> Canvas:
    """Paint the podium and the race, side by side if there is room."""
    margin, seats = _margin(width), len(ending.results)
    beside = width >= SIDE_BY_SIDE
    solid = means.paints.pixels
    podium = rows if solid else seats + 1
    race_rows = podium if beside else 6
    sheet = Sheet(means, width, (max(podium, race_rows) if beside else podium + 1 + race_rows) + 1)
    room = min(width, WIDEST) - 2 * margin
    left = min(seats * 14 - 1, room * 11 // 20) if beside else room
    rises, runs = min(1.0, 2 * shown), max(0.0, 2 * shown - 1)
    if solid:
        left = seats * (podium_width(seats, left) + 1) - 1
        paint_podium(sheet, Region(margin, 0, left, podium), ending, rises)
    else:
        _ranking(sheet, Region(margin, 0, left, podium), ending)
    race = RaceView(tuple(ending.race), tuple(ending.called(one, means.texts) for one in ending.results), ending.you)
    at = margin + left + 3
    place = Region(at, 0, width - margin - at, race_rows) if beside else Region(margin, podium + 1, room, race_rows)
    paint_race(sheet, place, race, runs)
    return sheet.canvas


def _ranking(sheet: Sheet, place: Region, ending: Ending) -> None:
    """Write the ranking where no podium can be drawn: `1st 3 You   28 ████████`."""
    top = max(1, *(one.total for one in ending.results))
    bar = max(4, place.width - 22)
    for y, result in enumerate(ending.ranked, place.y):
        x = sheet.write(place.x, y, f"{sheet.say(f'ending.place.{result.place}'):<4}", "muted")
        x = sheet.write(x, y, f"{result.seat + 1} ", f"seat-{result.seat + 1}", BOLD)
        weight = BOLD if result.winner else 0
        sheet.write(x, y, cut(ending.called(result, sheet.texts), 10), "text", weight)
        x = sheet.write(x + 11, y, f"{result.total:>3} ", "points", BOLD)
        done = round(bar * max(0, result.total) / top)
        sheet.write(x, y, "█" * done + "░" * (bar - done), "text")


def _made(ending: Ending, means: Means, width: int, height: int) -> Canvas:
    """Paint everybody's recipes with their points, the best player first."""
    blocks = [_made_by(result, ending, means, width, height >= ROOMY) for result in ending.ranked]
    title = Sheet(means, width, 1)
    margin = _margin(width)
    title.title(0, title.say("ending.made"), x=margin, end=width - margin)
    return stacked([title.canvas, *blocks], width, title.ground)


def _made_by(result: SeatEnding, ending: Ending, means: Means, width: int, roomy: bool) -> Canvas:
    margin = _margin(width)
    indent = 14 if width >= 100 else 2
    rows = chip_rows(result.recipes, width - 2 * margin - indent)
    sheet = Sheet(means, width, 1 + len(rows) + (1 if roomy else 0))
    paints, x = sheet.paints, margin
    if paints.pixels:
        x = sheet.badge(x, 0, str(result.seat + 1), paints.seat(result.seat + 1)) + 1
    else:
        x = sheet.write(x, 0, str(result.seat + 1), f"seat-{result.seat + 1}", BOLD) + 1
    weight = BOLD if result.seat == ending.you or result.winner else 0
    sheet.write(x, 0, cut(ending.called(result, means.texts), 8), "text", weight)
    x = sheet.write_right(0, str(result.total), "points", BOLD, end=margin + 13) + cell_len(str(result.total)) + 1
    sheet.write(x, 0, cut(_sum_words(result, means, width - x - margin), width - x), "muted")
    for y, row in enumerate(rows, 1):
        x = margin + indent
        for recipe in row:
            x = paint_chip(sheet, x, y, recipe) + 1
    return sheet.canvas


def _sum_words(result: SeatEnding, means: Means, room: int) -> str:
    """Return as much as fits of `22 from 8 recipes, 6 cubes, 3 times with style`."""
    say = means.texts.say
    if not result.recipes:
        words = say("ending.nothing")
    else:
        words = say("ending.from", points=result.points, recipes=say("ending.recipes", count=len(result.recipes)))
    styled = sum(bool(one.cubes) for one in result.recipes)
    more = [say("worth.cubes", count=result.cubes)] if result.cubes else []
    more += [say("ending.styled", count=styled)] if styled else []
    more += [say("seat.gone")] if result.gone else []
    for one in more:
        longer = f"{words}, {one}"
        if cell_len(longer) > room:
            break
        words = longer
    return words


def _chip_words(recipe: Completed) -> str:
    return f" {recipe.name} {recipe.worth} "


def chip_rows(recipes: tuple[Completed, ...], width: int) -> list[list[Completed]]:
    """Wrap the recipes into rows of a width, one column apart."""
    rows: list[list[Completed]] = []
    room = 0
    for recipe in recipes:
        size = cell_len(_chip_words(recipe)) + 1
        if not rows or size - 1 > room:
            rows.append([])
            room = width
        rows[-1].append(recipe)
        room -= size
    return rows


def paint_chip(sheet: Sheet, x: int, y: int, recipe: Completed) -> int:
    """Paint a recipe on gold, brighter the more it brought, with the style cubes in bold."""
    paints = sheet.paints
    words = f" {cut(recipe.name, sheet.width - x - len(recipe.worth) - 3)} "
    if not paints.pixels:
        x = sheet.write(x, y, f"[{words.strip()} ", "text")
        return sheet.write(sheet.write(x, y, recipe.worth, "points", BOLD), y, "]", "text")
    share = min(0.5, 0.08 + 0.055 * (recipe.points + recipe.cubes))
    ground = mix(paints["background"], paints["points-shape"], share)
    ink = paints["text"]
    x = sheet.canvas.text(x, y, words, ink, 0, ground)
    x = sheet.canvas.text(x, y, str(recipe.points), ink, BOLD, ground)
    if recipe.cubes:
        x = sheet.canvas.text(x, y, f"+{recipe.cubes}", ink, BOLD, ground)
    return sheet.canvas.text(x, y, " ", ink, 0, ground)


def _facts(ending: Ending, means: Means, width: int) -> Canvas:
    """Paint further facts: the best recipe, most cubes, the longest lead."""
    facts, margin = _fact_words(ending, means), _margin(width)
    rows: list[list[tuple[str, str]]] = [[]]
    room = width - 2 * margin
    for fact in facts:
        size = cell_len(f"{fact[0]} {fact[1]}") + 3
        if rows[-1] and size - 3 > room:
            rows.append([])
            room = width - 2 * margin
        rows[-1].append(fact)
        room -= size
    sheet = Sheet(means, width, len(rows) + 1)
    for y, row in enumerate(rows):
        x = margin
        for label, words in row:
            x = sheet.write(x, y, f"{label} ", "muted")
            x = sheet.write(x, y, cut(words, max(1, width - x)), "text", BOLD) + 3
    return sheet.canvas


def _fact_words(ending: Ending, means: Means) -> list[tuple[str, str]]:
    say, facts = means.texts.say, []
    if (best := ending.best_recipe) is not None:
        recipe, result = best
        worth = say("worth.points", count=recipe.points + recipe.cubes)
        facts.append((say("ending.best"), f"{recipe.name}, {worth}, {ending.called(result, means.texts)}"))
    if (most := ending.most_cubes) is not None:
        facts.append((say("ending.most-cubes"), f"{ending.called(most, means.texts)}, {most.cubes}"))
    if (lead := ending.longest_lead) is not None:
        name = ending.called(ending.results[lead.seat], means.texts)
        facts.append((say("ending.lead"), f"{name}, {say('table.turns', count=lead.turns)}"))
    return facts

"""Pages that people ask for during a game, as lines: the log, the recipe book, who has what, help, the end."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from rich.cells import cell_len

from ...engine.observe import Observation
from ...engine.position import NOBODY
from ...engine.rules import AnyRules
from ...table.game import Player
from ...text import Texts
from ...text.cells import fit, wrap
from ...text.foreign import clean
from ...text.marks import unmarked
from ...text.topics import find_topics
from ...view.log.chronicle import TurnEntry
from ...view.log.followed_game import FollowedGame, score_race
from ...view.log.phrases import worth_words
from ...view.table.ending import end_view
from ...view.table.plain_table import card_lines, tile_lines
from ...view.table.recipe import long_worth
from ...view.table.table import TableView, extra_of
from ...view.turn.prompt_lines import TOPICS
from ..keys import actions_on, shown_keys
from ..spans import Line, Span

TEXT = 72
"""Columns of running text."""
FIRST = {"table": ("tui.help-turn", "tui.help-codes"), "lobby": ("room.unaudited",), "room": ("room.unaudited",)}
"""What the help of a screen begins with."""


def log_lines(entries: Sequence[TurnEntry], players: Sequence[Player], texts: Texts) -> list[Line]:
    """The whole log, the newest first."""
    lines: list[Line] = []
    for entry in reversed(entries):
        who = texts.say("log.dealer") if entry.seat == NOBODY else clean(players[entry.seat].name, 20)
        words = clean(unmarked(", ".join(entry.words)) or texts.say("log.nothing"), 1000)
        role = "muted" if entry.seat == NOBODY else f"seat-{entry.seat + 1}"
        rows = wrap(words, TEXT - 18)
        lines.append((Span(f"{entry.turn:>3} ", "muted"), Span(fit(who, 13), role), Span(rows[0], "text")))
        lines += [(Span(" " * 17 + row, "text"),) for row in rows[1:]]
    return lines or [(Span(texts.say("play.log-empty"), "muted"),)]


def book_lines(observation: Observation, texts: Texts) -> list[Line]:
    """What codes stand for, and every recipe of the edition by length: played ones struck out, the own ones marked."""
    rules = observation.rules
    done = {claimed.recipe for seat in observation.position.seats for claimed in seat.claimed}
    own = set(observation.faces.values())
    lines: list[Line] = [*_running(tile_lines(rules.edition, texts, TEXT, japanese=True)), ()]
    for length in rules.edition.lengths:
        lines.append((Span(texts.say("tui.book-length", length=length), "strong"),))
        for number, recipe in enumerate(rules.edition.recipes):
            if recipe.length != length:
                continue
            role = "struck" if number in done else "key" if number in own else "text"
            mark = "✓ " if number in done else "► " if number in own else "  "
            codes = " ".join(rules.code(tile) for tile in recipe.strip.tiles)
            worth = long_worth(recipe.points, extra_of(rules, recipe, texts), texts)
            lines.append(
                (
                    Span(mark, "good"),
                    Span(fit(recipe.names[texts.language], 22), role),
                    Span(fit(codes, 16), "text"),
                    Span(worth, "muted"),
                )
            )
        lines.append(())
    return lines + _running(card_lines(rules.edition, texts, TEXT))


def _running(rows: Sequence[str]) -> list[Line]:
    return [(Span(row, "text"),) for row in rows]


def who_lines(observation: Observation, view: TableView, texts: Texts) -> list[Line]:
    """Every seat: what it has completed, its tiles, its cards, the lengths of its recipes."""
    rules = observation.rules
    lines: list[Line] = []
    for seat, state in zip(view.seats, observation.position.seats, strict=True):
        name = clean(seat.name, 20) + (f" ({texts.say('seat.you')})" if seat.you else "")
        total = texts.say("ending.sum", total=seat.total, worth=worth_words(texts, state.points, seat.cubes))
        lines.append(
            (Span(f"{seat.number} ", f"seat-{seat.number}"), Span(fit(name, 20), "strong"), Span(total, "text"))
        )
        facts = [
            (texts.say("seat.tokens"), " ".join(f"{length}×{left}" for length, left in seat.tokens)),
            (texts.say("seat.tiles"), " ".join(seat.tiles)),
            (texts.say("seat.cards"), " ".join(seat.cards) or "-"),
            (texts.say("seat.recipes"), " ".join(map(str, seat.lengths)) or "-"),
        ]
        lines.append((Span("  " + "   ".join(f"{label}: {items}" for label, items in facts if items), "muted"),))
        for claimed in state.claimed:
            recipe = rules.edition.recipes[claimed.recipe]
            stars = f" ★{claimed.cubes}" if claimed.cubes else ""
            lines.append(
                (
                    Span("  ✓ ", "good"),
                    Span(fit(recipe.names[texts.language], 22), "text"),
                    Span(f"+{recipe.points}{stars}", "text"),
                )
            )
        lines.append(())
    return lines[:-1]


def help_lines(
    rules: AnyRules,
    slot: str | None,
    texts: Texts,
    keys: Mapping[str, str],
    where: str,
    without: Collection[str] = (),
) -> list[Line]:
    """The keys of a screen, `without` those that do nothing there, and the rules topic for what is going on."""
    told = FIRST.get(where, ())
    lines: list[Line] = [line for key in told for line in ((Span(texts.say(key), "text"),), ())]
    for action in actions_on(where):
        if action.id in without:
            continue
        shown = " ".join(shown_keys(action, keys, texts))
        lines.append((Span(fit(shown, 12), "key"), Span(texts.say(f"tui.about.{action.id}"), "text")))
    wanted = TOPICS.get(slot or "", "goal")
    topics = find_topics(texts.language, rules.name)
    first = [topic for topic in topics if topic.name == wanted]
    for topic in [*first, *(topic for topic in topics if topic not in first)]:
        lines += [(), (Span(topic.title, "strong"),)]
        for paragraph in topic.text.splitlines():
            lines += [(Span(row, "text"),) for row in wrap(paragraph, TEXT)]
    return [_wrapped for line in lines for _wrapped in _wrap(line)]


def _wrap(line: Line) -> list[Line]:
    """A line of one long span as several."""
    if len(line) != 1 or cell_len(line[0].text) <= TEXT:
        return [line]
    return [(Span(row, line[0].role),) for row in wrap(line[0].text, TEXT)]


def end_lines(followed: FollowedGame, texts: Texts, width: int, height: int) -> list[Line]:
    """Who won and why, what everybody's points are made of, and the score race."""
    game = followed.game
    view = end_view(game.rules, game.position, game.players, texts, followed.outcome)
    names = [clean(name, 20) for name in view.winners]
    if not names:
        won = texts.say("tui.no-winner")
    elif len(names) == 1:
        won = texts.say("ending.by-cubes" if view.by_cubes else "ending.winner", name=names[0])
    else:
        won = texts.say("ending.draw", names=", ".join(names))
    lines: list[Line] = [(Span(f"★ {won}", "good"),), (Span(texts.say(f"ending.{view.ending}"), "text"),), ()]
    for number, result in enumerate(view.results, 1):
        sums = texts.say("ending.sum", total=result.total, worth=worth_words(texts, result.points, result.cubes))
        mark = Span("★ " if result.winner else "  ", "warning")
        gone = f" ({texts.say('seat.gone')})" if result.gone else ""
        lines.append(
            (
                mark,
                Span(f"{number} ", f"seat-{number}"),
                Span(fit(clean(result.name, 20) + gone, 18), "strong"),
                Span(sums, "text"),
            )
        )
        words = ", ".join(
            f"{name} {points}" + (f"+{cubes}★" if cubes else "") for name, points, cubes in result.recipes
        )
        lines += [(Span(f"    {row}", "muted"),) for row in wrap(words or texts.say("ending.nothing"), TEXT - 6)]
    lines += [(), (Span(texts.say("tui.race"), "strong"),)]
    return lines + race_lines(score_race(followed.frames), min(width - 10, 76), 10 if height >= 30 else 6)


def race_lines(scores: Sequence[tuple[int, ...]], width: int, height: int) -> list[Line]:
    """A chart of at most so many cells; the leader's number is drawn on top of others'."""
    if not scores:
        return []
    top = max(1, *(max(row) for row in scores))
    room = max(2, width - 5)
    columns = min(room, len(scores))
    sampled = [scores[n * (len(scores) - 1) // max(1, columns - 1)] for n in range(columns)]
    stretch = room // columns
    grid: list[list[Span]] = [[Span(" ", "rule")] * room for _ in range(height)]
    for x, row in enumerate(sampled):
        for seat in sorted(range(len(row)), key=lambda seat: row[seat]):
            y = height - 1 - row[seat] * (height - 1) // top
            for wide in range(stretch):
                sign = str(seat + 1) if wide == 0 else "·"
                grid[y][x * stretch + wide] = Span(sign, f"seat-{seat + 1}" if wide == 0 else "rule")
    lines: list[Line] = []
    for y, cells in enumerate(grid):
        value = top - y * top // max(1, height - 1) if y in (0, height - 1, height // 2) else None
        label = f"{value:>3} " if value is not None else "    "
        lines.append((Span(label, "muted"), Span("│", "rule"), *cells))
    lines.append((Span("    └" + "─" * room, "rule"),))
    return lines

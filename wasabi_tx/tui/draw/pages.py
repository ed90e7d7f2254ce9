"""Pages that people ask for during a game, as lines: the log, who has what, help, the end."""

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
from ...view.table.table import TableView
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


_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""The bits of a braille sign, by row and column of its dots."""


def end_lines(followed: FollowedGame, texts: Texts, width: int, height: int, drawn: bool = False) -> list[Line]:
    """Who won and why, what everybody's points are made of, and the score race, `drawn` as curves or in digits."""
    game = followed.game
    view = end_view(game.rules, game.position, game.players, texts, followed.outcome)
    names = [clean(name, 20) for name in view.winners]
    others = [result.total for number, result in enumerate(view.results) if number != followed.seated]
    if not names:
        won = texts.say("tui.no-winner")
    elif won_alone(followed) and not view.by_cubes and others:
        mine = next(result.total for result in view.results if result.winner)
        won = texts.say("ending.you-win", mine=mine, best=max(others))
    elif len(names) == 1:
        won = texts.say("ending.by-cubes" if view.by_cubes else "ending.winner", name=names[0])
    else:
        won = texts.say("ending.draw", names=", ".join(names))
    lines: list[Line] = [(Span(f"★ {won}", "good"),), (Span(texts.say(f"ending.{view.ending}"), "text"),), ()]
    ranked = sorted(enumerate(view.results, 1), key=lambda one: (not one[1].winner, -one[1].total))
    for number, result in ranked:
        sums = texts.say("ending.sum", total=result.total, worth=worth_words(texts, result.points, result.cubes))
        mark = Span("★ " if result.winner else "  ", "warning")
        gone = f" ({texts.say('seat.gone')})" if result.gone else ""
        name = texts.say("tui.you") if number - 1 == followed.seated else clean(result.name, 20)
        lines.append(
            (
                mark,
                Span(f"{number} ", f"seat-{number}"),
                Span(fit(name + gone, 18), "strong"),
                Span(sums, "text"),
            )
        )
        words = ", ".join(
            f"{recipe} {points}" + (f"+{cubes}" if cubes else "") for recipe, points, cubes in result.recipes
        )
        lines += [(Span(f"    {row}", "muted"),) for row in wrap(words or texts.say("ending.nothing"), TEXT - 6)]
    lines += [(), (Span(texts.say("tui.race"), "strong"),)]
    scores, wide, rows = score_race(followed.frames), min(width - 10, 76), 10 if height >= 30 else 6
    if drawn:
        return lines + curve_lines(scores, followed.seated, wide, rows)
    return lines + race_lines(scores, wide, rows)


def won_alone(followed: FollowedGame) -> bool:
    """Whether the one who sits here has won, and nobody with them."""
    outcome = followed.game.position.outcome or followed.outcome
    return outcome is not None and followed.seated is not None and outcome.winners == (followed.seated,)


def curve_lines(scores: Sequence[tuple[int, ...]], own: int | None, width: int, height: int) -> list[Line]:
    """The score race in dots, eight to a cell: steps, not slopes; the own curve last, on top of the others."""
    if not scores:
        return []
    top, room = max(1, *(max(row) for row in scores)), max(4, width - 8)
    dots = [[0] * room for _ in range(height)]
    roles = [["rule"] * room for _ in range(height)]
    seats = sorted(range(len(scores[0])), key=lambda seat: (seat == own, seat))
    for seat in seats:
        before = 0
        for x in range(2 * room):
            value = scores[x * (len(scores) - 1) // (2 * room - 1)][seat] * (4 * height - 1) // top
            for level in range(min(before, value), max(before, value) + 1) if x else (value,):
                y = 4 * height - 1 - level
                dots[y // 4][x // 2] |= _DOTS[y % 4][x % 2]
                roles[y // 4][x // 2] = f"seat-{seat + 1}"
            before = value
    names: dict[int, int] = {}
    for seat in sorted(seats, key=lambda seat: -scores[-1][seat]):
        y = height - 1 - scores[-1][seat] * (height - 1) // top
        while y in names and y < height - 1:
            y += 1
        names.setdefault(y, seat)
    lines: list[Line] = []
    for y in range(height):
        label = f"{top - y * top // max(1, height - 1):>3} " if y in (0, height - 1, height // 2) else "    "
        cells = [Span(chr(0x2800 + dot), role) for dot, role in zip(dots[y], roles[y], strict=True)]
        name = (Span(f" {names[y] + 1}", f"seat-{names[y] + 1}"),) if y in names else ()
        lines.append((Span(label, "muted"), *cells, *name))
    return lines


def race_lines(scores: Sequence[tuple[int, ...]], width: int, height: int) -> list[Line]:
    """A chart of at most that number of cells; the leader's number is drawn on top of others'."""
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

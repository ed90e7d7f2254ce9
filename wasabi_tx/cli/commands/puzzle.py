"""`wasabi-tx puzzle`: find the best turn; one a day, and as many more as you like."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import date
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...app.failure import Failure
from ...app.output import echo
from ...app.preferences import own_name, texts_for
from ...puzzles.puzzle import EDITIONS, Puzzle
from .. import Misuse, on_terminal
from ..options import language_option

if TYPE_CHECKING:
    from ...app.local_games import LocalGames
    from ...text import Texts


@click.command()
@click.argument("number", type=int, required=False)
@click.option(
    "--edition", type=click.Choice(EDITIONS), default=EDITIONS[0], show_default=True, help="edition of the puzzles"
)
@click.option("--seed", default=None, help="any text; the same seed gives the same puzzles in the same order")
@click.option("--day", default=None, metavar="DATE", help="the puzzle of another day, such as 2026-11-17")
@click.option("--from", "file", type=click.Path(path_type=Path), default=None, help="puzzles from your own saved game")
@click.option(
    "--seat",
    type=click.IntRange(1, 4),
    default=None,
    help="with --from: player whose turns become puzzles (default: first person)",
)
@click.option("--plain", is_flag=True, help="line by line, for screen readers, scripts and pipes")
@language_option
def puzzle(
    number: int | None,
    edition: str,
    seed: str | None,
    day: str | None,
    file: Path | None,
    seat: int | None,
    plain: bool,
    language: str | None,
) -> None:
    """Find the best turn: today's puzzle, or the one with this NUMBER.

    A turn is judged by its points, then by its style, then by how few cards it needs. What you draw after it does not
    count. The first turn that you end earns the stars.
    """
    from ...app.local_games import LocalGames
    from ...tui.launch import solve_on_screen

    texts = texts_for(language)
    if sum(wish is not None for wish in (number, seed, day, file)) > 1:
        raise Misuse(texts.say("puzzle.one-of"))
    puzzles = _stored(edition, number, seed, day, texts) if file is None else _own(file, seat, texts)
    if not plain and on_terminal():
        for line in solve_on_screen(puzzles, language):
            echo(line)
    else:
        _solve_plain(LocalGames(language), puzzles, texts)


def _stored(edition: str, number: int | None, seed: str | None, day: str | None, texts: Texts) -> Iterator[Puzzle]:
    """Return puzzles that come with the program."""
    from ...puzzles.judge import today
    from ...puzzles.puzzle import count_of, puzzles_by_seed, puzzles_from, puzzles_of_day

    if seed is not None:
        return puzzles_by_seed(edition, seed)
    if number is not None:
        if not 1 <= number <= count_of(edition):
            raise Failure(texts.say("puzzle.no-number", count=count_of(edition)))
        return puzzles_from(edition, number)
    try:
        return puzzles_of_day(edition, today() if day is None else date.fromisoformat(day))
    except ValueError:
        raise Misuse(texts.say("puzzle.no-day")) from None


def _own(file: Path, seat: int | None, texts: Texts) -> Iterator[Puzzle]:
    """Return puzzles from a saved game; raise `Failure` if there are none."""
    from ...app.saved_games import find_saved, read_saved
    from ...games.game import first_person
    from ...games.review import CannotReview
    from ...puzzles.own_game import puzzles_in
    from ...store.paths import short_path

    path = find_saved(file)
    transcript = read_saved(path, texts)
    chosen = first_person(transcript.players) if seat is None else seat - 1
    if chosen >= len(transcript.players):
        raise Failure(texts.say("review.no-seat", seat=chosen + 1))
    puzzles = puzzles_in(transcript.record, chosen, lambda turn: texts.say("puzzle.own", turn=turn, file=path.name))
    try:
        first = next(puzzles, None)
    except CannotReview:
        raise Failure(texts.say("review.impossible", file=short_path(path))) from None
    if first is None:
        name = transcript.players[chosen].name
        raise Failure(texts.say("puzzle.none", file=short_path(path), name=name))
    return chain((first,), puzzles)


def _solve_plain(games: LocalGames, puzzles: Iterator[Puzzle], texts: Texts) -> None:
    from ...plain.console import Console
    from ...plain.puzzle import PlainPuzzle
    from ...puzzles.judge import PuzzleJudge, progress_with_stars
    from ...view.names import bot_names, people_names

    own = own_name()
    (name,) = people_names([own] if own else [], 1, texts)
    console = Console(sys.stdin, sys.stdout)
    for one in puzzles:
        judge = PuzzleJudge(one, name, bot_names([name]))
        more = PlainPuzzle(judge, console, texts).run()
        if judge.stars is not None:
            games.save_progress(progress_with_stars(games.progress(), one, judge.stars))
        if not more:
            return

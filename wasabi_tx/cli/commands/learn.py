"""`wasabi-tx learn`: the game step by step, by playing it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from ...app.preferences import own_name, texts_for
from ...lessons.course import COURSES
from ...plain.console import Console
from .. import on_terminal
from ..options import language_option

if TYPE_CHECKING:
    from ...app.local_games import LocalGames


@click.command()
@click.option("--edition", type=click.Choice(COURSES), default=COURSES[0], show_default=True, help="edition to learn")
@click.option("--again", is_flag=True, help="start from the beginning")
@click.option("--plain", is_flag=True, help="line by line, for screen readers, scripts and pipes")
@language_option
@click.pass_context
def learn(ctx: click.Context, edition: str, again: bool, plain: bool, language: str | None) -> None:
    """Learn the game in ten minutes: a first game on the real table, one idea at a time.

    You can leave at any time, and continue where you left off.
    """
    from dataclasses import replace

    from ...app.local_games import LocalGames
    from ...tui.launch import learn_on_screen

    games = LocalGames(language)
    if again:
        progress = games.progress()
        games.save_progress(replace(progress, lessons={**progress.lessons, edition: 0}))
    if not plain and on_terminal():
        learn_on_screen(edition, language)
    elif _learn_plain(games, edition, language):
        from .play import play

        ctx.invoke(play, plain=True, edition=edition, language=language)


def _learn_plain(games: LocalGames, course: str, language: str | None) -> bool:
    """Run the course; return whether it was completed."""
    from ...lessons.course import find_course
    from ...lessons.guide import Guide, progress_with
    from ...plain.lesson import PlainLesson
    from ...view.names import bot_names, people_names

    texts, own = texts_for(language), own_name()
    (name,) = people_names([own] if own else [], 1, texts)
    guide = Guide(find_course(course), name, next(bot_names([name])), games.progress().lessons.get(course, 0))

    def keep(guide: Guide) -> None:
        games.save_progress(progress_with(games.progress(), guide))

    return PlainLesson(guide, Console(sys.stdin, sys.stdout), texts, keep).run()

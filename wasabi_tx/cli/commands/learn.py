"""`wasabi-tx learn`: the game step by step, by playing it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from ...plain.console import Console
from ...table.learn.course import COURSES
from .. import on_terminal
from ..options import language_option, own_name, texts_for

if TYPE_CHECKING:
    from ..local_games import MachineGames


@click.command()
@click.option("--edition", type=click.Choice(COURSES), default=COURSES[0], show_default=True, help="which course")
@click.option("--again", is_flag=True, help="from the beginning, not from where you left it")
@click.option("--plain", is_flag=True, help="line by line, for screen readers, scripts and pipes")
@language_option
@click.pass_context
def learn(ctx: click.Context, edition: str, again: bool, plain: bool, language: str | None) -> None:
    """Learn the game in ten minutes: a first game on the real table, one idea at a time.

    It can be left at any time, and goes on where you left it.
    """
    from dataclasses import replace

    from ..local_games import MachineGames, learn_on_screen

    games = MachineGames(language)
    if again:
        progress = games.progress()
        games.keep_progress(replace(progress, lessons={**progress.lessons, edition: 0}))
    if not plain and on_terminal():
        learn_on_screen(edition, language)
    elif _learn_plain(games, edition, language):
        from .play import play

        ctx.invoke(play, plain=True, edition=edition, language=language)


def _learn_plain(games: MachineGames, course: str, language: str | None) -> bool:
    """Whether the course was taken to its end."""
    from ...plain.lesson import PlainLesson
    from ...table.learn.course import find_course
    from ...view.guide import Guide, progress_with
    from ...view.names import bot_names, people_names

    texts, own = texts_for(language), own_name()
    (name,) = people_names([own] if own else [], 1, texts)
    guide = Guide(find_course(course), name, next(bot_names([name])), games.progress().lessons.get(course, 0))

    def keep(guide: Guide) -> None:
        games.keep_progress(progress_with(games.progress(), guide))

    return PlainLesson(guide, Console(sys.stdin, sys.stdout), texts, keep).run()

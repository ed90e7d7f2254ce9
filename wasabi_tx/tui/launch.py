"""Starting the app from a command: the home screen, a game, a lesson, puzzles, a replay."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from ..app.local_games import LocalGames, colours_here
from ..app.preferences import own_name
from ..app.saved_games import put_away
from ..app.values import Opened
from ..store.paths import find_paths, short_path
from ..store.settings import settings_file
from ..text import Texts, find_language

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..app.online_tables import OnlineTables
    from ..games.local import LocalGame
    from ..games.transcript import Transcript
    from ..puzzles.puzzle import Puzzle
    from ..store.transcripts import TranscriptFile


def open_home(language: str | None, lobby: str | None = None, anybody: str | None = None) -> None:
    """Open the home screen, after the first start for somebody without settings.

    Above it there may be a broker's `lobby`, or the search for `anybody` to play this edition with.
    """
    from .run import run_home

    unknown = not settings_file(find_paths().config).exists()
    first = (own_name() or Texts(find_language(language)).say("cli.person", number=1)) if unknown else None
    run_home(
        LocalGames(language),
        language=language,
        colours=colours_here(),
        online=_find_online,
        newcomer=first,
        lobby=lobby,
        anybody=anybody,
    )


def _find_online() -> OnlineTables:
    """Import online tables only when somebody wants one, so that home opens sooner."""
    from ..app.online_tables import OnlineTables

    return OnlineTables()


def play_on_screen(
    game: LocalGame, file: TranscriptFile, language: str | None, earlier: Transcript | None = None
) -> bool:
    """Play a game on the screen, close its file, and return whether the game is over."""
    from .run import run_game

    opened = Opened(game, short_path(file.path), partial(put_away, game, file), earlier)
    run_game(LocalGames(language), opened, language=language, colours=colours_here())
    opened.close()
    return game.position.outcome is not None or not game.begun


def learn_on_screen(course: str, language: str | None) -> None:
    """Continue a course on the screen."""
    from .run import run_lesson

    run_lesson(LocalGames(language), course, language=language, colours=colours_here())


def solve_on_screen(puzzles: Iterator[Puzzle], language: str | None) -> list[str]:
    """Show puzzles on the screen; return a line to share for each that was tried."""
    from .run import run_puzzles

    return run_puzzles(LocalGames(language), puzzles, language=language, colours=colours_here()).shared


def replay_on_screen(transcript: Transcript, file: str, language: str | None) -> None:
    """Step through a saved game on the screen."""
    from .run import run_replay

    run_replay(LocalGames(language), transcript, file, language=language, colours=colours_here())

"""Local games and all else that the screens of the app need from this machine."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from ..store.games import SUFFIX as ONLINE
from ..store.games import list_games
from ..store.paths import Paths, find_paths, short_path
from ..store.picture_files import new_picture
from ..store.progress import read_progress, write_progress
from ..store.seats import list_seats, list_situations
from ..store.settings import read_settings, set_settings_aside, settings_file, write_settings
from ..store.transcripts import (
    TranscriptFile,
    is_finished,
    list_transcripts,
    new_transcript,
    read_text,
    reopen_transcript,
)
from ..store.user_files import edition_names, find_pictures, find_themes, read_theme
from ..text import Texts, find_language
from ..text.foreign import clean
from ..text.os_problem import OsProblem
from ..tui.services import GameWish, LeftGame, LeftGames, NotPossible, Opened, Saved, WaitingGame
from ..view.pictures import NONE, PictureError, Pictures, parse_pictures
from ..view.progress import Progress, format_progress, parse_progress
from ..view.settings import EXPLAINED, Settings, change_settings, parse_settings
from ..view.theme import Theme, ThemeError, parse_theme
from .options import own_name, preferences, refused_level, texts_for
from .terminal import count_colours

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..table.game import Player
    from ..table.local import LocalGame
    from ..table.puzzle.puzzle import Puzzle
    from ..table.transcript import Transcript
    from ..tui.services import OnlineTables
    from ..view.online.call import Call
    from .ringing import Ringer

SHOWN_GAMES = 50
DEFAULT_THEME = "omakase"


def colours_here() -> int:
    """How many colours this terminal has; 0 if nobody wants any."""
    return count_colours(os.environ)


def _played(path: Path) -> str:
    """When a game was last saved."""
    return f"{datetime.fromtimestamp(path.stat().st_mtime, UTC).astimezone():%Y-%m-%d %H:%M}"


class MachineGames:
    """Settings, themes and games in the user's folders."""

    def __init__(self, language: str | None = None) -> None:
        self._paths: Paths = find_paths()
        self._language = language
        self._texts = texts_for(language)
        self._ringer: Ringer | None = None

    def settings(self) -> tuple[Settings, list[str]]:
        path = settings_file(self._paths.config)
        try:
            settings, wrong = parse_settings(read_settings(self._paths.config))
        except OSError as error:
            return Settings(), [self._unreadable(path, error)]
        file = short_path(path)
        return settings, [
            self._texts.say("tui.setting-wrong", file=file, line=one.line, key=one.key, found=one.found)
            if one.path
            else self._texts.say("tui.settings-broken", file=file, line=one.line)
            for one in wrong
        ]

    def _unreadable(self, path: Path, error: OSError) -> str:
        return self._texts.say("cli.unreadable", file=short_path(path), reason=error)

    def keep(self, settings: Settings) -> None:
        texts = Texts(find_language(settings.language or self._language))
        notes = {key: texts.say(f"cli.setting-note.{key}") for key in EXPLAINED}
        try:
            before = read_settings(self._paths.config)
            if parse_settings(before)[1]:
                set_settings_aside(self._paths.config)
            write_settings(self._paths.config, change_settings(before, settings, notes))
        except OSError as error:
            folder = short_path(self._paths.config)
            raise NotPossible(self._texts.say("cli.unwritable", folder=folder, reason=error)) from None

    def progress(self) -> Progress:
        try:
            return parse_progress(read_progress(self._paths.config))
        except OSError:
            return Progress()

    def keep_progress(self, progress: Progress) -> None:
        try:
            write_progress(self._paths.config, format_progress(progress))
        except OSError as error:
            folder = short_path(self._paths.config)
            raise NotPossible(self._texts.say("cli.unwritable", folder=folder, reason=error)) from None

    def themes(self) -> tuple[list[Theme], list[str]]:
        themes, problems = [], []
        for name, path in find_themes(self._paths.themes).items():
            try:
                themes.append(parse_theme(name, read_theme(path)))
            except ThemeError as error:
                params = {"name": name, "where": error.where, "found": error.found}
                problems.append(self._texts.say("tui.theme-broken", **params))
            except OSError as error:
                problems.append(self._unreadable(path, error))
        themes.sort(key=lambda theme: (theme.id != DEFAULT_THEME, theme.id))
        return themes, problems

    def pictures(self) -> tuple[Pictures, list[str]]:
        found, problems = NONE, []
        for path in find_pictures(self._paths.themes):
            try:
                found = found.joined(parse_pictures(read_theme(path)))
            except PictureError as error:
                params = {"name": path.stem, "where": error.where, "found": error.found}
                problems.append(self._texts.say("tui.pictures-broken", **params))
            except OSError as error:
                problems.append(self._unreadable(path, error))
        return found, problems

    def editions(self, texts: Texts) -> list[tuple[str, str]]:
        from ..store.user_files import edition_names

        return list(edition_names(self._paths.editions, texts.language).items())

    def start(self, wish: GameWish, texts: Texts) -> Opened:
        from ..view.names import people_names
        from ..view.rivals import seat_players

        own, seed = own_name(), os.urandom(8).hex()
        people = people_names([own] if own else [], wish.people, texts)
        return self._open(wish.edition, seat_players(people, wish.others, wish.level, seed), seed, texts)

    @property
    def _quick(self) -> bool:
        return preferences(self._paths).quick_start

    def _open(self, edition: str, players: tuple[Player, ...], seed: str, texts: Texts) -> Opened:
        from ..bots.level_names import level_of
        from ..engine.edition import EditionError
        from ..store.user_files import find_rules
        from ..table.local import LocalGame
        from ..view.sentences import say_problem

        try:
            rules = find_rules(edition, len(players), self._paths.editions)
        except EditionError as error:
            raise NotPossible(f"{edition}: {say_problem(texts, error.problems[0])}") from None
        except KeyError:
            raise NotPossible(texts.say("cli.unreadable", file=edition, reason=OsProblem.MISSING)) from None
        except OSError as error:
            raise NotPossible(texts.say("cli.unreadable", file=edition, reason=error)) from None
        for level in dict.fromkeys(level_of(player.bot) for player in players if player.bot):
            if refusal := refused_level(level, rules, texts):
                raise NotPossible(refusal)
        try:
            file = new_transcript(self._paths.games, rules.edition.id, datetime.now().astimezone())
            return self._opened(LocalGame(rules, players, seed, file.append, quick=self._quick), file)
        except OSError as error:
            raise self._unwritable(error, texts) from None

    def _unwritable(self, error: OSError, texts: Texts) -> NotPossible:
        folder = short_path(self._paths.games)
        return NotPossible(texts.say("cli.unwritable", folder=folder, reason=error))

    def _opened(self, game: LocalGame, file: TranscriptFile, earlier: Transcript | None = None) -> Opened:
        return Opened(game, short_path(file.path), file.close, earlier)

    def again(self, opened: Opened, texts: Texts) -> Opened:
        from ..table.local import LocalGame, seeded_first

        game = opened.game
        following = (game.position.first + 1) % len(game.players)
        seed = os.urandom(8).hex()
        while seeded_first(seed, len(game.players)) != following:
            seed = os.urandom(8).hex()
        try:
            file = new_transcript(self._paths.games, game.rules.edition.id, datetime.now().astimezone())
            return self._opened(LocalGame(game.rules, game.players, seed, file.append, quick=self._quick), file)
        except OSError as error:
            raise self._unwritable(error, texts) from None

    def saved(self, texts: Texts) -> list[Saved]:
        from ..view.saved_game import saved_line

        try:
            paths = list_transcripts(self._paths.games)[:SHOWN_GAMES]
            online = list_games(self._paths.games)
        except OSError as error:
            raise NotPossible(self._unreadable(self._paths.games, error)) from None
        found = self._saved_online(texts) if online else []
        for path in paths:
            try:
                earlier = self.read(path.name, texts)
                played = _played(path)
            except (NotPossible, OSError):
                continue
            words = f"{played}  {saved_line(earlier, texts)}"
            found.append((played, Saved(path.name, words, earlier.last.outcome is not None)))
        found.sort(key=lambda one: one[0], reverse=True)
        return [saved for _, saved in found]

    def _saved_online(self, texts: Texts) -> list[tuple[str, Saved]]:
        """Games at online tables, each with its date; an unfinished one is continued as a seat, not from here."""
        from ..table.online.replayed import games_online, with_scores

        names = edition_names(self._paths.editions, texts.language)
        found = []
        for one in map(with_scores, games_online(self._paths.games)[:SHOWN_GAMES]):
            played = _played(one.path)
            result = ", ".join(f"{name} {points}" for name, points in one.scores)
            words = texts.say(
                "tui.saved-online" if result else "tui.saved-online-open",
                date=played,
                edition=clean(names.get(one.edition, one.edition), 30),
                names=result or ", ".join(one.names),
            )
            found.append((played, Saved(one.path.name, words, finished=True)))
        return found

    def left(self, texts: Texts) -> LeftGames:
        # Home asks at every start: who has left nothing does not wait until all is imported that tells of it.
        games, left, seats = self._paths.games, [], 0
        with suppress(OSError):
            if list_seats(games):
                from ..table.online.keep.seat import unfinished_of_person

                seats = len(unfinished_of_person(games))
            left = [path for path in list_transcripts(games)[:SHOWN_GAMES] if not is_finished(read_text(path))]
        for number, path in enumerate(left):
            with suppress(NotPossible):
                return LeftGames(self._left(path.name, texts), len(left) - number + seats)
        return LeftGames(count=seats)

    def _left(self, name: str, texts: Texts) -> LeftGame:
        from ..view.saved_game import left_hints, partners, standing

        game = self.read(name, texts)
        return LeftGame(name, partners(game), left_hints(game, texts), standing(game, texts))

    def waiting(self, texts: Texts) -> list[WaitingGame]:
        if not list_situations(self._paths.games):
            # Home asks at every start: most find nothing, and need not import how a game is told.
            return []
        from ..table.online.keep.situation import known_games
        from ..view.online.unfinished import partners, say_situation

        now = datetime.now().astimezone()
        return [
            WaitingGame(one.seat, partners(one, texts), say_situation(one, now, texts))
            for one in known_games(self._paths.games)
        ]

    def call(self, call: Call, seen: bool) -> None:
        from .ringing import Ringer, call_settings

        if self._ringer is None:
            # The app itself writes to its terminal.
            settings = replace(call_settings(self._texts), terminal=False)
            self._ringer = Ringer(settings, self._paths.games, self._texts)
        if seen:
            self._ringer.seen(call)
        else:
            self._ringer.ring(call)

    def read(self, name: str, texts: Texts) -> Transcript:
        from ..table.transcript import Broken, read_transcript
        from ..view.sentences import say_broken
        from .saved_games import rules_finder

        path = self._paths.games / name
        if path.suffix == ONLINE:
            from .online_files import read_online

            return read_online(path, texts)[0]
        try:
            return read_transcript(read_text(path), rules_finder(texts))
        except OSError as error:
            raise NotPossible(self._unreadable(path, error)) from None
        except Broken as broken:
            raise NotPossible(f"{short_path(path)}: {say_broken(texts, broken)}") from None

    def save_picture(self, name: str, svg: str, texts: Texts) -> str:
        try:
            return short_path(new_picture(self._paths.games, name, datetime.now().astimezone(), svg))
        except OSError as error:
            raise self._unwritable(error, texts) from None

    def resume(self, name: str, texts: Texts) -> Opened:
        from ..table.local import LocalGame

        path = self._paths.games / name
        earlier = self.read(name, texts)
        try:
            file = reopen_transcript(path, earlier.lines)
            return self._opened(LocalGame.resumed(earlier, file.append), file, earlier)
        except OSError as error:
            raise self._unwritable(error, texts) from None


def open_home(language: str | None) -> None:
    """`wasabi-tx` alone: the home screen; before it, for who has no settings yet, the first start."""
    from ..tui.run import run_home

    unknown = not settings_file(find_paths().config).exists()
    first = (own_name() or Texts(find_language(language)).say("cli.person", number=1)) if unknown else None
    run_home(MachineGames(language), language=language, colours=colours_here(), online=_find_online, newcomer=first)


def _find_online() -> OnlineTables:
    """Online tables, imported when somebody wants one: home is there sooner."""
    from .online_tables import MachineTables

    return MachineTables()


def play_on_screen(
    game: LocalGame, file: TranscriptFile, language: str | None, earlier: Transcript | None = None
) -> bool:
    """Plays a game on the screen; whether it is over. The file is closed afterwards."""
    from ..tui.run import run_game

    opened = Opened(game, short_path(file.path), file.close, earlier)
    run_game(MachineGames(language), opened, language=language, colours=colours_here())
    file.close()
    return game.position.outcome is not None


def learn_on_screen(course: str, language: str | None) -> None:
    """Takes a course on the screen, from where it was left."""
    from ..tui.run import run_lesson

    run_lesson(MachineGames(language), course, language=language, colours=colours_here())


def solve_on_screen(puzzles: Iterator[Puzzle], language: str | None) -> list[str]:
    """Puzzles on the screen; a line to share for each that was tried."""
    from ..tui.run import run_puzzles

    return run_puzzles(MachineGames(language), puzzles, language=language, colours=colours_here()).shared


def replay_on_screen(transcript: Transcript, language: str | None) -> None:
    """Steps through a saved game on the screen."""
    from ..tui.run import run_replay

    run_replay(MachineGames(language), transcript, language=language, colours=colours_here())

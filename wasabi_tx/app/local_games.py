"""Local games, and everything else the app's screens need from this machine."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ..lessons.progress import Progress, format_progress, parse_progress
from ..store.durable import remove_file
from ..store.games import SUFFIX as ONLINE
from ..store.games import list_games
from ..store.paths import Paths, find_paths, short_path
from ..store.picture_files import new_picture
from ..store.progress import read_progress, write_progress
from ..store.seat_notes import SITUATION, list_notes
from ..store.seats import list_seats
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
from .editions import refused_level
from .failure import Failure
from .pictures import NONE, PictureError, Pictures, parse_pictures
from .preferences import own_name, texts_for
from .settings import EXPLAINED, Settings, change_settings, parse_settings
from .terminal import count_colours
from .theme import Theme, ThemeError, parse_theme
from .values import GameWish, Opened, Saved, UnfinishedGame, UnfinishedGames, WaitingGame

if TYPE_CHECKING:
    from ..engine.rules import AnyRules
    from ..games.game import Player
    from ..games.local import LocalGame
    from ..games.transcript import GameRecord, Transcript
    from ..view.online.call import Call
    from ..view.record import Record
    from .ringing import Ringer

SHOWN_GAMES = 50
DEFAULT_THEME = "omakase"


def colours_here() -> int:
    """Return how many colours this terminal has; 0 if colours are unwanted."""
    return count_colours(os.environ)


def _played(path: Path) -> str:
    """Return the time a game was last saved."""
    return f"{datetime.fromtimestamp(path.stat().st_mtime, UTC).astimezone():%Y-%m-%d %H:%M}"


def _forget(*_: object) -> None:
    """Discard the text, because no file can be written."""


class LocalGames:
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

    def save_settings(self, settings: Settings) -> None:
        texts = Texts(find_language(settings.language or self._language))
        notes = {key: texts.say(f"cli.setting-note.{key}") for key in EXPLAINED}
        try:
            before = read_settings(self._paths.config)
            if parse_settings(before)[1]:
                set_settings_aside(self._paths.config)
            write_settings(self._paths.config, change_settings(before, settings, notes))
        except OSError as error:
            folder = short_path(self._paths.config)
            raise Failure(self._texts.say("cli.unwritable", folder=folder, reason=error)) from None

    def progress(self) -> Progress:
        try:
            return parse_progress(read_progress(self._paths.config))
        except OSError:
            return Progress()

    def save_progress(self, progress: Progress) -> None:
        try:
            write_progress(self._paths.config, format_progress(progress))
        except OSError as error:
            folder = short_path(self._paths.config)
            raise Failure(self._texts.say("cli.unwritable", folder=folder, reason=error)) from None

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
        return self._open(wish, seat_players(people, wish.others, wish.level, seed), seed, texts)

    def _open(self, wish: GameWish, players: tuple[Player, ...], seed: str, texts: Texts) -> Opened:
        from ..bots.level_names import level_of
        from ..engine.edition import EditionError
        from ..engine.editions import PRINTED
        from ..store.user_files import find_rules
        from ..view.sentences import say_problem

        edition = PRINTED.get(wish.edition, wish.edition) if wish.as_printed else wish.edition
        try:
            rules = find_rules(edition, len(players), self._paths.editions)
        except EditionError as error:
            raise Failure(f"{edition}: {say_problem(texts, error.problems[0])}") from None
        except KeyError:
            raise Failure(texts.say("cli.unreadable", file=edition, reason=OsProblem.MISSING)) from None
        except OSError as error:
            raise Failure(texts.say("cli.unreadable", file=edition, reason=error)) from None
        for level in dict.fromkeys(level_of(player.bot) for player in players if player.bot):
            if refusal := refused_level(level, rules, texts):
                raise Failure(refusal)
        return self._begin(rules, players, seed, texts, quick=not wish.as_printed)

    def _begin(self, rules: AnyRules, players: tuple[Player, ...], seed: str, texts: Texts, *, quick: bool) -> Opened:
        """Begin a game and save it; where nothing can be written, it is played all the same."""
        from ..games.local import LocalGame

        try:
            file = new_transcript(self._paths.games, rules.edition.id, datetime.now().astimezone())
        except OSError as error:
            game = LocalGame(rules, players, seed, _forget, quick=quick, erase=_forget)
            warning = texts.say("play.unsaved", folder=short_path(self._paths.games), reason=error)
            return Opened(game, "", _forget, warning=warning)
        try:
            game = LocalGame(rules, players, seed, file.append, quick=quick, erase=file.erase)
            return self._opened(game, file)
        except OSError as error:
            raise self._unwritable(error, texts) from None

    def _unwritable(self, error: OSError, texts: Texts) -> Failure:
        folder = short_path(self._paths.games)
        return Failure(texts.say("cli.unwritable", folder=folder, reason=error))

    def _opened(self, game: LocalGame, file: TranscriptFile, earlier: Transcript | None = None) -> Opened:
        from .saved_games import put_away

        return Opened(game, short_path(file.path), partial(put_away, game, file), earlier)

    def again(self, opened: Opened, texts: Texts) -> Opened:
        from ..games.local import seeded_first

        game = opened.game
        following = (game.position.first + 1) % len(game.players)
        seed = os.urandom(8).hex()
        while seeded_first(seed, len(game.players)) != following:
            seed = os.urandom(8).hex()
        return self._begin(game.rules, game.players, seed, texts, quick=game.dealt)

    def record(self, texts: Texts) -> Record:
        from .record import find_record

        return find_record(self._paths, texts)

    def after_game(self, opened: Opened, texts: Texts) -> str:
        """Return the person's record against the players of a finished saved game, or ""."""
        from ..view.record import after_game_line
        from .record import find_record, read_finished

        path = self._paths.games / Path(opened.saved_as).name
        game = read_finished(path) if opened.saved_as and path.suffix != ONLINE else None
        return after_game_line(find_record(self._paths, texts), game, texts) if game is not None else ""

    def what_if(self, game: GameRecord, at: int, seat: int, texts: Texts) -> Opened:
        """Open a game that goes on, unsaved, from after a number of the moves of another one."""
        from ..games.what_if import unsaved, what_if

        earlier = what_if(game, at, seat)
        words = texts.say("play.what-if", turn=earlier.last.turn)
        return Opened(unsaved(earlier), "", _forget, earlier, words)

    def saved(self, texts: Texts) -> list[Saved]:
        from ..view.saved_game import saved_line

        try:
            paths = list_transcripts(self._paths.games)[:SHOWN_GAMES]
            online = list_games(self._paths.games)
        except OSError as error:
            raise Failure(self._unreadable(self._paths.games, error)) from None
        found = self._saved_online(texts) if online else []
        for path in paths:
            try:
                earlier = self.read(path.name, texts)
                played = _played(path)
            except (Failure, OSError):
                continue
            words = f"{played}  {saved_line(earlier, texts)}"
            found.append((played, Saved(path.name, words, earlier.last.outcome is not None)))
        found.sort(key=lambda one: one[0], reverse=True)
        return [saved for _, saved in found]

    def _saved_online(self, texts: Texts) -> list[tuple[str, Saved]]:
        """Return games at online tables, each with its date; unfinished ones are continued from their seats instead."""
        from ..online.replayed import games_online, with_scores

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

    def unfinished(self, texts: Texts) -> UnfinishedGames:
        # Home asks at every start: without unfinished games nothing needs to be imported to describe them.
        games, left, seats = self._paths.games, [], 0
        with suppress(OSError):
            if list_seats(games):
                from ..online.saved.seat import unfinished_of_person

                seats = len(unfinished_of_person(games))
            left = [path for path in list_transcripts(games)[:SHOWN_GAMES] if not is_finished(read_text(path))]
        for number, path in enumerate(left):
            with suppress(Failure):
                return UnfinishedGames(self._left(path.name, texts), len(left) - number + seats)
        return UnfinishedGames(count=seats)

    def _left(self, name: str, texts: Texts) -> UnfinishedGame:
        from ..view.saved_game import partners, standing, unfinished_hints

        game = self.read(name, texts)
        return UnfinishedGame(name, partners(game), unfinished_hints(game, texts), standing(game, texts))

    def waiting(self, texts: Texts) -> list[WaitingGame]:
        if not list_notes(self._paths.games, SITUATION):
            # Home asks at every start: most people have none, and need not import what describes a game.
            return []
        from ..online.saved.situation import known_games
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
        from ..games.transcript import Broken, read_transcript
        from ..view.sentences import say_broken
        from .saved_games import rules_finder

        path = self._paths.games / name
        if path.suffix == ONLINE:
            from .online_files import read_online

            return read_online(path, texts)[0]
        try:
            return read_transcript(read_text(path), rules_finder(texts))
        except OSError as error:
            raise Failure(self._unreadable(path, error)) from None
        except Broken as broken:
            raise Failure(f"{short_path(path)}: {say_broken(texts, broken)}") from None

    def save_page(self, file: str, texts: Texts) -> str:
        """Make a page of a saved game in the games folder, and return its path; raise `Failure` if it is not valid."""
        from .game_page.files import make_page, write_page
        from .saved_games import find_saved

        path = find_saved(Path(file).expanduser())
        page = self._paths.games / path.with_suffix(".html").name
        write_page(page, make_page(path, texts), texts)
        return short_path(page)

    def save_picture(self, name: str, svg: str, texts: Texts) -> str:
        try:
            return short_path(new_picture(self._paths.games, name, datetime.now().astimezone(), svg))
        except OSError as error:
            raise self._unwritable(error, texts) from None

    def delete(self, name: str) -> None:
        """Delete a saved game of this machine."""
        path = self._paths.games / name
        try:
            remove_file(path)
        except OSError as error:
            raise Failure(self._texts.say("cli.unwritable", folder=short_path(path), reason=error)) from None

    def resume(self, name: str, texts: Texts) -> Opened:
        from ..games.local import LocalGame

        path = self._paths.games / name
        earlier = self.read(name, texts)
        try:
            file = reopen_transcript(path, earlier.lines)
            return self._opened(LocalGame.resumed(earlier, file.append, erase=file.erase), file, earlier)
        except OSError as error:
            raise self._unwritable(error, texts) from None

"""Tables for the tests of the app: games in memory, bots that think at once, and nothing on disk."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random

from wasabi_tx.app.failure import Failure
from wasabi_tx.app.local_games import LocalGames
from wasabi_tx.app.pictures import NONE, Pictures, parse_pictures
from wasabi_tx.app.settings import Settings
from wasabi_tx.app.theme import Theme, parse_theme
from wasabi_tx.app.values import GameWish, Opened, Saved, UnfinishedGame, UnfinishedGames, WaitingGame
from wasabi_tx.bots.levels import GREEDY, PLANNERS, RandomLegal
from wasabi_tx.engine.editions import PACKAGED, packaged_edition
from wasabi_tx.engine.observe import Observation, observe
from wasabi_tx.engine.position import NOBODY
from wasabi_tx.engine.step import Bundle
from wasabi_tx.games.finished import finished_game
from wasabi_tx.games.game import Game, Player
from wasabi_tx.games.local import LocalGame
from wasabi_tx.games.transcript import Transcript, read_transcript
from wasabi_tx.lessons.progress import Progress
from wasabi_tx.store.transcripts import is_finished
from wasabi_tx.store.user_files import find_pictures, find_themes, read_theme
from wasabi_tx.text import Texts
from wasabi_tx.tui.app import WasabiApp
from wasabi_tx.view.online.call import Call
from wasabi_tx.view.record import PuzzleDays, Record, after_game_line, record_of
from wasabi_tx.view.rivals import seat_players
from wasabi_tx.view.saved_game import partners, standing, unfinished_hints

from .short import any_rules


def choose(observation: Observation, seed: str) -> Bundle:
    """Return the bundle of a good player, or of any player if the edition has no experts."""
    if observation.rules.name in PLANNERS:
        return GREEDY.explain(observation).bundle
    return RandomLegal().choose(observation, Random(seed), 1)


class InlineThinker:
    """Bots in this process, so that no game of a test starts another one."""

    async def choose(self, _bot: str, observation: Observation, seed: str) -> Bundle:
        return choose(observation, seed)

    async def close(self) -> None:
        return


def seats(people: int, bots: int) -> tuple[Player, ...]:
    names = ("Ana", "Bo", "Chiara", "Dario")[:people]
    machines = ("Udon", "Mochi", "Miso")[:bots]
    return (*(Player(name) for name in names), *(Player(name, "normal") for name in machines))


@dataclass
class MemoryGames(LocalGames):
    """Keeps everything in memory."""

    preferred: Settings = field(default_factory=lambda: Settings(reduced_motion=True, bell=False, notes=False))
    problems: list[str] = field(default_factory=list)
    kept: list[Settings] = field(default_factory=list)
    files: dict[str, io.StringIO] = field(default_factory=dict)
    online: list[WaitingGame] = field(default_factory=list)
    seats: int = 0
    """Unfinished games at online tables."""
    pictures_saved: list[str] = field(default_factory=list)
    calls: list[tuple[Call, bool]] = field(default_factory=list)
    reached: Progress = field(default_factory=lambda: Progress(learned=frozenset({"classic"})))

    def settings(self) -> tuple[Settings, list[str]]:
        return self.preferred, list(self.problems)

    def save_settings(self, settings: Settings) -> None:
        self.kept.append(settings)

    def progress(self) -> Progress:
        return self.reached

    def save_progress(self, progress: Progress) -> None:
        self.reached = progress

    def pictures(self) -> tuple[Pictures, list[str]]:
        found = NONE
        for path in find_pictures(Path("nowhere")):
            found = found.joined(parse_pictures(read_theme(path)))
        return found, []

    def themes(self) -> tuple[list[Theme], list[str]]:
        found = [parse_theme(name, read_theme(path)) for name, path in find_themes(Path("nowhere")).items()]
        return sorted(found, key=lambda theme: (theme.id != "omakase", theme.id)), []

    def editions(self, texts: Texts) -> list[tuple[str, str]]:
        return [(name, packaged_edition(name).names[texts.language]) for name in PACKAGED]

    def start(self, wish: GameWish, texts: Texts) -> Opened:
        del texts
        people = [player.name for player in seats(wish.people, 0)]
        players = seat_players(people, wish.others, wish.level, "seats")
        return self.open(wish.edition, players, f"start {len(self.files)}")

    def again(self, opened: Opened, texts: Texts) -> Opened:
        del texts
        return self.open(opened.game.rules.edition.id, opened.game.players, f"again {len(self.files)}")

    def open(self, edition: str, players: tuple[Player, ...], seed: str) -> Opened:
        name = f"game-{len(self.files)}"
        file = self.files[name] = io.StringIO()
        rules = any_rules(edition, len(players))
        return self._in_memory(LocalGame(rules, players, seed, _writer(file), erase=_eraser(file)), name)

    def _in_memory(self, game: LocalGame, name: str, earlier: Transcript | None = None) -> Opened:
        game._thinker = InlineThinker()  # type: ignore[assignment]
        return Opened(game, name, lambda: None, earlier)

    def record(self, texts: Texts) -> Record:
        texts_of = [file.getvalue() for file in self.files.values()]
        games = [game for text in texts_of if (game := finished_game(text, text, "Ana")) is not None]
        names = dict.fromkeys((*PACKAGED, *(game.edition for game in games)))
        return record_of(games, {name: any_rules(name, 2).edition for name in names}, PuzzleDays(), texts)

    def after_game(self, opened: Opened, texts: Texts) -> str:
        text = self.files[opened.saved_as].getvalue() if opened.saved_as in self.files else ""
        return after_game_line(self.record(texts), finished_game(text, text, "Ana"), texts)

    def saved(self, texts: Texts) -> list[Saved]:
        return [Saved(name, name, self.read(name, texts).last.outcome is not None) for name in self.files]

    def unfinished(self, texts: Texts) -> UnfinishedGames:
        left = [name for name in reversed(self.files) if not is_finished(self.files[name].getvalue())]
        if not left:
            return UnfinishedGames(count=self.seats)
        game = self.read(left[0], texts)
        newest = UnfinishedGame(left[0], partners(game), unfinished_hints(game, texts), standing(game, texts))
        return UnfinishedGames(newest, len(left) + self.seats)

    def waiting(self, texts: Texts) -> list[WaitingGame]:
        del texts
        return list(self.online)

    def call(self, call: Call, seen: bool) -> None:
        self.calls.append((call, seen))

    def read(self, name: str, texts: Texts) -> Transcript:
        del texts
        if name not in self.files:
            raise Failure(f"no {name}")
        return read_transcript(self.files[name].getvalue(), any_rules)

    def delete(self, name: str) -> None:
        del self.files[name]

    def take_up(self, text: str, earlier: Transcript) -> Opened:
        """Continue a game that was played elsewhere."""
        name = f"game-{len(self.files)}"
        file = self.files[name] = io.StringIO()
        file.write(text)
        return self._in_memory(LocalGame.resumed(earlier, _writer(file), erase=_eraser(file)), name, earlier)

    def save_picture(self, name: str, svg: str, texts: Texts) -> str:
        del texts
        self.pictures_saved.append(svg)
        return f"{name}.svg"

    def resume(self, name: str, texts: Texts) -> Opened:
        earlier = self.read(name, texts)
        file = self.files[name]
        return self._in_memory(LocalGame.resumed(earlier, _writer(file), erase=_eraser(file)), name, earlier)


def _writer(file: io.StringIO) -> Callable[[str], None]:
    def write(text: str) -> None:
        file.write(text)

    return write


def _eraser(file: io.StringIO) -> Callable[[str], None]:
    def erase(text: str) -> None:
        file.truncate(len(file.getvalue()) - len(text))
        file.seek(0, io.SEEK_END)

    return erase


def play_until(game: Game, turn: int, careful: bool = True) -> None:
    """Let everybody play, well or at random, up to the beginning of a turn of seat 1, or to the end."""
    assert isinstance(game, LocalGame)
    while game.position.outcome is None and not (game.position.turn >= turn and game.position.mover == 0):
        position = game.position
        if position.mover == NOBODY:
            game._deal()
            continue
        view = observe(game.rules, position, position.mover, game._dealer.faces)
        seed = f"{turn} {game._moves}"
        game._play(choose(view, seed) if careful else RandomLegal().choose(view, Random(seed), 1))


def app_at(
    turn: int = 0,
    people: int = 1,
    bots: int = 3,
    edition: str = "classic",
    seed: str = "table",
    settings: Settings | None = None,
    language: str = "en",
    players: tuple[Player, ...] | None = None,
    careful: bool = True,
) -> WasabiApp:
    """Return the app at a turn of the game's first seat; at turn 0 the game has not begun."""
    games = MemoryGames()
    if settings is not None:
        games.preferred = settings
    players = players or seats(people, bots)
    taken_up = games.take_up(*played(turn, edition, players, seed, careful)) if turn else None
    opened = taken_up or games.open(edition, players, seed)
    return WasabiApp(games, opened=opened, language=language)


@cache
def played(
    turn: int, edition: str, players: tuple[Player, ...], seed: str, careful: bool = True
) -> tuple[str, Transcript]:
    """Return a game up to a turn of its first seat; each is played once, however many tests use it."""
    games = MemoryGames()
    opened = games.open(edition, players, seed)
    play_until(opened.game, turn, careful)
    return games.files[opened.saved_as].getvalue(), games.read(opened.saved_as, Texts("en"))

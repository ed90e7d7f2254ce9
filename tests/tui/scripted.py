"""A scripted online table: a test makes things happen there, and sees the screen's requests."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from random import Random

from textual.pilot import Pilot

from tests.brokers import PATIENCE
from wasabi_tx.app.settings import Settings
from wasabi_tx.app.values import Opened
from wasabi_tx.bots.levels import find_bot
from wasabi_tx.engine.errors import Illegal
from wasabi_tx.engine.observe import Observation, observe
from wasabi_tx.engine.position import Position
from wasabi_tx.engine.step import Bundle, Step
from wasabi_tx.games.game import Can, Change, Ended, Event, Played, Player, Rewound, SeatLeft, SeatState
from wasabi_tx.games.plans import NO_PLANS, Plans
from wasabi_tx.text import Texts
from wasabi_tx.tui.app import WasabiApp
from wasabi_tx.tui.screens.table.screen import TableScreen

from .memory_games import MemoryGames, played
from .on_screen import drawn, shown, table_words

TALKING = Can.PLAY | Can.CHAT | Can.VOTE | Can.REMATCH
NAMES = ("Ana", "Bo", "Chiara")
HERE, AWAY = SeatState.HERE, SeatState.AWAY


class ScriptedGame:
    """A classic game of three at its eighth turn; nothing happens but what the test says."""

    title = "koi"

    def __init__(self, seat: int | None = 0, can: Can = TALKING, names: tuple[str, ...] = NAMES) -> None:
        _, earlier = played(8, "classic", tuple(Player(name) for name in NAMES), "scripted")
        self.rules = earlier.rules
        self.players = tuple(Player(name) for name in names)
        self.can = can
        self.viewer = seat
        self.position: Position = earlier.last
        self.awaiting = False
        self.clock = 0
        self.dealt = False
        self.since: float | None = None
        self.asked: list[tuple[object, ...]] = []
        """The requests of the screen, in order; a real table would publish them all."""
        self.doings: list[SeatState] = []
        """The doings of the person here that the others saw, in order."""
        self.refusal: Illegal | None = None
        self.faces = earlier.faces
        self.plans = NO_PLANS
        self._events: asyncio.Queue[Event | None] = asyncio.Queue()

    @classmethod
    def at(cls, observation: Observation) -> ScriptedGame:
        """Return a prepared table, seen from one seat."""
        game = cls(observation.seat, names=NAMES[: observation.rules.players])
        game.rules, game.position, game.faces = observation.rules, observation.position, dict(observation.faces)
        return game

    @property
    def people(self) -> tuple[int, ...]:
        return () if self.viewer is None else (self.viewer,)

    @property
    def observation(self) -> Observation:
        return observe(self.rules, self.position, self.viewer, self.faces)

    def seen_by(self, seat: int) -> Observation:
        if seat != self.viewer:
            raise Illegal("not-your-seat", seat=seat + 1)
        return self.observation

    async def events(self) -> AsyncIterator[Event]:
        while (event := await self._events.get()) is not None:
            yield event

    def happens(self, *events: Event) -> None:
        for event in events:
            if isinstance(event, Change | Rewound):
                self.position = event.after
            self._events.put_nowait(event)

    def ends(self) -> None:
        """Let everybody else leave."""
        for seat in range(1, len(self.players)):
            if self.position.outcome is None:
                self.happens(SeatLeft(seat, self.rules.apply(self.position, Step("leave", (seat,)))))
        assert self.position.outcome is not None
        self.happens(Ended(self.position.outcome))

    async def _asked(self, *words: object) -> None:
        self.asked.append(words)
        if self.refusal is not None:
            raise self.refusal

    async def submit(self, bundle: Bundle) -> None:
        await self._asked("submit", bundle.seat)
        before = self.position
        self.happens(Played(bundle, before, self.rules.apply_bundle(before, bundle)))

    async def take_back(self) -> None:
        await self._asked("take_back")

    async def save_plans(self, plans: Plans) -> None:
        await self._asked("save_plans", len(plans.turns))
        self.plans = plans

    async def quit(self, seat: int) -> None:
        await self._asked("leave", seat)

    async def send_talk(self, text: str) -> None:
        await self._asked("say", text)

    async def vote(self, out: int, yes: bool) -> None:
        await self._asked("vote", out, yes)

    async def rematch(self) -> None:
        await self._asked("rematch")

    async def confirm_run(self) -> None:
        await self._asked("confirm_run")

    async def doing(self, state: SeatState) -> None:
        self.doings.append(state)

    async def close(self) -> None:
        self._events.put_nowait(None)


def waiting_game(after: int = 1) -> ScriptedGame:
    """Return a game in which this screen's seat plays this many turns after the seat to move."""
    mover = ScriptedGame(0).position.mover
    return ScriptedGame((mover + after) % 3, can=TALKING | Can.PLAN)


def others_move(game: ScriptedGame) -> Played:
    seen = ScriptedGame(game.position.mover)
    seen.position = game.position
    bundle = find_bot("easy").choose(seen.observation, Random(1), 1000)
    return Played(bundle, game.position, game.rules.apply_bundle(game.position, bundle))


class Seen:
    """The app at a scripted table, and what its screen shows."""

    def __init__(self, game: ScriptedGame, app: WasabiApp, pilot: Pilot[None]) -> None:
        self.game = game
        self.app = app
        self.pilot = pilot

    @property
    def table(self) -> TableScreen:
        return next(screen for screen in self.app.screen_stack if isinstance(screen, TableScreen))

    def panel(self, name: str) -> str:
        return shown(self.app, name)

    @property
    def words(self) -> str:
        """Everything on the table, with one blank between words."""
        return table_words(self.table)

    @property
    def told(self) -> list[str]:
        return [str(note.message) for note in self.app._notifications]

    async def until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE):
            while not condition():
                await self.pilot.pause()

    async def hear(self, *events: Event) -> None:
        """Emit events and wait until the table has processed all of them."""
        self.game.happens(*events)
        await drawn(self.pilot, self.table)
        await self.pilot.pause()

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.pilot.pause()


@asynccontextmanager
async def at_table(
    game: ScriptedGame, size: tuple[int, int] = (80, 24), language: str = "en", bell: bool = False
) -> AsyncIterator[Seen]:
    games = MemoryGames(preferred=Settings(reduced_motion=True, bell=bell))
    app = WasabiApp(games, opened=Opened(game, "koi.wasabi", lambda: None), language=language)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield Seen(game, app, pilot)
    assert app._exception is None


ENGLISH = Texts("en")

"""A seat goes from keeper to screen and back repeatedly, with kill -9 at every point on the way.

`python -m tests.lab.soaks.hand_over --rounds 20` plays it among processes; `verify` accepts the game at the end.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic

from tests.brokers import RealBroker, until
from tests.peers.hands import MARK, answer, play
from tests.peers.kills import entries
from tests.peers.program import PATIENCE, Program, Programs, game_file
from tests.peers.tables import NAMES, open_table, verified
from wasabi_tx.store.seats import SeatLock, SeatTaken, wanted_seats

ANN = "ann"
WAYS = ("play", "look", "kill-asking", "kill-sitting", "kill-moved", "kill-keeper", "kill-asked-keeper")


@dataclass
class Evening:
    """One person's seat at a table with a bot, with a keeper and screens that come and go."""

    programs: Programs
    seat: str
    keeper: Program
    took: list[float] = field(default_factory=list)
    """Seconds from each screen's wish until the keeper had released the seat."""

    @property
    def games(self) -> Path:
        return self.programs.home(ANN) / "games"

    @property
    def wanted(self) -> bool:
        return self.seat in wanted_seats(self.games)

    @property
    def held(self) -> bool:
        """True if any program holds the seat; checking holds it for a moment."""
        try:
            with SeatLock(self.games, self.seat):
                return False
        except SeatTaken:
            return True

    def screen(self) -> Program:
        return self.programs.start(ANN, "resume", "--plain", self.seat[:8], typed=None)

    def start_keeper(self) -> None:
        self.keeper = self.programs.start(ANN, "keep", "--json", typed=None)

    def kept(self) -> None:
        """Wait until the keeper has the seat."""
        until(lambda: not self.wanted and self.held, PATIENCE)

    def sits(self, screen: Program) -> None:
        """Wait until a screen has the seat."""
        until(lambda: self.wanted or not screen.running, PATIENCE)
        since = monotonic()
        screen.until(lambda said: bool(said.strip()))
        self.took.append(monotonic() - since)

    def leave(self, screen: Program) -> None:
        screen.hang_up()
        assert screen.ended() == 0, screen.out[-2000:] + screen.err + screen.trace

    def round(self, way: str) -> None:
        """Hand the seat to a screen, or try to, and back to the keeper."""
        self.kept()
        screen = self.screen()
        match way:
            case "look":
                self.sits(screen)
                self.leave(screen)
            case "play":
                self.sits(screen)
                self.move(screen)
                self.leave(screen)
            case "kill-asking":
                until(lambda: self.wanted, PATIENCE)
                screen.kill()
            case "kill-sitting":
                self.sits(screen)
                screen.kill()
            case "kill-moved":
                self.sits(screen)
                self.move(screen)
                screen.kill()
            case "kill-keeper":
                self.keeper.kill()
                self.sits(screen)
                self.leave(screen)
                self.start_keeper()
            case "kill-asked-keeper":
                until(lambda: self.wanted, PATIENCE)
                self.keeper.kill()
                self.start_keeper()
                self.sits(screen)
                self.leave(screen)
        self.kept()

    def move(self, screen: Program) -> None:
        """Answer questions until our entry is on disk; the bot has always moved before."""
        home = self.programs.home(ANN)
        before, answered = entries(home), 0
        while entries(home) == before:
            said = screen.until(lambda more, at=answered: len(more) > at and more.endswith(MARK))  # type: ignore[misc]
            question, answered = said[answered:], len(said)
            screen.type(answer(question) + "\n")
            until(lambda at=answered: len(screen.out) > at or entries(home) > before, PATIENCE)  # type: ignore[misc]


def evening(
    programs: Programs, broker: RealBroker, edition: str, ways: list[str], tell: Callable[[str], None] = lambda _: None
) -> Evening:
    """Play all these rounds, then the game to its signed end, in which nobody signed anything twice."""
    table = open_table(programs, 2, edition, broker=broker.address.url())
    guest = programs.start(ANN, "join", "--plain", "--name", "Ann", typed=None)
    guest.type(table.invite + "\n")
    guest.until(lambda said: said.endswith(MARK))
    guest.hang_up()
    assert guest.ended() == 0
    (path,) = (programs.home(ANN) / "games" / "seats").glob("*.seat")
    found = Evening(programs, path.stem, programs.start(ANN, "keep", "--json", typed=None))
    for number, way in enumerate(ways):
        found.round(way)
        tell(f"{number + 1} {way}")
    screen = found.screen()
    play(screen, "signed by everybody")
    assert screen.ended() == 0
    assert table.host.ended() == 0, table.host.err + table.host.trace
    results = verified(programs, game_file(programs.home(ANN)), game_file(programs.home(NAMES[0])))
    assert results[0] == results[1]
    assert results[0]["settled"]
    until(lambda: not found.held and not found.wanted, PATIENCE)
    found.keeper.kill()
    return found

"""Friends in different cities, on this one machine: `python -m tests.lab.homes [--seats 2 4] [--only PART]`.

Every home is behind its own NAT and has the same private address; three brokers are outside. Real programs are played
line by line, and every file is verified at the end. It needs permission to create network namespaces.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from threading import Event, Thread
from time import monotonic

from wasabi_protocol.game.record import MAGIC, read_record
from wasabi_protocol.signed.codec import parse
from wasabi_protocol.signed.identity import SIGNATURE_BYTES
from wasabi_protocol.signed.messages import Bundle

from tests.lab.homes.internet import Internet, NotAllowed
from tests.lab.homes.servers import Server
from tests.peers.hands import play
from tests.peers.program import Program, Programs, game_file, games, programs_below
from tests.peers.tables import verified
from tests.tui.reader import answer, asks
from tests.tui.terminal import Terminal, opened

NAMES = ("Ana", "Bo", "Cy", "Di")
OVER = "signed by everybody"
CODE = re.compile(r"wasabi-tx join ([0-9]+-[a-z]+-[a-z]+)")
FIRST_MOVE = 15.0
LONGEST_STALL = 5.0
THOUGHT = 0.6
"""Seconds that a person thinks before each answer; a stall includes them."""
DOWN, BETWEEN = 6.0, 3.0
"""Seconds for which a broker is down, and until the next one fails."""


@dataclass
class Place:
    """The internet, its servers and the people at home."""

    internet: Internet
    servers: list[Server]
    programs: Programs

    def run(self, person: int, *words: str) -> Program:
        """Run a command in a player's home."""
        home = self.internet.homes[person]
        inside = ("ip", "netns", "exec", home)
        return self.programs.start(NAMES[person], *words, "--plain", typed=None, inside=inside)

    def list_relays(self) -> None:
        """List the three servers as relays in everybody's settings."""
        text = "".join(f"[[relay]]\nname = '{one.kind}'\naddresses = ['{one.url}']\n" for one in self.servers)
        for name in NAMES[: len(self.internet.homes)]:
            (self.programs.home(name) / "config" / "relays.toml").write_text(text)

    def files(self, people: int) -> list[Path]:
        return [game_file(self.programs.home(name)) for name in NAMES[:people]]


@contextmanager
def place(homes: int, round_trip: float, loss: float, liar: int | None = None) -> Iterator[Place]:
    with tempfile.TemporaryDirectory() as folder, Internet(homes, round_trip, loss) as internet:
        servers = [Server(number, internet.outside, Path(folder), lies=number == liar) for number in range(3)]
        try:
            for server in servers:
                server.start()
            with programs_below(Path(folder)) as programs:
                yield Place(internet, servers, programs)
        finally:
            for server in servers:
                server.kill()


@dataclass
class Watch:
    """Watches everybody's files and records the longest time without news."""

    homes: Sequence[Path]
    longest: float = 0.0
    first_move: float | None = None
    _ending: Event = field(default_factory=Event)

    def look(self) -> None:
        sizes, since, begun = 0, monotonic(), False
        while not self._ending.wait(0.05):
            now = sum(file.stat().st_size for home in self.homes for file in games(home))
            if now != sizes:
                # The end of the setup before the first move is a person's own time.
                self.longest = max(self.longest, monotonic() - since) if begun else 0.0
                sizes, since, begun = now, monotonic(), bool(now)
                if self.first_move is None and _moved(self.homes[0]):
                    self.first_move = monotonic()

    @contextmanager
    def watching(self) -> Iterator[None]:
        thread = Thread(target=self.look, daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._ending.set()
            thread.join()


def _moved(home: Path) -> bool:
    """Return whether any player has placed a tile or drawn a card in this home's game."""
    for file in games(home):
        data = file.read_bytes()
        if data.startswith(MAGIC):
            items = read_record(data)[0]
            return any(isinstance(parse(envelope[SIGNATURE_BYTES:]), Bundle) for _, envelope in items)
    return False


def settled(found: Place, people: int) -> bool:
    """Return whether everybody has the same game, verified and signed by all."""
    results = verified(found.programs, *found.files(people))
    return all(result == results[0] and result["settled"] for result in results)


def meet(round_trip: float, loss: float) -> bool:
    """Run `host --for anywhere` here and `join CODE` there; print the seconds until the first move."""
    with place(2, round_trip, loss) as found:
        found.list_relays()
        watch = Watch([found.programs.home(name) for name in NAMES[:2]])
        with watch.watching(), ThreadPoolExecutor(2) as hands:
            started = monotonic()
            host = found.run(0, "host", "--for", "anywhere", "--edition", "short-classic", "--name", NAMES[0])
            code = CODE.search(host.until(lambda said: CODE.search(said) is not None))
            assert code is not None
            offered = monotonic()
            guest = found.run(1, "join", code[1], "--name", NAMES[1])
            list(hands.map(lambda program: play(program, OVER), (host, guest)))
            assert watch.first_move is not None
            seconds, joined = watch.first_move - started, watch.first_move - offered
        good = settled(found, 2) and seconds <= FIRST_MOVE
        turned_away = found.internet.turned_away
        print(f"host --for anywhere, join CODE at {round_trip * 1000:.0f} ms and {loss:.0%} loss:")
        print(f"  the code is on the screen after {offered - started:.1f} s, the first move {joined:.1f} s after join")
        print(f"  first move {seconds:.1f} s after host was typed (at most {FIRST_MOVE:.0f})")
        print(f"  packets carried {found.internet.carried}, lost {found.internet.lost}, turned away {turned_away}")
    return good


def strangers(round_trip: float, loss: float) -> bool:
    """Run `play --anybody` in both homes at once; print the seconds until the first move."""
    with place(2, round_trip, loss) as found:
        found.list_relays()
        watch = Watch([found.programs.home(name) for name in NAMES[:2]])
        with watch.watching(), ThreadPoolExecutor(2) as hands:
            started = monotonic()
            both = [
                found.run(one, "play", "--anybody", "--edition", "short-classic", "--name", NAMES[one])
                for one in (0, 1)
            ]
            list(hands.map(lambda program: play(program, OVER), both))
            assert watch.first_move is not None, "they played with bots"
            seconds = watch.first_move - started
        good = settled(found, 2) and seconds <= FIRST_MOVE
        print(f"play --anybody in two homes at {round_trip * 1000:.0f} ms and {loss:.0%} loss:")
        print(f"  first move {seconds:.1f} s after it was typed (at most {FIRST_MOVE:.0f})")
    return good


class Typist:
    """Somebody at a real terminal in a home, whose keys are counted."""

    def __init__(self, terminal: Terminal) -> None:
        self.terminal = terminal
        self.keys = 0
        self._type = terminal.type
        vars(terminal)["type"] = self.type

    def type(self, text: str) -> None:
        self.keys += len(text)
        self._type(text)

    def answer(self) -> None:
        """Give an answer if the screen asks for one."""
        self.terminal.settle()
        lines = list(self.terminal.lines)
        if asks(lines):
            answer(self.terminal, lines, mouse=False)
        self.terminal.read(0.05)


def by_keys(round_trip: float, loss: float) -> bool:
    """Do the same by keys in two terminals, with the command lines that people type."""
    with place(2, round_trip, loss) as found, ExitStack() as stack:
        found.list_relays()
        started = monotonic()

        def typist(person: int, *words: str) -> Typist:
            home = found.internet.homes[person]
            command = ["ip", "netns", "exec", home, sys.executable, "-m", "wasabi_tx", *words]
            code = f"import os; os.execvp('ip', {command!r})"
            at = Typist(stack.enter_context(opened(found.programs.home(NAMES[person]), code)))
            # Text typed into the shell counts: the program's name, the words and Enter.
            at.keys = len(" ".join(["wasabi-tx", *words])) + 1
            return at

        ana = typist(0, "host", "--for", "anywhere")
        shown = ana.terminal.until(lambda lines: any(CODE.search(line) for line in lines))
        code = next(hit[1] for line in shown if (hit := CODE.search(line)))
        offered = monotonic()
        bo = typist(1, "join", code)
        while not _moved(found.programs.home(NAMES[0])):
            ana.answer()
            bo.answer()
        ended = monotonic()
        print(f"by keys in two terminals at {round_trip * 1000:.0f} ms and {loss:.0%} loss, until the first move:")
        print(f"  {NAMES[0]} {ana.keys} keys and {ended - started:.1f} s, {offered - started:.1f} of them to the code")
        print(f"  {NAMES[1]} {bo.keys} keys and {ended - offered:.1f} s")
    return ended - started <= FIRST_MOVE


def brokers(people: int, round_trip: float, loss: float, liar: int | None = None) -> bool:
    """Play a whole game on three brokers; at any moment at most two of them are down, or one lies."""
    with place(people, round_trip, loss, liar) as found:
        where = [word for server in found.servers for word in ("--broker", server.url)]
        words = ("--for", "friends", *where, "--seats", str(people), "--edition", "classic", "--name", NAMES[0])
        watch = Watch([found.programs.home(name) for name in NAMES[:people]])
        with watch.watching(), ThreadPoolExecutor(people) as hands:
            host = found.run(0, "host", *words)
            invite = re.search(r"wasabi:\S+", host.until(lambda said: said.count("wasabi:") >= 2))
            assert invite is not None
            everybody = [host, *(found.run(number, "join", invite[0]) for number in range(1, people))]
            ends = [hands.submit(play, program, OVER, think) for program in everybody]
            faults = 0 if liar is not None else _break(found, lambda: any(end.done() for end in ends))
            for end in ends:
                end.result()
        good = settled(found, people) and watch.longest <= LONGEST_STALL
        what = "one lies" if liar is not None else f"{faults} killed, cut or restarted empty"
        print(f"{people} people on three brokers, {what}:")
        print(f"  0 moves lost, the same settled game in {people} files" if good else "  NOT as it should be")
        print(f"  longest stall {watch.longest:.1f} s (at most {LONGEST_STALL:.0f})")
    return good


def think() -> None:
    """Wait as long as an experienced person would."""
    Event().wait(THOUGHT)


def _break(found: Place, over: Callable[[], bool]) -> int:
    """Kill and cut brokers one after another and in pairs until the game is over; return how many it hit."""
    pause, faults = Event(), 0
    groups = [*([one] for one in found.servers), *(list(pair) for pair in combinations(found.servers, 2))]
    for cuts in (False, True, False, True, False, True):
        for group in groups:
            pause.wait(BETWEEN)
            if over():
                return faults
            for server in group:
                faults += 1
                if cuts:
                    found.internet.cut.add(server.address)
                else:
                    server.kill()
            pause.wait(DOWN)
            for server in group:
                found.internet.cut.discard(server.address)
                if not server.up:
                    server.start()
    return faults


def main() -> int:
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--seats", type=int, nargs="+", default=[2, 4])
    reader.add_argument("--only", choices=("meet", "anybody", "keys", "brokers", "liar"))
    reader.add_argument("--round-trip", type=float, default=0.15, help="seconds between a home and a broker")
    reader.add_argument("--loss", type=float, default=0.02, help="of packets, on each way")
    chosen = reader.parse_args()
    way = chosen.round_trip, chosen.loss
    good = True
    try:
        if chosen.only in (None, "meet"):
            good &= meet(*way)
        if chosen.only in (None, "anybody"):
            good &= strangers(*way)
        if chosen.only in (None, "keys"):
            good &= by_keys(*way)
        for people in chosen.seats if chosen.only in (None, "brokers") else ():
            good &= brokers(people, *way)
        if chosen.only in (None, "liar"):
            good &= brokers(2, *way, liar=1)
    except NotAllowed as refused:
        print(f"no network namespaces here: {refused}", file=sys.stderr)
        return 2
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())

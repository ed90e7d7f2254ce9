"""A local game: people who share a keyboard, bots and a dealer; no network and no cryptography."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from random import Random

from ..engine.deal import Dealer, Shuffle
from ..engine.errors import Illegal, Stale
from ..engine.observe import Observation, observe
from ..engine.position import NOBODY, Position
from ..engine.rules import AnyRules
from ..engine.step import Bundle, Step
from . import transcript
from .bot_process import Thinker
from .game import Alone, Can, Dealt, Ended, Event, Played, Player, Rewound, SeatLeft, lone_person
from .quick_start import setup_bundle

Journal = Callable[[str], None]
"""Appends text to the game's transcript; the text is saved when the call returns."""
Eraser = Callable[[str], None]
"""Cuts off the text that was appended to the transcript last."""


@dataclass
class _OwnTurn:
    """The last turn that the only person here has begun, and everything since."""

    before: Position
    moves: int
    """The number of moves that were played before it."""
    written: list[str] = field(default_factory=list)
    """The transcript's text from this turn on."""


class LocalGame(Alone):
    """A game with everyone at this screen. Bots think while the events are being read."""

    def __init__(
        self,
        rules: AnyRules,
        players: tuple[Player, ...],
        seed: str,
        journal: Journal,
        earlier: transcript.Transcript | None = None,
        *,
        quick: bool = False,
        erase: Eraser | None = None,
    ) -> None:
        """Begin a game or continue an earlier one; if `quick`, starting tiles and first recipes are random.

        With an eraser, somebody who plays against bots alone can take their last turn back.
        """
        self.rules = rules
        self.players = players
        self.seed = seed
        self.dealt = quick
        self.people = tuple(seat for seat, player in enumerate(players) if player.bot is None)
        self._viewer = self.people[0] if self.people else None
        self._append = journal
        self._erase = erase
        self._own: _OwnTurn | None = None
        self.begun = earlier is not None
        """True if somebody here has moved: another game need not be kept."""
        self._dealer = Dealer(rules, seeded_shuffle(seed))
        self._thinker = Thinker()
        self._events: asyncio.Queue[Event | None] = asyncio.Queue()
        self._closed = False
        if earlier is None:
            first = seeded_first(seed, rules.players)
            self._position: Position = rules.start(first)
            self._moves = 0
            self._journal(transcript.write_head(rules, players, first, seed, self._dealer.faces))
            self._write_turn()
            if quick:
                self._start_quickly()
        else:
            self._dealer.faces.update(earlier.faces)
            self._position = earlier.last
            self._moves = len(earlier.moves)
            if earlier.owes_turn:
                self._write_turn()

    def _start_quickly(self) -> None:
        """Choose everybody's starting tiles and first recipes before the game is shown."""
        while not self._position.turn and self._position.mover != NOBODY:
            chance = Random(f"{self.seed} quick {self._moves}")
            bundle = setup_bundle(self._seen(self._position.mover), chance)
            self._advance(bundle.seat, bundle.steps, self.rules.apply_bundle(self._position, bundle))

    @classmethod
    def resumed(cls, earlier: transcript.Transcript, journal: Journal, *, erase: Eraser | None = None) -> LocalGame:
        """Continue where a transcript ends; journal and eraser must append to that transcript and cut it."""
        return cls(earlier.rules, earlier.players, earlier.seed, journal, earlier, quick=True, erase=erase)

    @property
    def can(self) -> Can:
        back = Can.TAKE_BACK if self._own is not None and self._position.outcome is None else Can.NOTHING
        return Can.PLAY | Can.HINT | back

    @property
    def position(self) -> Position:
        return self._position

    @property
    def viewer(self) -> int | None:
        """The seat whose view this screen shows: the person to move, or else the last one; None if only bots play."""
        mover = self._position.mover
        if mover != NOBODY and self.players[mover].bot is None:
            self._viewer = mover
        return self._viewer

    @property
    def observation(self) -> Observation:
        return observe(self.rules, self._position, self.viewer, self._dealer.faces)

    def seen_by(self, seat: int) -> Observation:
        if self.players[seat].bot is not None:
            raise Illegal("not-your-seat", seat=seat + 1)
        return self._seen(seat)

    def _seen(self, seat: int) -> Observation:
        return observe(self.rules, self._position, seat, self._dealer.faces)

    async def events(self) -> AsyncIterator[Event]:
        while not self._closed:
            if not self._events.empty():
                event = self._events.get_nowait()
                if event is None:
                    return
                yield event
            elif self._position.outcome is not None:
                yield Ended(self._position.outcome)
                return
            elif self._position.mover == NOBODY:
                self._deal()
            elif self.players[self._position.mover].bot is not None:
                await self._let_bot_play()
            else:
                event = await self._events.get()
                if event is None:
                    return
                yield event

    def _deal(self) -> None:
        step = self._dealer.supply(self._position)
        assert step is not None, "a position in which nobody moves waits for chance"
        self._advance(NOBODY, (step,), self.rules.apply(self._position, step))
        self._events.put_nowait(Dealt(step, self._position))

    async def _let_bot_play(self) -> None:
        position = self._position
        seat = position.mover
        view = self._seen(seat)
        bundle = await self._thinker.choose(self.players[seat].bot or "", view, f"{self.seed} {seat} {self._moves}")
        # Somebody may have left while the bot was thinking: then it thinks again.
        if self._position is position and not self._closed:
            self._play(bundle)

    async def submit(self, bundle: Bundle) -> None:
        if self._closed:
            raise Stale("game-closed")
        if self.players[bundle.seat].bot is not None:
            raise Illegal("not-your-seat", seat=bundle.seat + 1)
        self._play(bundle)

    async def take_back(self) -> None:
        """Go back to the beginning of the person's last turn, in the transcript too."""
        if self._closed:
            raise Stale("game-closed")
        if self._own is None or self._erase is None or self._position.outcome is not None:
            raise Illegal("not-here")
        self._erase("".join(self._own.written))
        self._position, self._moves = self._own.before, self._own.moves
        self._own = None
        self._events.put_nowait(Rewound(self._position))

    def _play(self, bundle: Bundle) -> None:
        before = self._position
        after = self.rules.apply_bundle(before, bundle)
        self._note_own_turn(bundle.seat)
        self._advance(bundle.seat, bundle.steps, after)
        self.begun = self.begun or self.players[bundle.seat].bot is None
        self._events.put_nowait(Played(bundle, before, after))

    def _note_own_turn(self, seat: int) -> None:
        """Remember where the person's turn began, so that it can be taken back."""
        position = self._position
        if self._erase is None or seat != lone_person(self.people) or not position.turn:
            return
        if self._own is None or self._own.before.turn != position.turn:
            self._own = _OwnTurn(position, self._moves)

    async def quit(self, seat: int) -> None:
        step = Step("leave", (seat,))
        after = self.rules.apply(self._position, step)
        self._advance(seat, (step,), after)
        self._events.put_nowait(SeatLeft(seat, after))

    def _advance(self, seat: int, steps: tuple[Step, ...], after: Position) -> None:
        """Save the steps, then make them the current position."""
        self._journal(transcript.write_steps(self.rules, seat, steps))
        before, self._position = self._position, after
        self._moves += 1
        if after.outcome is not None or after.turn != before.turn:
            self._write_turn()

    def _write_turn(self) -> None:
        self._journal(transcript.write_turn(self.rules, self._position, self._dealer.faces))

    def _journal(self, text: str) -> None:
        self._append(text)
        if self._own is not None:
            self._own.written.append(text)

    async def close(self) -> None:
        self._closed = True
        self._events.put_nowait(None)
        await self._thinker.close()


def seeded_shuffle(seed: str) -> Shuffle:
    """Return a shuffle determined by the seed and the label of the pile.

    It sorts by `random()` instead of calling `shuffle()`, because only the former is guaranteed to stay the same
    between Python versions.
    """

    def shuffle(label: str, pile: Sequence[int]) -> list[int]:
        source = Random(f"{seed} {label}")
        return [item for _, item in sorted((source.random(), item) for item in pile)]

    return shuffle


def seeded_first(seed: str, players: int) -> int:
    """Return the starting player."""
    return int(Random(f"{seed} first").random() * players)

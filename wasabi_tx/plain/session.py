"""A session of plain play: a whole game line by line, with people at this keyboard, bots, curtains between people."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from ..engine.errors import RulesError
from ..engine.observe import Observation
from ..engine.position import Position
from ..engine.step import Bundle
from ..games.game import (
    Alone,
    Can,
    Change,
    Ended,
    Event,
    Game,
    Notice,
    OtherRun,
    Overdue,
    PlanDropped,
    Played,
    Rewound,
    Said,
    SeatState,
    SeatStates,
    Vote,
)
from ..games.transcript import move_of
from ..text import Texts
from ..turn.commands import find_command
from ..view.changed_start import changed_start, starting_wasabi
from ..view.editions import sight_of
from ..view.log.chronicle import Chronicle, TurnEntry, with_plans
from ..view.online.event_lines import event_line, state_line
from ..view.sentences import say_error
from ..view.table.ending import bots_play_on, end_view, ending_lines
from ..view.table.plain_table import wrap
from ..view.table.recipe import recipe_name, strip_codes
from .console import Console, InputEnded, WaitFor, at_once
from .meanwhile import Meanwhile
from .turn import LeaveGame, PlainTurn, TakeBack

if TYPE_CHECKING:
    from ..online.rules_adapter.history import History


COME_BACK = "wasabi-tx resume --plain"


class PlainSession:
    """Follows a game on a console until it ends or the input does."""

    def __init__(
        self,
        game: Game,
        console: Console,
        texts: Texts,
        chronicle: Chronicle,
        saved_as: str,
        talk: Callable[[str], None] | None = None,
        history: History | None = None,
        doing: Callable[[SeatState], None] | None = None,
        come_back: str = COME_BACK,
        wait_for: WaitFor = at_once,
        kept: Callable[[], bool] = lambda: True,
        invites: Sequence[str] = (),
    ) -> None:
        """Set up; where there are others, `talk` sends them a line, and `doing` shows them what is done here.

        Says first what was missed of the `history`, and last the command to `come_back` if the game is `kept`; the
        `invites` are said on request. `wait_for` runs whatever waits for the person, and `talk` too: in a thread, if
        the loop has to go on meanwhile.
        """
        self._wait_for = wait_for
        self._talk = talk
        self._doing = doing
        self._game = game
        self._console = console
        self._texts = texts
        self._chronicle = chronicle
        self._saved_as = saved_as
        self._come_back = come_back
        self._kept = kept
        self._invites = invites
        self._muted = False
        self._people = game.people
        self._missed = () if history is None else history.missed
        self._known_cards: set[int] = set()
        if history is not None and history.known:
            for move in history.moves[: history.known]:
                chronicle.add(move)
            self._known_cards.update(game.observation.faces)
        self._before: Position = game.observation.position if history is None else history.seen
        self._lone: int | None = self._people[0] if len(self._people) == 1 else None
        self._seated = self._lone
        """The seat at the keyboard; None before the first curtain."""
        self._seen = [len(chronicle.entries)] * len(game.players)
        self._shown: tuple[int, int, str] | None = None
        self._read: frozenset[str] = frozenset()
        """The lines of the table that were read out last."""
        self._unsent = False
        self._asked_about: tuple[int, int] | None = None
        self._waited: str | None = None
        self._states: tuple[SeatState, ...] = ()
        self._composed: tuple[int, int] | None = None
        """Last (seat, turn) announced as composing a turn."""
        self._plans = Can.PLAN in game.can and console.hears
        """True if a person can plan later turns here while others move."""
        self._meanwhile = Meanwhile(game, console, texts, self._turn_for, wait_for)

    async def run(self) -> bool:
        """Play until the game ends and return True, or until the input ends and return False."""
        self._greet()
        try:
            self._tell_missed()
            self._meanwhile.tell_plans()
            await self._ask_person()
            async for heard in self._heard():
                await self._take(heard)
                if isinstance(heard, Ended):
                    return True
                await self._ask_person()
        except InputEnded:
            if self._saved_as and self._kept():
                self._say("play.resume-by", file=self._saved_as, command=self._come_back)
                if self._unsent or self._meanwhile.begun:
                    self._say("play.unsent")
        return False

    async def _heard(self) -> AsyncIterator[Event | str]:
        """Yield events of the table, and lines typed without a question."""
        events = self._game.events()
        event: asyncio.Future[Event | None] | None = None
        line: asyncio.Future[None] | None = None
        try:
            while True:
                event = event or asyncio.ensure_future(anext(events, None))
                if line is None and self._listens:
                    line = asyncio.ensure_future(self._console.typed())
                await asyncio.wait([one for one in (event, line) if one], return_when=asyncio.FIRST_COMPLETED)
                if event.done():
                    happened, event = event.result(), None
                    if happened is None:
                        return
                    yield happened
                elif line is not None and line.done():
                    line = None
                    typed = await self._wait_for(self._console.overheard) if self._listens else None
                    if typed is not None:
                        yield typed
        finally:
            for one in (event, line):
                if one is not None:
                    one.cancel()

    @property
    def _listens(self) -> bool:
        """True if lines typed without a question are handled: while others move, once everything so far is printed."""
        return self._plans and self._game.position is self._before

    async def _take(self, heard: Event | str) -> None:
        if not isinstance(heard, str):
            self._tell(heard)
            await self._ask_around(heard)
            return
        try:
            await self._meanwhile.run_line(heard)
        except LeaveGame:
            await self._leave()

    def _say(self, key: str, **params: object) -> None:
        self._console.say_all(wrap(self._texts.say(key, **params)))

    def _greet(self) -> None:
        rules, position, players = self._game.rules, self._before, self._game.players
        edition = rules.edition.names[self._texts.language]
        if self._chronicle.entries:
            self._say("play.welcome-back", edition=edition, count=len(players), turn=self._game.position.turn)
        else:
            first = players[position.first].name
            self._say("play.game-starts", edition=edition, count=len(players), name=first)
            if changed := changed_start(rules, self._game.dealt):
                self._say(f"play.changed.{changed}", wasabi=starting_wasabi(rules, self._texts))

    def _tell_missed(self) -> None:
        """Print what happened while the person here was away, including their own turns."""
        seen = list(self._chronicle.entries)
        for change in self._missed:
            self._chronicle.add(move_of(change, self._before))
            self._before = change.after
        if self._missed and seen:
            self._say("play.meanwhile-away")
        for entry in self._chronicle.entries:
            if entry not in seen:
                self._tell_entry(entry)
        self._seen = [len(self._chronicle.entries)] * len(self._seen)

    async def _ask_person(self) -> None:
        """Let the person to move play a bundle, behind a curtain if a different person was at the keyboard."""
        observation = self._game.observation
        seat = observation.seat
        if observation.position is not self._before:
            # Earlier events have to be printed first.
            return
        if seat is None or not observation.my_turn or self._game.awaiting:
            if self._plans:
                self._meanwhile.explain()
            return
        await self._wait_for(partial(self._draw_curtain, seat))
        turn = self._turn_for(observation)
        moment = (seat, observation.position.turn, "" if observation.position.turn else observation.position.phase)
        if self._shown != moment:
            self._console.print_lines("")
            lines = turn.spoken_lines()
            if self._shown is None:
                turn.show()
            else:
                # Only what has changed is read; the rest is there on request.
                for line in [line for line in lines if line not in self._read]:
                    self._console.say_all(wrap(line, "  "))
            self._shown, self._read = moment, frozenset(lines)
            self._known_cards.update(observation.faces)
        turn.begin(self._meanwhile.begun)
        self._meanwhile.begun = ()
        try:
            bundle = await self._wait_for(turn.play)
        except LeaveGame:
            await self._leave()
        except TakeBack:
            await self._game.take_back()
        except InputEnded:
            self._unsent = bool(turn.draft.steps)
            raise
        else:
            await self._submit(bundle)

    def _turn_for(self, observation: Observation, later: bool = False) -> PlainTurn:
        game, doing = self._game, None if later else self._doing
        return PlainTurn(
            observation, game.players, self._chronicle, self._console, self._texts, Can.HINT in game.can, self._talk,
            doing, later, self._commands(), Can.TAKE_BACK in game.can and not later,
        )  # fmt: skip

    def _commands(self) -> dict[str, Callable[[], None]]:
        """Return the commands of this table, beyond those of a turn."""
        commands: dict[str, Callable[[], None]] = {}
        if self._plans:
            commands["plans"] = self._meanwhile.show_plans
        if Can.CHAT in self._game.can:
            commands["mute"] = self._mute
        if self._invites and Can.INVITE in self._game.can:
            commands["invite"] = partial(self._console.say_all, self._invites)
        return commands

    def _mute(self) -> None:
        """Read out no talk from now on, or all of it again."""
        self._muted = not self._muted
        self._say("play.muted" if self._muted else "play.heard")

    async def _leave(self) -> None:
        """Let the person at the keyboard leave for good."""
        assert self._seated is not None, "a watcher has nothing to leave"
        await self._game.quit(self._seated)
        if bots_play_on(self._game.observation.position, self._game.players):
            self._say("play.left-alone")

    async def _submit(self, bundle: Bundle) -> None:
        try:
            await self._game.submit(bundle)
        except RulesError as error:
            # Something else happened while it was typed.
            self._console.say_all(wrap(say_error(self._texts, error)))
            self._shown = None

    async def _ask_around(self, event: Event) -> None:
        """Ask the person at the keyboard the table's questions."""
        if isinstance(event, Vote) and event.open and event.mine is None and self._game.viewer not in (None, event.out):
            yes = await self._asked_yes(self._vote_question(event.out))
            await self._answer(self._game.vote(event.out, yes))
        elif isinstance(event, Overdue) and self._may_ask_about(event):
            self._asked_about = (event.seat, self._before.turn)
            if await self._asked_yes(self._vote_question(event.seat)):
                await self._answer(self._game.vote(event.seat, True))
        elif isinstance(event, OtherRun) and await self._asked_yes(self._texts.say("play.other-run")):
            await self._answer(self._game.confirm_run())

    def _vote_question(self, seat: int) -> str:
        key = "play.give-up" if len(self._before.playing) == 2 else "play.vote"
        return self._texts.say(key, name=self._game.players[seat].name)

    def _may_ask_about(self, event: Overdue) -> bool:
        """Return whether to ask, once a turn, about going on without a player who took too long."""
        if self._game.viewer in (None, event.seat) or (event.seat, self._before.turn) == self._asked_about:
            return False
        return event.votable

    async def _answer(self, answer: Coroutine[Any, Any, None]) -> None:
        try:
            await answer
        except RulesError as error:
            self._console.say_all(wrap(say_error(self._texts, error)))

    async def _asked_yes(self, question: str) -> bool:
        self._console.say_all(wrap(question))
        return (await self._wait_for(self._console.ask)).strip().casefold() in self._texts.say("play.yes").split()

    def _draw_curtain(self, seat: int) -> None:
        if self._seated == seat:
            return
        name = self._game.players[seat].name
        if self._seated is not None:
            leaver = self._game.players[self._seated].name
            self._ask_enter(self._texts.say("play.curtain", name=leaver, next=name))
        self._console.wipe()
        self._ask_enter(self._texts.say("play.curtain-ready", name=name))
        self._seated, self._shown = seat, None
        self._tell_since(seat)

    def _ask_enter(self, text: str) -> None:
        """Wait for any line; raise `InputEnded` if it is the one that quits."""
        self._console.say_all(wrap(text))
        command = find_command(self._console.ask(), self._texts)
        if command is not None and command[0] == "quit":
            raise InputEnded

    def _tell_since(self, seat: int) -> None:
        """Print what the others did since this person had the keyboard."""
        unseen = self._chronicle.entries[self._seen[seat] :]
        if unseen:
            self._say("play.since")
        for entry in unseen:
            self._tell_entry(entry)
        self._seen[seat] = len(self._chronicle.entries)

    def _tell_entry(self, entry: TurnEntry) -> None:
        told = with_plans(entry, self._seated, self._game.plans)
        self._console.say_all(wrap("  " + self._chronicle.line(told, self._seated), "    "))

    def _tell(self, event: Event) -> None:
        if isinstance(event, Ended):
            self._tell_end(event)
        elif isinstance(event, Change):
            self._tell_change(event)
        elif isinstance(event, Rewound):
            self._before = event.after
            if isinstance(self._game, Alone):
                self._chronicle.take_back(event.after.turn)
                self._shown = None
                self._say("play.taken-back", turn=event.after.turn)
            else:
                self._say("news.rewound", turn=event.after.turn)
        else:
            self._tell_notice(event)
            self._tell_draws()

    def _tell_notice(self, event: Notice) -> None:
        """Print a notice; the same wait is announced only once, and no talk that is muted."""
        if isinstance(event, Said) and self._muted:
            return
        if isinstance(event, SeatStates):
            self._tell_states(event.states)
            return
        if isinstance(event, PlanDropped):
            self._meanwhile.tell_not_played(event.why)
            return
        line = event_line(event, self._game.players, self._texts, self._game.viewer)
        if isinstance(event, Overdue):
            waited, self._waited = self._waited, line
            line = None if line == waited else line
        self._console.say_all(wrap(line) if line else ())

    def _tell_states(self, states: tuple[SeatState, ...]) -> None:
        """Print what others have begun to do; composing is announced once a turn."""
        before, self._states = self._states or (SeatState.HERE,) * len(states), states
        for seat, (was, state) in enumerate(zip(before, states, strict=True)):
            if seat == self._game.viewer or state is was:
                continue
            name, turn = self._game.players[seat].name, (seat, self._before.turn)
            line = state_line(state, name, self._texts)
            if state is SeatState.COMPOSING:
                line = None if self._composed == turn else line
                self._composed = turn
            elif state is SeatState.HERE and was is not SeatState.COMPOSING:
                line = self._texts.say("news.seat-back", name=name)
            self._console.say_all(wrap(line) if line else ())

    def _tell_change(self, event: Change) -> None:
        entry = self._chronicle.add(move_of(event, self._before))
        self._before = event.after
        if entry.seat == self._seated and isinstance(event, Played):
            self._tell_draws()
            self._seen[entry.seat] = len(self._chronicle.entries)
        elif len(self._people) == 1:
            self._tell_entry(entry)

    def _tell_end(self, end: Ended) -> None:
        if len(self._people) > 1 and self._seated is not None:
            self._tell_since(self._seated)
        view = end_view(self._game.rules, self._before, self._game.players, self._texts, end.outcome, you=self._lone)
        self._console.print_lines("", *ending_lines(view, self._texts))

    def _tell_draws(self) -> None:
        """Print the recipes that the person at the keyboard has drawn since the last time."""
        if self._seated is None or self._game.viewer != self._seated:
            return
        faces = self._game.seen_by(self._seated).faces
        for card in [card for card in faces if card not in self._known_cards]:
            self._tell_recipe(faces[card])
        self._known_cards.update(faces)

    def _tell_recipe(self, face: int) -> None:
        rules = self._game.rules
        recipe = rules.edition.recipes[face]
        style = "play.drawn-style" if recipe.style else "play.drawn"
        self._say(
            "play.drawn-card" if sight_of(rules).gives_card(recipe) else style,
            recipe=recipe_name(rules, self._texts, face),
            strip=strip_codes(rules, face),
            points=recipe.points,
            style=recipe.style,
        )

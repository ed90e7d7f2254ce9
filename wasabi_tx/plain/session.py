"""A whole game line by line: people at this keyboard, bots, curtains between people."""

from __future__ import annotations

from ..engine.position import Position
from ..table.game import Change, Ended, Event, Game, Played, Rewound
from ..text import Texts
from ..view.chronicle import Chronicle, Entry, move_of
from ..view.ending import end_view, ending_lines
from ..view.lines import wrap
from ..view.phrases import recipe_name, strip_codes
from .commands import find_command
from .console import Console, Stopped
from .turn import Leaving, Turn


class Session:
    """Follows a game on a console until it ends or the input does."""

    def __init__(self, game: Game, console: Console, texts: Texts, chronicle: Chronicle, saved_as: str) -> None:
        self._game = game
        self._console = console
        self._texts = texts
        self._chronicle = chronicle
        self._saved_as = saved_as
        self._people = game.people
        self._before: Position = game.observation.position
        self._seated: int | None = self._people[0] if len(self._people) == 1 else None
        """Who sits at the keyboard; nobody before the first curtain."""
        self._seen = [len(chronicle.entries)] * len(game.players)
        self._shown: tuple[int, int, str] | None = None
        self._unsent = False

    async def run(self) -> bool:
        """Plays until the game ends, and then is True, or until the input does, and then is False."""
        self._greet()
        try:
            await self._ask_person()
            async for event in self._game.events():
                self._tell(event)
                if isinstance(event, Ended):
                    return True
                if self._game.observation.position is self._before:
                    await self._ask_person()
        except Stopped:
            self._say("play.resume", file=self._saved_as)
            if self._unsent:
                self._say("play.unsent")
        finally:
            await self._game.close()
        return False

    def _say(self, key: str, **params: object) -> None:
        self._console.say_all(wrap(self._texts.say(key, **params)))

    def _greet(self) -> None:
        rules, position, players = self._game.rules, self._before, self._game.players
        edition = rules.edition.names[self._texts.language]
        first = players[position.first].name
        self._say("play.game-starts", edition=edition, count=len(players), name=first)
        if self._chronicle.entries:
            self._say("play.welcome-back", turn=position.turn)

    async def _ask_person(self) -> None:
        """Lets the person to move play a bundle, behind a curtain if somebody else sat here before."""
        observation = self._game.observation
        seat = observation.seat
        if seat is None or not observation.my_turn:
            return
        self._draw_curtain(seat)
        turn = Turn(observation, self._game.players, self._chronicle, self._console, self._texts)
        moment = (seat, observation.position.turn, "" if observation.position.turn else observation.position.phase)
        if self._shown != moment:
            self._console.say("")
            turn.show()
            self._shown = moment
        try:
            bundle = turn.play()
        except Leaving:
            await self._game.leave(seat)
            if all(self._game.observation.position.seats[one].gone for one in self._people):
                self._say("play.left-alone")
        except Stopped:
            self._unsent = bool(turn.draft.steps)
            raise
        else:
            await self._game.submit(bundle)

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
        """Any line goes on, except the one that quits."""
        self._console.say_all(wrap(text))
        command = find_command(self._console.ask(), self._texts)
        if command is not None and command[0] == "quit":
            raise Stopped

    def _tell_since(self, seat: int) -> None:
        """What the others did while somebody else had the keyboard."""
        news = self._chronicle.entries[self._seen[seat] :]
        if news:
            self._say("play.since")
        for entry in news:
            self._tell_entry(entry)
        self._seen[seat] = len(self._chronicle.entries)

    def _tell_entry(self, entry: Entry) -> None:
        self._console.say_all(wrap("  " + self._chronicle.line(entry), "    "))

    def _tell(self, event: Event) -> None:
        if isinstance(event, Ended):
            self._tell_end()
        elif isinstance(event, Change):
            self._tell_change(event)
        elif isinstance(event, Rewound):
            self._before = event.after

    def _tell_change(self, event: Change) -> None:
        entry = self._chronicle.add(move_of(event, self._before))
        self._before = event.after
        if entry.seat == self._seated and isinstance(event, Played):
            self._tell_draws(event)
            self._seen[entry.seat] = len(self._chronicle.entries)
        elif len(self._people) == 1:
            self._tell_entry(entry)

    def _tell_end(self) -> None:
        if len(self._people) > 1 and self._seated is not None:
            self._tell_since(self._seated)
        view = end_view(self._game.rules, self._before, self._game.players, self._texts)
        self._console.say("", *ending_lines(view, self._texts))

    def _tell_draws(self, event: Played) -> None:
        """The recipes that the person at the keyboard has just drawn."""
        seat = event.bundle.seat
        faces = self._game.seen_by(seat).faces
        for card in event.after.seats[seat].recipes:
            if card not in event.before.seats[seat].recipes and card in faces:
                self._tell_recipe(faces[card])

    def _tell_recipe(self, face: int) -> None:
        rules = self._game.rules
        recipe = rules.edition.recipes[face]
        self._say(
            "play.drawn-style" if recipe.style else "play.drawn",
            recipe=recipe_name(rules, self._texts, face),
            strip=strip_codes(rules, face),
            points=recipe.points,
            style=recipe.style,
        )

"""One person's part of a turn, line by line: questions until there is a bundle to send."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from ..engine.errors import RulesError
from ..engine.observe import Observation
from ..engine.step import Bundle, Step
from ..games.draft import Draft
from ..games.game import Player, SeatState
from ..text import Texts
from ..text.topics import find_topic, find_topics
from ..turn.commands import LATER, command_words, find_command
from ..turn.hint import advise, introduction
from ..turn.prompt import Prompt, ask, lost_by, reachable
from ..turn.prompt_lines import TOPICS, draft_words, prompt_lines, shown, step_words
from ..turn.step_groups import group_steps
from ..turn.typed import LineRefused, read_line
from ..view.editions.edition_view import FORGO
from ..view.log.chronicle import Chronicle
from ..view.press import CONFIRM, SUGGEST
from ..view.sentences import say_error
from ..view.table.ending import completed_words, ends_without_one
from ..view.table.hand import hand_of
from ..view.table.plain_table import WIDTH, card_lines, columns, table_head, table_lines, tile_lines, under_lines, wrap
from ..view.table.recipe import recipe_name, short_worth
from ..view.table.spoken_table import SpokenTable
from ..view.table.table import TableView, describe_table, extra_of
from .console import Console, InputEnded

LOG_LINES = 20
NO_MORE: Mapping[str, Callable[[], None]] = {}


class LeaveGame(Exception):
    """Raised when the person leaves the game for good."""


class TakeBack(Exception):
    """Raised when the person takes their last turn back."""


class StopPlanning(Exception):
    """Raised when the person stops planning a later turn."""


class PlainTurn:
    """Asks one person until a bundle is complete and sent, or a later turn is planned."""

    def __init__(
        self,
        observation: Observation,
        players: Sequence[Player],
        chronicle: Chronicle,
        console: Console,
        texts: Texts,
        hints: bool = True,
        talk: Callable[[str], None] | None = None,
        doing: Callable[[SeatState], None] | None = None,
        later: bool = False,
        more: Mapping[str, Callable[[], None]] = NO_MORE,
        take_back: bool = False,
    ) -> None:
        """Set up; where there are others, `talk` sends them a line, and `doing` shows them what is done here.

        A `later` turn is only planned; `more` are the commands of this table. With `take_back`, undo reaches back to
        the beginning of the last turn.
        """
        self._may_take_back = take_back
        self._taking_back = False
        self._hints = hints
        self._later = later
        self._at_table = more
        self._talk = talk
        self._doing = doing
        self._begun = False
        self.draft = Draft(observation, whole=later)
        self._players = players
        self._chronicle = chronicle
        self._console = console
        self._texts = texts
        self._declined = False
        self._warned: Step | None = None
        self._leaving = False
        self.sent = False
        self._commands: dict[str, Callable[[str], None]] = {
            "accept": lambda _rest: self._accept(),
            "board": lambda _rest: self._speak(self._spoken.board()),
            "codes": self._codes,
            "hand": lambda _rest: self._speak(self._spoken.hand(), "spoken.none"),
            "line": lambda rest: self._speak(self._spoken.line(rest.rpartition(" ")[2]), "spoken.no-line"),
            "pantry": lambda _rest: self._speak(self._spoken.pantry()),
            "seats": lambda _rest: self._speak(self._spoken.seats()),
            "square": lambda rest: self._speak(self._spoken.square(rest.rpartition(" ")[2]), "spoken.no-square"),
            "help": self._help,
            "hint": self._hint,
            "leave": self._leave,
            "log": self._log,
            "no": self._no,
            "pause": self._pause,
            "quit": self._quit,
            "recipes": lambda _rest: self._console.say_all(book_lines(self.draft.observation, self._texts)),
            "rules": self._rules,
            "say": self._say_to_all,
            "send": self._send,
            "show": lambda _rest: self.show(),
            "stop": self._stop,
            "under": self._under,
            "undo": self._undo,
            "who": lambda _rest: self._console.say_all(who_lines(self.draft.observation, self._players, self._texts)),
            **{command: partial(_alone, run) for command, run in more.items()},
        }

    def play(self) -> Bundle:
        """Return the bundle that the person sends; raise `InputEnded` at the end of input or on `quit`, `LeaveGame` on
        leaving.

        For a later turn, raise `StopPlanning` instead if they give up planning.
        """
        while not self.sent:
            prompt = self._prompt()
            self._console.say_all(prompt_lines(prompt, self.draft, self._players, self._texts, self._later))
            self.run_line(self._console.ask())
            self._show_begun()
        return self.draft.bundle()

    def _show_begun(self) -> None:
        """Show the others whether the turn has been begun, but never with what."""
        begun = bool(self.draft.steps)
        if begun != self._begun and self._doing is not None:
            self._begun = begun
            self._doing(SeatState.COMPOSING if begun else SeatState.HERE)

    def run_line(self, line: str) -> None:
        """Handle one line; nothing is played before it is sent."""
        leaving, self._leaving = self._leaving, False
        taking_back, self._taking_back = self._taking_back, False
        command = find_command(line, self._texts, self._more)
        if not line.strip():
            self._accept()
        elif command is None:
            self._choose(line)
        elif command[0] == "leave" and leaving:
            raise LeaveGame
        elif command[0] == "undo" and taking_back:
            raise TakeBack
        else:
            self._commands[command[0]](command[1])

    @property
    def _more(self) -> frozenset[str]:
        if self._later:
            return LATER
        return frozenset(self._at_table) | (frozenset() if self._doing is None else {"pause"})

    def begin(self, steps: Sequence[Step]) -> None:
        """Start with steps composed earlier for this turn, as far as they are still legal."""
        try:
            for step in steps:
                if not self.draft.complete:
                    self.draft.add(step)
        except RulesError as error:
            self._console.say_all(wrap(say_error(self._texts, error)))
        if self.draft.steps and not self.draft.complete:
            self._say("play.ok", steps=draft_words(self.draft, self._players, self._texts))

    def show(self) -> None:
        """Print the table as it would be after the steps chosen so far."""
        self._console.say_all(table_lines(self._view, self.draft.observation.rules, self._texts))

    def spoken_lines(self) -> list[str]:
        """Return the lines that a listener needs at the start of a turn; the board is read on request."""
        return [table_head(self._view, self._texts), *self._spoken.seats(), *self._spoken.hand()]

    @property
    def _view(self) -> TableView:
        observation = self.draft.observation
        return describe_table(
            observation, self._players, self._texts, self._chronicle.authors(observation.seat), self.draft.base
        )

    @property
    def _spoken(self) -> SpokenTable:
        return SpokenTable(self._view, self.draft.observation.rules, self._texts)

    def _speak(self, lines: Sequence[str], otherwise: str = "") -> None:
        """Print a part of the table in words, or what else to type."""
        for line in lines or [self._texts.say(otherwise)]:
            self._console.say_all(wrap(line, "  "))

    def _prompt(self) -> Prompt:
        return ask(self.draft, self._texts, self._declined, SUGGEST if self._hints else CONFIRM)

    def _say(self, key: str, **params: object) -> None:
        self._console.say_all(wrap(self._texts.say(key, **params)))

    def _accept(self) -> None:
        """Handle an empty line: choose the slot's default, or send."""
        prompt = self._prompt()
        if prompt.slot == "send":
            self.sent = True
        elif prompt.default is not None:
            self._add([prompt.default.step])
        elif prompt.slot == "extra":
            self._declined = True
        else:
            self._say("play.nothing-default")

    def _choose(self, line: str) -> None:
        """Add all steps of a line, or none, and send the turn if the line ends with that command."""
        steps_typed, _, last = line.rpartition(";")
        command = find_command(last, self._texts, self._more) if steps_typed else None
        if command is not None and command[0] == "send":
            self._choose(steps_typed)
            self._send("")
            return
        try:
            steps = read_line(self.draft, line, self._texts, self._declined, self._warn)
        except LineRefused as refused:
            self._console.say_all(wrap(str(refused)))
        else:
            self._add(steps)

    def _warn(self, draft: Draft, step: Step) -> None:
        """Refuse a step once, naming the recipe, if it would lose a recipe."""
        if self._declined or self._warned == step:
            return
        lost = lost_by(draft, step)
        if lost:
            self._warned = step
            names = ", ".join(recipe_name(draft.base.rules, self._texts, one.recipe) for one in lost)
            raise LineRefused(self._texts.say("play.again", recipe=names))

    def _add(self, steps: Sequence[Step]) -> None:
        for step in steps:
            self.draft.add(step)
            self._declined = False
        self._warned = None
        if steps and not self.draft.complete:
            self._say("play.ok", steps=draft_words(self.draft, self._players, self._texts))

    def _no(self, _rest: str) -> None:
        prompt = self._prompt()
        if prompt.slot in ("claim", "extra"):
            self._declined = True
        elif FORGO in prompt.choices:
            self._add([FORGO])
        else:
            self._say("play.nothing-to-decline")

    def _undo(self, _rest: str) -> None:
        before = self.draft.steps
        if not self.draft.undo():
            self._taking_back = self._may_take_back and not self._declined
            self._declined = False
            self._say("play.take-back-sure" if self._taking_back else "play.nothing-to-undo")
            return
        self._declined, self._warned = False, None
        undone = before[len(self.draft.steps) :]
        words = step_words(self.draft, undone[-1], self._players, self._texts) if len(undone) == 1 else ""
        self._say("play.undone", step=words or shown(self.draft, undone[-1], self._texts))

    def _send(self, _rest: str) -> None:
        if self.draft.complete:
            self.sent = True
        else:
            self._say("play.nothing-to-send")

    def _help(self, _rest: str) -> None:
        observation, texts = self.draft.observation, self._texts
        hand = hand_of(observation, hand_of(self.draft.base))
        if not self.draft.complete:
            self._console.print_lines(texts.say("play.may"))
            for group in group_steps(observation.rules, hand, reachable(self.draft), texts):
                places = " | ".join(group.places)
                example = f"  ({texts.say('play.example')} {group.example})" if group.count > 1 else ""
                self._console.say_all(wrap(f"  {group.verb} {places}{example}".rstrip(), "      "))
        topic = TOPICS.get(self._prompt().slot)
        if topic is not None:
            self._console.say_all(topic_lines(topic, observation.rules.name, texts))
        self._console.say_all(wrap(texts.say("play.commands", words=command_words(texts, self._more)), "  "))
        if "plans" in self._more:
            self._say("play.meanwhile-all")

    def _say_to_all(self, rest: str) -> None:
        if self._talk is None:
            self._say("play.nobody-to-talk-to")
        elif rest:
            self._talk(rest)

    def _pause(self, _rest: str) -> None:
        """Tell the others of a pause, which the next line ends; it is no move."""
        assert self._doing is not None, "there is nobody to tell"
        self._doing(SeatState.PAUSED)
        self._say("play.paused")
        command = find_command(self._console.ask(), self._texts)
        self._doing(SeatState.COMPOSING if self._begun else SeatState.HERE)
        if command is not None and command[0] == "quit":
            raise InputEnded

    def _hint(self, _rest: str) -> None:
        if not self._hints:
            self._say("play.no-hints")
            return
        hints = advise(self.draft.observation, self._texts)
        if not hints:
            self._say("play.hint-none")
        for number, hint in enumerate(hints):
            chosen = [step for step in hint.steps if step.verb in self.draft.base.rules.slots]
            steps = "; ".join(shown(self.draft, step, self._texts) for step in chosen or hint.steps)
            self._console.say_all(wrap(introduction(self._texts, number, len(hints), steps)))
            for reason in hint.reasons:
                self._console.say_all(wrap(f"  {reason}", "  "))

    def _leave(self, _rest: str) -> None:
        self._leaving = True
        self._say("play.leave-sure-ends" if ends_without_one(self.draft.base.position) else "play.leave-sure")

    def _log(self, _rest: str) -> None:
        entries = self._chronicle.entries[-LOG_LINES:]
        for entry in entries:
            self._console.say_all(wrap(f"{entry.turn:>3} {self._chronicle.line(entry)}", "    "))
        if not entries:
            self._say("play.log-empty")

    def _quit(self, _rest: str) -> None:
        raise InputEnded

    def _stop(self, _rest: str) -> None:
        raise StopPlanning

    def _rules(self, rest: str) -> None:
        self._console.say_all(topic_lines(rest.casefold(), self.draft.base.rules.name, self._texts))

    def _codes(self, _rest: str) -> None:
        edition = self.draft.base.rules.edition
        self._console.say_all([*tile_lines(edition, self._texts), *card_lines(edition, self._texts)])

    def _under(self, _rest: str) -> None:
        view = describe_table(self.draft.observation, self._players, self._texts)
        self._console.say_all(under_lines(view, self._texts))


def _alone(run: Callable[[], None], _rest: str) -> None:
    """Run a command that takes no words."""
    run()


def book_lines(observation: Observation, texts: Texts) -> list[str]:
    """Return every recipe of the edition by length, in two columns where they fit; mark completed and own ones."""
    rules = observation.rules
    done = {claimed.recipe for seat in observation.position.seats for claimed in seat.claimed}
    own = set(observation.faces.values())
    cells = []
    for number, recipe in enumerate(rules.edition.recipes):
        mark = "x" if number in done else ">" if number in own else " "
        codes = " ".join(rules.code(tile) for tile in recipe.strip.tiles)
        worth = short_worth(recipe.points, extra_of(rules, recipe, texts), texts)
        cells.append((recipe.length, f"{mark} {recipe.names[texts.language]:<20} {codes} {worth}"))
    lines = wrap(texts.say("play.book"))
    for length in rules.edition.lengths:
        rows = [row for size, row in cells if size == length]
        half = -(-len(rows) // 2)
        pairs = columns(zip(rows[:half], [*rows[half:], ""], strict=False))
        lines += pairs if max(map(len, pairs), default=0) <= WIDTH else rows
    return lines


def who_lines(observation: Observation, players: Sequence[Player], texts: Texts) -> list[str]:
    """Return what every seat has completed."""
    lines: list[str] = []
    for player, seat in zip(players, observation.position.seats, strict=True):
        words = completed_words(observation.rules, seat, texts) or texts.say("play.who-none")
        lines += wrap(texts.say("play.seats", name=player.name, recipes=words), "  ")
    return lines


def topic_lines(wish: str, rules: str, texts: Texts) -> list[str]:
    """Return a topic of the rules, or the list of topics."""
    topic = find_topic(texts.language, rules, wish) if wish else None
    if topic is not None:
        lines = [topic.title]
        for paragraph in [*topic.text.splitlines(), *topic.typed.splitlines()]:
            lines += wrap(paragraph, "  " if paragraph.startswith("- ") else "") if paragraph else []
        return lines
    titles = ", ".join(one.title for one in find_topics(texts.language, rules))
    unknown = wrap(texts.say("play.topic-unknown", topic=wish)) if wish else []
    return [*unknown, *wrap(texts.say("play.topics", topics=titles), "  ")]

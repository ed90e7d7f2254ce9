"""A puzzle line by line: the same puzzle and the same judge as on the screen, for people who read and type."""

from __future__ import annotations

from ..puzzles.judge import PuzzleJudge, share_line
from ..text import Texts
from ..text.marks import unmarked
from ..turn.commands import find_command
from ..view.log.chronicle import Chronicle
from ..view.table.plain_table import wrap
from .console import Console, InputEnded
from .turn import LeaveGame, PlainTurn


class PlainPuzzle:
    """Asks for the best turn of a puzzle on a console."""

    def __init__(self, judge: PuzzleJudge, console: Console, texts: Texts) -> None:
        self._judge = judge
        self._console = console
        self._texts = texts
        self._chronicle = Chronicle(judge.game.rules, judge.game.players, texts)

    def run(self) -> bool:
        """Run the puzzle; return True if another one is wanted, False if the input has ended."""
        try:
            while not self._judge.over:
                if self._judge.gain is None:
                    self._ask_turn()
                self._go_on()
        except (InputEnded, LeaveGame):
            return False
        return True

    def _ask_turn(self) -> None:
        judge = self._judge
        self._tell()
        first = True
        while judge.gain is None:
            observation = judge.game.observation
            turn = PlainTurn(observation, judge.game.players, self._chronicle, self._console, self._texts, hints=False)
            if first:
                turn.show()
                first = False
            judge.play(turn.play())
        if judge.tries == 1:
            self._console.print_lines(share_line(judge.puzzle.name, judge.stars or 0, self._texts))

    def _tell(self) -> None:
        """Print the question, or how the turn was judged."""
        view = self._judge.view(self._texts)
        self._console.say_all(wrap(f"{view.head}: {unmarked(view.words)}"))

    def _go_on(self) -> None:
        """Print the judgement, and do what the person wants next."""
        self._tell()
        solved = self._judge.solved
        self._console.say_all(wrap(self._texts.say("puzzle.type-next" if solved else "puzzle.type-solution")))
        line = self._console.ask()
        command = find_command(line, self._texts)
        if not line.strip():
            self._judge.go_on()
        elif command is not None and command[0] == "undo":
            self._judge.try_again()
        elif command is not None and command[0] in ("quit", "leave"):
            raise InputEnded

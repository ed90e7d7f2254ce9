"""The command line: one module a command, imported only when it is called, so that the program starts at once."""

from __future__ import annotations

import logging
import os
import sys
from importlib import import_module
from pathlib import Path

import click

from .. import __version__
from ..tui.services import NotPossible

LOG = "WASABI_TX_LOG"
"""Names a detailed log for this program and for the bots that it starts."""
COMMANDS = {
    "learn": "learn the game in ten minutes, by playing it",
    "puzzle": "find the best turn: one a day, and as many as you like",
    "play": "a local game, against bots or with friends at one keyboard",
    "resume": "continue an unfinished game",
    "keep": "hold unfinished games online while no screen does, for games that last for days",
    "host": "open a table for friends on other machines",
    "join": "take a seat at somebody's table",
    "knock": "ask the host of a table that the lobby lists for a seat",
    "lobby": "the tables on a broker, and the brokers on the local network",
    "bot": "a peer without a screen that plays a seat, or opens a table",
    "watch": "look on at somebody's table, read-only",
    "broker": "only the embedded broker, for tables that come and go",
    "demo": "see it all at once: a broker, three bots in processes of their own, and the screen that watches them",
    "verify": "check every signature, proof and rule of a game file",
    "export": "a game file as text or JSON",
    "replay": "step through a saved game",
    "review": "what would have been better in a game that you played",
    "themes": "the colours that can be chosen",
    "simulate": "many games between bots, on all cores",
    "editions": "the editions that can be played, their cards, and a check of your own",
    "doctor": "what this terminal, this machine and a broker are good for",
    "locate": "the folders in which things are kept",
    "completions": "a script that lets your shell complete commands and options",
    "manual": "the manual page, for man",
}


class LazyGroup(click.Group):
    """Knows what each command is for without importing it."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, _ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(f"{__name__}.commands.{name}"), name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS:
            from ..table.online.invites import is_invite
            from ..table.online.spoken_codes import looks_like_code

            if is_invite(args[0]) or looks_like_code(args[0]):
                return super().resolve_command(ctx, ["join", *args])
            from .options import texts_for

            raise Misuse(texts_for(None).say("cli.usage.no-such-command", name=args[0]), ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]}, invoke_without_command=True)
@click.version_option(__version__, prog_name="wasabi-tx")
@click.option("--log", metavar="FILE", envvar=LOG, default=None, help="tell in detail there what happens")
@click.pass_context
def wasabi_tx(ctx: click.Context, log: str | None) -> None:
    """Wasabi TX: the sushi board game in the terminal. Alone it opens the home screen."""
    _start_log(log, ctx.invoked_subcommand or "")
    if ctx.invoked_subcommand is not None:
        return
    if not on_terminal():
        click.echo(ctx.get_help())
        return
    from .local_games import open_home

    open_home(None)


def _start_log(wish: str | None, command: str) -> None:
    """The log in the state folder, or the one that somebody wishes to have."""
    from ..store.log_file import start_log
    from ..store.paths import find_paths

    if wish is None:
        start_log(find_paths().log, command)
        return
    path = Path(wish).absolute()
    os.environ[LOG] = str(path)
    try:
        start_log(path, command, detailed=True)
    except OSError as error:
        from .options import texts_for

        said = texts_for(None).say("cli.log-unwritable", file=wish, reason=error)
        raise Failure(said) from None


def on_terminal() -> bool:
    """Whether a screen can be drawn: somebody types, and somebody looks."""
    return sys.stdin.isatty() and sys.stdout.isatty()


class Failure(click.ClickException, NotPossible):
    """Something that went wrong for a reason that a person can understand: one sentence, exit code 1.

    The one error at the edge of the program: a command ends with it, and a screen shows it as what is not possible.
    """

    def show(self, file: object = None) -> None:
        del file
        from .output import echo

        echo(f"wasabi-tx: {self.message}", err=True)


class Misuse(click.UsageError):
    """Words after a command that do not go together: one sentence in the reader's language, exit code 2."""


def run() -> None:
    """Runs the command line; no traceback ever reaches a user."""
    from .hidden_arguments import hide_arguments

    hide_arguments()
    try:
        code = wasabi_tx.main(prog_name="wasabi-tx", standalone_mode=False)
    except click.ClickException as error:
        _show(error)
        sys.exit(error.exit_code)
    except NotPossible as refused:
        Failure(str(refused)).show()
        sys.exit(Failure.exit_code)
    except click.Abort:
        sys.exit(130)
    except BrokenPipeError:
        # Whoever read our output has enough; nothing more can be written, not even at exit.
        sys.stderr.close()
        sys.exit(1)
    except Exception:
        from .output import echo

        log = _keep_traceback()
        echo(f"wasabi-tx: something went wrong that should not; please report it with {log}", err=True)
        sys.exit(1)
    sys.exit(code if isinstance(code, int) else 0)


def _show(error: click.ClickException) -> None:
    """What went wrong, harmless even if a stranger's words were pasted after the command."""
    from .options import texts_for
    from .output import echo
    from .usage import say_usage

    if not isinstance(error, click.UsageError):
        Failure(error.format_message()).show()
        return
    context = error.ctx or click.get_current_context(silent=True)
    texts = texts_for(context.params.get("language") if context is not None else None)
    Failure(say_usage(error, texts)).show()
    if context is not None:
        echo(texts.say("cli.usage.try", command=context.command_path), err=True)


def _keep_traceback() -> str:
    """Writes what happened to the log; where that is."""
    logger = logging.getLogger(__package__.partition(".")[0])
    logger.exception("a mistake of this program")
    for handler in logger.handlers:
        if isinstance(handler, logging.FileHandler) and Path(handler.baseFilename).exists():
            return handler.baseFilename
    return "the command that you ran"

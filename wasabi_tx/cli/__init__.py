"""The command line: one module per command, imported only when it is called, so that the program starts fast."""

from __future__ import annotations

import logging
import os
import sys
from importlib import import_module
from pathlib import Path

import click

from ..app.failure import BadChoice, Failure

LOG = "WASABI_TX_LOG"
"""Environment variable with the path of a detailed log, for this program and the bots that it starts."""
FIRST_COMMANDS = {
    "learn": "learn the game in ten minutes, by playing it",
    "puzzle": "find the best turn: one a day, and as many as you like",
    "play": "play on this machine, against bots or with friends at one keyboard",
    "host": "open a table for friends on other machines",
    "join": "take a seat at somebody's table",
    "lobby": "see the open tables on a broker or on the local network, and talk there",
    "watch": "watch somebody's table, read-only",
    "resume": "continue an unfinished game",
    "keep": "hold unfinished online games while no screen does, for games that last for days",
    "review": "see what would have been better in a game you played",
}
"""The commands that `--help` lists."""
COMMANDS = FIRST_COMMANDS | {
    "bot": "play a seat without a screen, or open a table",
    "broker": "run just the embedded broker, for tables that come and go",
    "demo": "watch three bots play, each in its own process, on their own broker",
    "verify": "check every signature, proof and rule of a game file",
    "export": "print a game file as text or JSON, or make a page of it to send around",
    "replay": "step through a saved game",
    "record": "see your results, the recipes you have cooked and your best scores",
    "themes": "list the colour themes",
    "simulate": "play many games between bots, on all cores",
    "editions": "list the editions that can be played and their cards, and check your own",
    "doctor": "show where files are stored, and check this terminal, this machine and a broker",
    "completions": "print a script that lets your shell complete commands and options",
    "help": "list the commands; all of them with --all",
}


class LazyGroup(click.Group):
    """A group that describes each command without importing it."""

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
            from ..online.invites import is_invite
            from ..online.spoken_codes import looks_like_code

            if is_invite(args[0]) or looks_like_code(args[0]):
                return super().resolve_command(ctx, ["join", *args])
            from difflib import get_close_matches

            from ..app.preferences import texts_for

            texts, near = texts_for(None), get_close_matches(args[0].lower(), COMMANDS, 1)
            known = texts.say("cli.usage.did-you-mean", name=near[0]) if near else texts.say("cli.usage.see-commands")
            raise Misuse(f"{texts.say('cli.usage.no-such-command', name=args[0])}{known}", ctx)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; a failure ends it the way Click ends commands."""
        try:
            return super().invoke(ctx)
        except Failure as failure:
            raise FAILED[failure.exit_code](str(failure)) from None

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(FIRST_COMMANDS.items()))
        formatter.write("\nmore: `wasabi-tx help --all`\n")


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]}, invoke_without_command=True)
@click.option("--version", is_flag=True, help="show the version; with --verbose, what belongs into a bug report")
@click.option("--verbose", is_flag=True, hidden=True)
@click.option("--log", metavar="FILE", envvar=LOG, default=None, help="write a detailed log to FILE")
@click.pass_context
def wasabi_tx(ctx: click.Context, version: bool, verbose: bool, log: str | None) -> None:
    """Wasabi TX: the sushi board game in the terminal. Without a command, it opens the home screen."""
    if version:
        from .version import version_lines

        click.echo("\n".join(version_lines(verbose)))
        ctx.exit()
    _start_log(log, ctx.invoked_subcommand or "")
    if ctx.invoked_subcommand is not None:
        return
    if not on_terminal():
        click.echo(ctx.get_help())
        return
    from ..tui.launch import open_home

    open_home(None)


def _start_log(wish: str | None, command: str) -> None:
    """Start the log in the state folder, or the requested one."""
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
        from ..app.preferences import texts_for

        said = texts_for(None).say("cli.log-unwritable", file=wish, reason=error)
        raise Failure(said) from None


def on_terminal() -> bool:
    """Return whether a screen can be drawn: input and output are a terminal that can place its cursor."""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


class Misuse(click.UsageError):
    """A wrong combination of arguments: one sentence in the reader's language, exit code 2."""


class FailedCommand(click.ClickException):
    """A command that ended with a failure, as one sentence."""

    def show(self, file: object = None) -> None:
        del file
        show_failure(self.message)


class RefusedCommand(FailedCommand):
    """A command that named something that does not exist here."""

    exit_code = BadChoice.exit_code


FAILED = {Failure.exit_code: FailedCommand, BadChoice.exit_code: RefusedCommand}


def show_failure(sentence: str) -> None:
    """Print one sentence about what went wrong, after the program's name."""
    from ..app.output import echo

    echo(f"wasabi-tx: {sentence}", err=True)


def run() -> None:
    """Run the command line; no traceback ever reaches a user."""
    try:
        code = wasabi_tx.main(prog_name="wasabi-tx", standalone_mode=False)
    except click.ClickException as error:
        _show(error)
        sys.exit(error.exit_code)
    except click.Abort:
        sys.exit(130)
    except BrokenPipeError:
        # The reader of our output has closed it; nothing more can be written, not even at exit.
        sys.stderr.close()
        sys.exit(1)
    except Exception:
        from ..app.output import echo

        log = _keep_traceback()
        echo(f"wasabi-tx: something went wrong that should not; please report it with {log}", err=True)
        sys.exit(1)
    sys.exit(code if isinstance(code, int) else 0)


def _show(error: click.ClickException) -> None:
    """Print the error, cleaned in case a stranger's text was pasted after the command."""
    from ..app.output import echo
    from ..app.preferences import texts_for
    from .usage import say_usage

    if not isinstance(error, click.UsageError):
        show_failure(error.format_message())
        return
    context = error.ctx or click.get_current_context(silent=True)
    texts = texts_for(context.params.get("language") if context is not None else None)
    show_failure(say_usage(error, texts))
    if context is not None:
        echo(texts.say("cli.usage.try", command=context.command_path), err=True)


def _keep_traceback() -> str:
    """Write the traceback to the log; return the log's path."""
    logger = logging.getLogger(__package__.partition(".")[0])
    logger.exception("a mistake of this program")
    for handler in logger.handlers:
        if isinstance(handler, logging.FileHandler) and Path(handler.baseFilename).exists():
            return handler.baseFilename
    return "the command that you ran"

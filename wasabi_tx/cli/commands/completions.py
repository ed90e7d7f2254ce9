"""`wasabi-tx completions`: the script that lets a shell complete commands and options."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

PROGRAM = "wasabi-tx"
SWITCH = "_WASABI_TX_COMPLETE"
"""Environment variable that makes the program answer a shell's question instead of running; Click derives the name."""


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completions(ctx: click.Context, shell: str) -> None:
    """Print the script that teaches a shell to complete wasabi-tx.

    For bash, write it to ~/.local/share/bash-completion/completions/wasabi-tx; for zsh, to a file _wasabi-tx in a
    folder of your fpath; for fish, to ~/.config/fish/completions/wasabi-tx.fish.
    """
    completer = get_completion_class(shell)
    assert completer is not None, "the choices are the shells that Click knows"
    click.echo(completer(ctx.find_root().command, {}, PROGRAM, SWITCH).source())

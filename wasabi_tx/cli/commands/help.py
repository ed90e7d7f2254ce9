"""`wasabi-tx help`: the commands that people need, or all of them."""

from __future__ import annotations

import click

from .. import COMMANDS


@click.command()
@click.option("--all", "every", is_flag=True, help="list every command")
@click.pass_context
def help(ctx: click.Context, every: bool) -> None:  # noqa: A001 - a command has the name of its function
    """List the commands; each of them explains itself with --help."""
    if not every:
        click.echo(ctx.find_root().get_help())
        return
    formatter = ctx.make_formatter()
    with formatter.section("Commands"):
        formatter.write_dl(list(COMMANDS.items()))
    click.echo(formatter.getvalue(), nl=False)

"""`wasabi-tx manual`: the manual page, made from the commands themselves."""

from __future__ import annotations

import click

from ... import __version__

HEAD = r"""
.TH WASABI-TX 1 "" "Wasabi TX {version}" "Games"
.SH NAME
wasabi-tx \- the sushi board game Wasabi! in the terminal, with friends on other machines
.SH SYNOPSIS
.B wasabi-tx
.RI [ COMMAND ]
.RI [ OPTIONS ]
.SH DESCRIPTION
Two to four players place tiles on a shared board and complete hidden recipes: alone against bots, at one keyboard, or
across machines without a server that anybody has to trust. Without a command the home screen opens.
.SH COMMANDS
"""
TAIL = r"""
.SH ENVIRONMENT
.TP
.B WASABI_TX_HOME
The folder for settings, keys and games, instead of the ones that
.B wasabi-tx locate
lists.
.TP
.B WASABI_TX_LANG
The language, instead of that of the settings or the locale.
.TP
.B NO_COLOR
If it is set and not empty, nothing has a colour.
.SH EXIT STATUS
0: done. 1: it failed. 2: wrong usage. 3: a game file or another player was proved invalid.
.SH FILES
.B wasabi-tx locate
lists the folders for settings, editions, themes, games and the log.
"""


@click.command()
@click.pass_context
def manual(ctx: click.Context) -> None:
    """The manual page, for man: `wasabi-tx manual | man -l -`."""
    click.echo(manual_page(ctx.find_root()), nl=False)


def manual_page(root: click.Context) -> str:
    """Every command with its words and options, in the form that man reads."""
    group = root.command
    assert isinstance(group, click.Group)
    parts = [HEAD.lstrip().format(version=__version__)]
    for name in group.list_commands(root):
        command = group.get_command(root, name)
        assert command is not None
        parts.append(_section(command, click.Context(command, info_name=name, parent=root)))
    return "".join(parts) + TAIL.lstrip()


def _section(command: click.Command, ctx: click.Context) -> str:
    words = " ".join(command.collect_usage_pieces(ctx))
    lines = [f".SS wasabi-tx {_roff(ctx.info_name or '')} {_roff(words)}"]
    for paragraph in (command.help or "").split("\n\n"):
        lines += [_roff(" ".join(paragraph.split())), ".PP"]
    for parameter in command.get_params(ctx):
        shown = parameter.get_help_record(ctx)
        if shown is not None and shown[1]:
            lines += [".TP", rf"\fB{_roff(shown[0])}\fR", _roff(shown[1])]
    return "\n".join(lines) + "\n"


def _roff(text: str) -> str:
    """Text that man shows as it is: no escape, no hyphen for a minus, no line that begins like a request."""
    plain = text.replace("\\", "\\e").replace("-", r"\-")
    return r"\&" + plain if plain.startswith((".", "'")) else plain

"""Usage errors: what is wrong with a command's arguments, as a sentence in the reader's language."""

from __future__ import annotations

import click

from ..text import Texts
from . import Misuse
from .table_options import Bot, Seats, TurnTime


def say_usage(error: click.UsageError, texts: Texts) -> str:
    """Return one sentence; Click's own is in English, and may quote whatever was pasted."""
    match error:
        case Misuse():
            return error.message
        case click.NoSuchOption(option_name=name, possibilities=near):
            meant = texts.say("cli.usage.did-you-mean", name=near[0]) if near else ""
            return texts.say("cli.usage.no-such-option", name=name) + meant
        case click.MissingParameter(param=param):
            return texts.say("cli.usage.missing", name=_name(param))
        case click.BadParameter(param=param) if param is not None:
            return _say_value(param, texts)
        case click.BadOptionUsage(option_name=name):
            return texts.say("cli.usage.value", name=name)
    return texts.say("cli.usage.extra")


def _say_value(param: click.Parameter, texts: Texts) -> str:
    name, kind = _name(param), param.type
    match kind:
        case click.Choice(choices=choices):
            return texts.say("cli.usage.bad-choice", name=name, choices=", ".join(map(str, choices)))
        case click.IntRange(min=low, max=high) | click.FloatRange(min=low, max=high) if None not in (low, high):
            return texts.say("cli.usage.bad-range", name=name, low=low, high=high)
        case click.types.IntParamType() | click.types.FloatParamType():
            return texts.say("cli.usage.bad-number", name=name)
        case Seats() | TurnTime() | Bot():
            return texts.say(f"cli.usage.bad-{kind.name}", name=name)
        case click.Path():
            return texts.say("cli.usage.bad-file", name=name)
    return texts.say("cli.usage.bad-value", name=name)


def _name(param: click.Parameter | None) -> str:
    """Return the parameter as people type it: an option with its hyphens, an argument in capitals."""
    if param is None:
        return "?"
    return max(param.opts, key=len) if isinstance(param, click.Option) else param.human_readable_name

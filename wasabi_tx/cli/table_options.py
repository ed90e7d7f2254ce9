"""The options of a table to open: how they are written, and in which groups the help lists them."""

from __future__ import annotations

import re
from typing import Any

import click

from ..bots.level_names import LEVEL_NAMES
from ..online.terms import DAY, HOUR, LONGEST_CLOCK
from ..view.names import RIVALS

GROUPS = ("Table", "People", "Network", "Screen")
ANY = "any"
MINUTE = 60
UNITS = {"s": 1, "m": MINUTE, "h": HOUR, "d": DAY}


class GroupedOption(click.Option):
    """An option with the group of the help that lists it; the last group takes those without."""

    def __init__(self, *words: Any, group: str = GROUPS[-1], **others: Any) -> None:
        super().__init__(*words, **others)
        self.group = group


class GroupedCommand(click.Command):
    """A command whose help lists options by what they are about."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        listed: dict[str, list[tuple[str, str]]] = {group: [] for group in GROUPS}
        for param in self.get_params(ctx):
            if (record := param.get_help_record(ctx)) is not None:
                listed[getattr(param, "group", GROUPS[-1])].append(record)
        for group, records in listed.items():
            with formatter.section(group):
                formatter.write_dl(records)
        formatter.write("\n")


class Seats(click.ParamType[Any]):
    """The number of seats, or the fewest and the most: `3`, `2-4`."""

    name = "seats"

    def convert(
        self, value: str | tuple[int, int], param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, int]:
        if isinstance(value, tuple):
            return value
        found = re.fullmatch(r"([2-4])(?:-([2-4]))?", value)
        if found is None or (found[2] and found[2] < found[1]):
            self.fail(value, param, ctx)
        return int(found[1]), int(found[2] or found[1])


class TurnTime(click.ParamType[Any]):
    """The time for a turn in seconds: `90s`, `10m`, `24h`, `3d`, or `none`."""

    name = "time"

    def convert(self, value: str | int, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        if value == "none":
            return 0
        found = re.fullmatch(r"([1-9][0-9]{0,6})([smhd])", value)
        seconds = int(found[1]) * UNITS[found[2]] if found is not None else 0
        if not 0 < seconds <= LONGEST_CLOCK:
            self.fail(value, param, ctx)
        return seconds


class Bot(click.ParamType[Any]):
    """A bot: by name, by level, both as in `udon:hard`, or `any`. The value is a name, perhaps empty, and a level."""

    name = "bot"

    def convert(
        self, value: str | tuple[str, str], param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, str]:
        if isinstance(value, tuple):
            return value
        known = {name.casefold(): name for name in RIVALS}
        who, _, level = value.casefold().partition(":")
        if not level and who in LEVEL_NAMES:
            who, level = ANY, who
        if (who != ANY and who not in known) or (level and level not in LEVEL_NAMES):
            self.fail(value, param, ctx)
        return known.get(who, ""), level

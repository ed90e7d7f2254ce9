"""Options that several commands share, and checks of their values."""

from __future__ import annotations

from pathlib import Path

import click

from ..app.editions import added_edition
from ..app.preferences import texts_for
from ..text import LANGUAGES, Texts
from ..view.names import RIVALS
from . import Misuse
from .table_options import GroupedOption

language_option = click.option(
    "--language",
    type=click.Choice(LANGUAGES),
    default=None,
    help="interface language (default: from settings or locale)",
)


broker_option = click.option(
    "--broker", metavar="URL", default=None, help="broker address: mqtt://, mqtts://, ws:// or wss://"
)
json_option = click.option("--json", "as_json", is_flag=True, help="print only JSON, one object per line")
name_option = click.option("--name", default=None, cls=GroupedOption, group="People", help="your name at the table")


def _edition_name(_ctx: click.Context, _param: click.Parameter, value: str) -> str:
    """Return the name of an edition; a given file is first added to the user's own editions."""
    return added_edition(Path(value), texts_for(None)).id if value.endswith(".toml") else value


edition_option = click.option(
    "--edition",
    cls=GroupedOption,
    group="Table",
    callback=_edition_name,
    default="classic",
    show_default=True,
    help="edition from `wasabi-tx editions`, or your own FILE.toml",
)
as_printed_option = click.option(
    "--as-printed",
    is_flag=True,
    cls=GroupedOption,
    group="Table",
    help="play the rules as printed where ours differ on purpose (listed under `rulings` in the help)",
)
rival_option = click.option(
    "--rival",
    "rivals",
    type=click.Choice(list(RIVALS), case_sensitive=False),
    multiple=True,
    help="bot by name (default: random)",
)
seed_option = click.option("--seed", default=None, help="any text; the same seed gives the same decks")


def check_rivals(rivals: tuple[str, ...], bots: int, texts: Texts) -> None:
    """Raise `Misuse` for more rivals than bots, or the same rival twice."""
    if len(rivals) > bots or len(set(rivals)) < len(rivals):
        raise Misuse(texts.say("cli.rivals", count=bots))

"""Output of the commands: lines and JSON objects, made harmless in case strangers wrote into them."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping

import click

from ..text.foreign import harmless, harmless_lines


def echo(text: str = "", err: bool = False) -> None:
    """A line, or several, on standard output or on standard error."""
    click.echo(harmless_lines(text), err=err)


def emit(line: Mapping[str, object]) -> None:
    """One JSON object on one line, at once."""
    click.echo(json.dumps(_harmless(line), ensure_ascii=False))
    sys.stdout.flush()


def _harmless(value: object) -> object:
    match value:
        case str():
            return harmless(value)
        case Mapping():
            return {harmless(str(key)): _harmless(one) for key, one in value.items()}
        case list() | tuple():
            return [_harmless(one) for one in value]
    return value

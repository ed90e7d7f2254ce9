"""Output of the commands: lines and JSON objects, cleaned in case they contain strangers' text."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping

import click

from ..text.foreign import harmless, harmless_lines


def echo(text: str = "", err: bool = False) -> None:
    """Print one or more lines to standard output or standard error."""
    click.echo(writable(harmless_lines(text), (sys.stderr if err else sys.stdout).encoding), err=err)


def emit(line: Mapping[str, object]) -> None:
    """Print one JSON object on one line, and flush."""
    found = _harmless(line)
    text = json.dumps(found, ensure_ascii=False)
    click.echo(text if writable(text, sys.stdout.encoding) == text else json.dumps(found))
    sys.stdout.flush()


def writable(text: str, encoding: str | None) -> str:
    """Return the text with question marks for characters that this encoding lacks."""
    encoding = encoding or "utf-8"
    return text.encode(encoding, "replace").decode(encoding)


def _harmless(value: object) -> object:
    match value:
        case str():
            return harmless(value)
        case Mapping():
            return {harmless(str(key)): _harmless(one) for key, one in value.items()}
        case list() | tuple():
            return [_harmless(one) for one in value]
    return value

"""`python -m wasabi_tx.web DIR`: build the folder of static files."""

from __future__ import annotations

import zlib
from pathlib import Path

import click

from ..app.output import echo
from ..app.preferences import texts_for
from .build import BuildFailed, build


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
def main(folder: Path) -> None:
    """Build the page of the program into FOLDER, with pinned packages that npm and pip fetch."""
    texts = texts_for(None)
    try:
        build(folder)
    except BuildFailed as failed:
        words = "web.build-failed" if failed.words else "web.build-missing"
        raise click.ClickException(texts.say(words, program=failed.program, reason=failed.words)) from None
    except OSError as error:
        raise click.ClickException(texts.say("cli.unwritable", folder=folder, reason=error)) from None
    sizes = [
        (len(data), len(zlib.compress(data, 9)))
        for data in map(Path.read_bytes, filter(Path.is_file, folder.rglob("*")))
    ]
    whole, packed = (sum(column) / 1_000_000 for column in zip(*sizes, strict=True))
    echo(texts.say("web.built", folder=folder, megabytes=f"{whole:.1f}", packed=f"{packed:.1f}"))


if __name__ == "__main__":
    main()

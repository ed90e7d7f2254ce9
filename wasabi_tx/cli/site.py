"""The site for browsers that a host serves: built once, and again whenever the program has changed."""

from __future__ import annotations

from ..app.brokers import site_folder
from ..app.failure import Failure
from ..app.output import echo
from ..store.paths import short_path
from ..text import Texts


def prepare_site(texts: Texts) -> None:
    """Build the folder of the site unless it is there; raise `Failure` if that cannot be done here."""
    from ..web.build import BuildFailed, build_unless_current

    folder = site_folder()
    try:
        build_unless_current(folder, lambda: echo(texts.say("web.building"), err=True))
    except BuildFailed as failed:
        words = "web.build-failed" if failed.words else "web.build-missing"
        why = texts.say(words, program=failed.program, reason=failed.words)
        raise Failure(f"{why}\n{texts.say('web.build-elsewhere', folder=short_path(folder))}") from None
    except OSError as error:
        raise Failure(texts.say("cli.unwritable", folder=short_path(folder), reason=error)) from None

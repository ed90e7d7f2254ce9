"""The constraints file, regenerated from the installed packages: `python -m tests.lab.constraints`."""

from __future__ import annotations

from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

FILE = Path(__file__).parents[2] / "constraints.txt"
HEAD = """\
# The exact versions with which all checks pass: pip install -e '.[dev]' -c constraints.txt
# `python -m tests.lab.constraints` writes this file from what is installed.
"""


def installed(extra: str = "dev") -> dict[str, str]:
    """Return everything that the project needs with this extra, by name, with the installed version."""
    found: dict[str, str] = {}
    left: list[tuple[Distribution, str]] = [(distribution("wasabi-tx"), extra)]
    while left:
        package, wanted = left.pop()
        for text in package.requires or ():
            needed = Requirement(text)
            name = canonicalize_name(needed.name)
            if needed.marker is not None and not needed.marker.evaluate({"extra": wanted}):
                continue
            try:
                one = distribution(needed.name)
            except PackageNotFoundError:
                continue
            if name not in found:
                found[name] = one.version
                left += [(one, each) for each in ("", *needed.extras)]
    return found


def main() -> None:
    lines = [f"{name}=={version}\n" for name, version in sorted(installed().items())]
    FILE.write_text(HEAD + "".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()

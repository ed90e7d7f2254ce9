"""Write every vector again: `python -m tests.protocol.vectors`. Review the difference before committing it."""

from __future__ import annotations

from tests.protocol.vectors.make import files
from tests.protocol.vectors.vector import FOLDER


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, text in files().items():
        (FOLDER / name).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()

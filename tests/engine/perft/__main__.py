"""Count again and rewrite the files."""

from __future__ import annotations

from tests.engine.perft import FILES, counted, with_counts, written_counts


def main() -> None:
    for path in FILES:
        text = path.read_text(encoding="utf-8")
        counts = counted(text)
        path.write_text(with_counts(text, counts), encoding="utf-8")
        changed = "" if counts == written_counts(text) else "  changed"
        print(f"{path.stem}: {', '.join(map(str, counts.values()))}{changed}")


if __name__ == "__main__":
    main()

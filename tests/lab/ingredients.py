"""Frequency of each ingredient in the recipes: `python -m tests.lab.ingredients`."""

from __future__ import annotations

from tests.engine.test_card_data import PROMISES, counts, frequencies, strips, uniques


def frequency_table(edition: str) -> str:
    """Return how many recipes of each length contain each ingredient, beside its tiles."""
    lengths = PROMISES[edition].recipes
    lines = [f"{edition}: {len(strips(edition))} recipes, {sum(counts(edition).values())} tiles"]
    lines.append("code tiles " + " ".join(f"  of {length}" for length in lengths) + "   all")
    for code, row in frequencies(edition).items():
        figures = " ".join(f"{row[length]:6}" for length in lengths)
        lines.append(f"{code:4} {counts(edition)[code]:5} {figures}{row.total():6}")
    held = sum(not uniques(edition).isdisjoint(strip) for strip in strips(edition).values())
    return "\n".join([*lines, f"recipes with a unique ingredient: {held}"])


if __name__ == "__main__":
    print("\n\n".join(frequency_table(edition) for edition in PROMISES))

"""The names of levels and where each is offered; apart from the bots, so that whoever only asks for them loads none."""

LEVEL_NAMES = ("easy", "normal", "hard")
"""From the weakest on."""

NO_BETTER = frozenset({("hard", "master", 4)})
"""By level, rules and seats: where the ladder showed no level that wins more than the one below."""


def is_offered(level: str, rules: str, seats: int) -> bool:
    """Whether the level plays better than the one below it with these rules and this number of seats."""
    return (level, rules, seats) not in NO_BETTER

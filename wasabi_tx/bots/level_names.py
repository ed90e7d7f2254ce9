"""The names of levels and characters, and where each level is offered; importing them loads no bot."""

LEVEL_NAMES = ("easy", "normal", "hard")
"""The levels, weakest first."""
CHARACTER_NAMES = ("builder", "stylist", "blocker")
"""The preferences that a bot can have besides points."""

NO_BETTER = frozenset({("hard", "master", 4)})
"""Level, rules and seats where the ladder showed the level to win no more than the one below."""


def is_offered(level: str, rules: str, seats: int) -> bool:
    """Return whether the level plays better than the one below it with these rules and this number of seats."""
    return (level, rules, seats) not in NO_BETTER


def bot_of(level: str, character: str) -> str:
    """Return the name of a bot of a level, with or without a character."""
    return f"{level}-{character}" if character else level


def level_of(bot: str) -> str:
    return bot.partition("-")[0]


def character_of(bot: str) -> str:
    """Return the character in a bot's name, or "" if it has no known one."""
    found = bot.partition("-")[2]
    return found if found in CHARACTER_NAMES else ""

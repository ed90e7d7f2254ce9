"""The names of levels and characters, and where each level is offered; who only asks for them loads no bot."""

LEVEL_NAMES = ("easy", "normal", "hard")
"""From the weakest on."""
CHARACTER_NAMES = ("builder", "stylist", "blocker")
"""What a bot likes beside points, if anything."""

NO_BETTER = frozenset({("hard", "master", 4)})
"""By level, rules and seats: where the ladder showed no level that wins more than the one below."""


def is_offered(level: str, rules: str, seats: int) -> bool:
    """Whether the level plays better than the one below it with these rules and this number of seats."""
    return (level, rules, seats) not in NO_BETTER


def bot_of(level: str, character: str) -> str:
    """The name of a bot of a level, with a character or without."""
    return f"{level}-{character}" if character else level


def level_of(bot: str) -> str:
    return bot.partition("-")[0]


def character_of(bot: str) -> str:
    """The character in a bot's name; nothing if it has none that we know."""
    found = bot.partition("-")[2]
    return found if found in CHARACTER_NAMES else ""

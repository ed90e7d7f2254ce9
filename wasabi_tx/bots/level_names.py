"""The names of levels, from the weakest on; apart from the bots, so that whoever only offers them loads none."""

LEVEL_NAMES = ("easy", "normal", "hard")

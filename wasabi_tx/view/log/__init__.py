"""The log of a game: what was played, in phrases, as one screen follows it."""

"""The log of a game: the moves played, in phrases, as one screen follows them."""

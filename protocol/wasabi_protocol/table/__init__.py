"""A table before its game: invites, topics, lobby, waiting room, genesis."""

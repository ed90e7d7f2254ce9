"""Out-of-turn messages of the seats: wishes, ballots, blame."""

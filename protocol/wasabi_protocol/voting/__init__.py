"""What seats say out of turn: wishes, ballots, blame."""

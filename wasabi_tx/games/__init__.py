"""Everything around one table: games, drafts, replays, tournaments of bots."""

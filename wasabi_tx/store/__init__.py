"""All disk access: folders, saved games, user editions and themes."""

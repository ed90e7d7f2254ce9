"""The game itself: log, state, session, and the file it leaves."""

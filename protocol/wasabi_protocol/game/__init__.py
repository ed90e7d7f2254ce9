"""The game itself: its log, state, session and record file."""

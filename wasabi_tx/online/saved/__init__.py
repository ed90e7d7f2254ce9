"""The files that a client saves."""

"""The client at one online table: bytes and time in, publications and events out."""

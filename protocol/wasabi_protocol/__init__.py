"""The Wasabi TX wire protocol: sans-IO, bytes in, events out."""

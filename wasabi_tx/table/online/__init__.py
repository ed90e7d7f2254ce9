"""A table whose people sit at different machines: all is signed, every client checks it, and any broker carries it."""

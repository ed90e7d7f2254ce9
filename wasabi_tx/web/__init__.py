"""The whole program in a browser tab: what its page needs, and the command that builds it."""

"""A game as one HTML page: written by `page.py`, checked and drawn by the scripts beside it, without any network."""

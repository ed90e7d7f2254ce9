"""Results between levels, by edition and number of players. `python -m tests.lab.ladder` measures them."""

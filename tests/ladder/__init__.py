"""The ladder of levels: who beats whom, in which edition, at how many seats; `python -m tests.ladder` measures it."""

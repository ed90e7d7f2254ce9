"""Forms as values: their choices and results; one page shows them all."""

"""Forms as values: what can be chosen, and what the choices lead to; one page shows them all."""

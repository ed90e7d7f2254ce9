"""The panels of a table, one widget a file, and the table that holds them."""

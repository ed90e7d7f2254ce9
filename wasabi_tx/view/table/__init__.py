"""The table as plain data: board, recipes, hand, row of the turn, ending."""

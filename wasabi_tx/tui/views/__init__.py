"""Values that the panels of the table show."""

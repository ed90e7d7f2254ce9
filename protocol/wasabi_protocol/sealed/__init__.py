"""Hidden cards without a dealer."""

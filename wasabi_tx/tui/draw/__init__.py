"""Views as lines of styled text: plain functions, so that every width can be tested without a screen."""

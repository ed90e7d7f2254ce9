"""Plain data that a screen can draw, projected from observations and events; and sentences."""

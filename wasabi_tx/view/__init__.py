"""Views: plain data for screens to draw, projected from observations and events, and sentences."""

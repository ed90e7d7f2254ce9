"""The terminal app, driven by keys and clicks."""

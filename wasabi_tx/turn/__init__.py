"""A turn while it is being chosen: prompts, plans, typed steps, hints."""

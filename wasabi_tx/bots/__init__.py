"""Players that are programs: they receive an observation, as a person would, and answer with a bundle."""

"""Players that are programs: they see an observation, as a person would, and answer with a bundle."""

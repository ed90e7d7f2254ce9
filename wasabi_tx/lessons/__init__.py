"""Learn: courses that teach an edition by playing it, and the guide that leads through them."""

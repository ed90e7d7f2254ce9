"""Learn: courses that teach an edition by playing it, and the game in which they are taken."""

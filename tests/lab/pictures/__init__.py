"""Pictures of the real app as SVG, exact to the cell."""

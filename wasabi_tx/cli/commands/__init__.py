"""The commands, one module each, and nothing else."""

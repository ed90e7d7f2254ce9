"""The broker that runs with the program: its process, its configuration and its status."""

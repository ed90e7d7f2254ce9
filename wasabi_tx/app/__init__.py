"""The application below its screens: settings, saved games, tables, the keeper."""

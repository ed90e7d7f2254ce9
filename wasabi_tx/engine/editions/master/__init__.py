"""The second edition: tiles straight from the pantry, teacups, serve or prep, a wasabi pool, a final round."""

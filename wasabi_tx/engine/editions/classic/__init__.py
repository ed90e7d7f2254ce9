"""The first edition: a hand of tiles, challenge tokens, a kitchen of action cards, and the dreaded Wasabi!"""

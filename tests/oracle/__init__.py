"""The oracle: a slow, obvious second implementation of both editions' rules, and its comparison with the engine.

Only the comparison itself may import the engine: two readings of the rulebook agree, or one is wrong.
"""

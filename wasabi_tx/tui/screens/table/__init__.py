"""The table screen and the parts that it is made of."""

"""Mutation testing: small changes of the protocol's judges, one at a time, each of which some test should notice."""

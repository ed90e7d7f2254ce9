"""Fuzzing: bytes that a coverage-guided fuzzer chooses become hostile messages, files and invites.

Each target has a function that takes such bytes and must raise nothing: only what it expects is caught in it.
"""

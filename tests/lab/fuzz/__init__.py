"""Fuzzing: bytes chosen by a coverage-guided fuzzer become hostile messages, files and invites.

Each target has a function that takes such bytes and must raise nothing: it catches only the expected errors.
"""

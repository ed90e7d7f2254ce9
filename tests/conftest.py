"""Fixtures and settings for all tests, however they are started."""

from __future__ import annotations

import signal

from hypothesis import HealthCheck, settings

from tests.compiled import keep_compiled

pytest_plugins = ["tests.needs", "tests.speeds"]

# Use the same examples on every machine, however slow, as Hypothesis does by itself where CI is set; for others there
# is --hypothesis-profile=default.
settings.register_profile(
    "same", derandomize=True, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("same")

# A shell ignores Ctrl+C for background jobs, and so would every program that a test starts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

keep_compiled()

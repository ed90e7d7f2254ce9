"""Hypothesis for all tests: the same examples on every machine, however slow, as it does by itself where CI is set.

`--hypothesis-profile=default` looks for new ones.
"""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile(
    "same", derandomize=True, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("same")

"""How property tests run: on any machine, however busy, and the same examples each time."""

from hypothesis import HealthCheck, settings

# The generators of golden values run by hand, in environments of their own.
collect_ignore_glob = ["golden/*.py"]

settings.register_profile(
    "medassay",
    # A busy machine must not fail a test: nothing here is about time.
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    # The same examples on every run, so that a failure in CI is a failure at the desk.
    derandomize=True,
)
settings.load_profile("medassay")

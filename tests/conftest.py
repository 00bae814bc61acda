"""Settings for all tests."""

from hypothesis import settings

# A busy machine is slow now and then; that is no failure.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")

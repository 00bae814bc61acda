"""Settings for all tests."""

import os
import signal

from hypothesis import settings

# A busy machine is slow now and then: that is no failure. One commit has one outcome: the examples
# that hypothesis generates are the same in every run, unless the profile "search" asks for others.
settings.register_profile("search", deadline=None, print_blob=True)
settings.register_profile("repeatable", settings.get_profile("search"), derandomize=True)
settings.load_profile("repeatable")

# Compiling ranx takes a minute, and interpreting it a moment. Numba reads this when it is imported.
os.environ.setdefault("NUMBA_DISABLE_JIT", "1")

# What starts the tests in the background, or by nohup, may have made them ignore these.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)

"""Words on stderr, beside the results."""

import contextlib
import sys

from rankeval.base.workflow import harmless, in_workflow


def tell(text: str) -> None:
    """Print on stderr, if that is possible: the work and its exit code do not depend on it."""
    with contextlib.suppress(OSError):
        sys.stderr.write(harmless(text) if in_workflow() else text)

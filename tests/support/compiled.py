"""Read with the compiled reader, or without it, whichever the process has chosen."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from rankeval.io import blocks

needs_kernel = pytest.mark.skipif(not blocks.library(), reason="kernel.c is not compiled")


@contextmanager
def without_kernel() -> Iterator[None]:
    """Read by Arrow and the plain parser within."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(blocks, "library", lambda: None)
        yield

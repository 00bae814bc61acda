"""The versions behind the numbers of a page."""

import platform
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version

from rankeval.version import __version__

LIBRARIES = ("numpy", "scipy", "pyarrow", "matplotlib")


def versions() -> Mapping[str, str]:
    """Return the versions of rankeval, of Python and of the libraries behind the numbers."""
    found = {"rankeval": __version__, "Python": platform.python_version()}
    for name in LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:  # a page of tables needs no matplotlib
            continue
    return found

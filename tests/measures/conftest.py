import sys

import pytest

from rankeval.measures import measure_catalogue as registry
from rankeval.measures import plugins


@pytest.fixture
def forgotten():
    """Forget what a test registers or loads; the modules stay, which are imported once."""
    kept, modules = dict(registry.BY_NAME), set(sys.modules)
    plugins.load_installed.cache_clear()
    yield
    registry.BY_NAME.clear()
    registry.BY_NAME.update(kept)
    registry.forget_names()
    for name in set(sys.modules) - modules:
        if name.startswith("rankeval_plugin_") or name.endswith("_of_a_package"):
            del sys.modules[name]
    plugins.load_installed.cache_clear()

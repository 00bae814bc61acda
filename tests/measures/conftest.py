import sys

import pytest

from rankeval.measures import definitions, plugins
from rankeval.measures.declare import measure_registry as registry


@pytest.fixture
def forgotten():
    """Forget what a test registers or loads; the modules stay, which are imported once."""
    definitions()
    kept = dict(registry.BY_NAME), dict(registry.ALIASES), set(sys.modules)
    plugins.load_installed.cache_clear()
    yield
    for table, before in zip((registry.BY_NAME, registry.ALIASES), kept[:2], strict=True):
        table.clear()
        table.update(before)
    registry.PARSED.clear()
    for name in set(sys.modules) - kept[2]:
        if name.startswith("rankeval_plugin_") or name.endswith("_of_a_package"):
            del sys.modules[name]
    plugins.load_installed.cache_clear()

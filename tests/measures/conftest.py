import sys

import pytest

from rankeval.measures.declare import definition, families, plugins
from rankeval.measures.declare import measure_registry as registry


@pytest.fixture
def forgotten():
    """Forget what a test registers or loads; the families stay, which are imported once."""
    families.import_families()
    kept = dict(definition.BY_NAME), dict(registry._aliases), set(sys.modules)
    plugins.load_installed.cache_clear()
    yield
    for table, before in zip((definition.BY_NAME, registry._aliases), kept[:2], strict=True):
        table.clear()
        table.update(before)
    for name in set(sys.modules) - kept[2]:
        if name.startswith("rankeval_plugin_") or name.endswith("_of_a_package"):
            del sys.modules[name]
    plugins.load_installed.cache_clear()

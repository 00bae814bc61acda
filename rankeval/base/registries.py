"""Registries of what plugins add beside measures; a plugin that fails adds nothing."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

Item = TypeVar("Item")

_REGISTRIES: list[dict[str, object]] = []


class Registry(dict[str, Item]):
    """A mapping of names to what plugins have added under them."""

    def __init__(self) -> None:
        super().__init__()
        _REGISTRIES.append(self)  # type: ignore[arg-type]  # is only restored, item by item


def registered() -> dict[str, object]:
    """Return all that is registered; what has the same name in two registries stands there once."""
    return {name: item for registry in _REGISTRIES for name, item in registry.items()}


@contextmanager
def restored_on_failure() -> Iterator[None]:
    """Bring every registry back to what it held before if the block fails."""
    before = [dict(registry) for registry in _REGISTRIES]
    try:
        yield
    except BaseException:
        for registry in _REGISTRIES[len(before) :]:  # made by an import in the block
            registry.clear()
        for registry, items in zip(_REGISTRIES, before, strict=False):
            registry.clear()
            registry.update(items)
        raise

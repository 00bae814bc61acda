"""The interfaces of other libraries on rankeval: change the import, and keep the code."""

from importlib import import_module as _import_module


def __getattr__(name: str) -> object:
    """Import a module, such as `rankeval.compat.pytrec_eval`, when it is first used."""
    if name in ("ir_measures", "pytrec_eval", "sentence_transformers"):
        return _import_module(f"{__name__}.{name}")
    raise AttributeError(f"module '{__name__}' has no attribute {name!r}")

"""Evaluate rankings against relevance judgments.

>>> import rankeval
>>> results = rankeval.evaluate("qrels.txt", ["bm25.run", "dense.run"], "AP nDCG@10")
>>> results.runs[0].scores[0].aggregate

The public names are listed in `__init__.pyi`, and nowhere else. Each is imported from its module
when it is first used, so that `import rankeval` is quick.
"""

import sys as _sys

_FOLDERS = ("compat", "stats")
"""Public modules that have names of their own."""


def __getattr__(name: str) -> object:
    """Import a public name from its module, or list all of them as `__all__`."""
    modules = _modules_by_name()
    if name == "__all__":
        return sorted(modules)
    if name in _FOLDERS:
        from importlib import import_module

        return import_module(f"{__name__}.{name}")
    if name not in modules:
        message = f"module 'rankeval' has no attribute '{name}'"
        raise AttributeError(message, name=name, obj=_sys.modules[__name__])  # suggests near names
    from importlib import import_module

    value: object = getattr(import_module(modules[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_FOLDERS, *_modules_by_name()})


def _modules_by_name() -> dict[str, str]:
    """Read the stub beside this file: `from MODULE import NAME as NAME`, or `NAME: Measure`."""
    with open(f"{__path__[0]}/__init__.pyi", encoding="utf-8") as stub:  # noqa: PTH123  as pathlib is slow
        lines = [line.split() for line in stub]
    names = {words[3]: words[1] for words in lines if words[:1] == ["from"] and words[1] != "."}
    measures = (words[0][:-1] for words in lines if words[1:] == ["Measure"])
    return names | dict.fromkeys(measures, "rankeval.measures.declare.objects")

"""Evaluate rankings against relevance judgments.

>>> import rankeval
>>> results = rankeval.evaluate("qrels.txt", ["bm25.run", "dense.run"], "AP nDCG@10")
>>> results["bm25"]["AP"].mean

The public names are listed in `__init__.pyi`, and nowhere else. Each is imported from its module
when it is first used, so that `import rankeval` is quick.
"""


def __getattr__(name: str) -> object:
    """Import a public name from its module, or list all of them as `__all__`."""
    return _door()[0](name)


def __dir__() -> list[str]:
    return _door()[1]()


def _door() -> tuple:
    from rankeval.doors import door

    rooms = ("advanced", "compat", "measures", "options", "spark", "stats", "types")
    declared_in = "rankeval.measures.names"
    return door(__name__, __path__[0], rooms=rooms, declared_in=declared_in)

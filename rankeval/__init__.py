"""Evaluate rankings against relevance judgments.

>>> import rankeval
>>> results = rankeval.evaluate("qrels.txt", ["bm25.run", "dense.run"], "AP nDCG@10")
>>> results.runs[0].scores[0].aggregate

The public names are listed in `__init__.pyi`, and nowhere else. Each is imported from its module
when it is first used, so that `import rankeval` is quick.
"""

from rankeval.base.doors import door as _door

__getattr__, __dir__ = _door(
    __name__,
    __path__[0],
    rooms=("compat", "stats"),
    declared_in="rankeval.measures.declare.objects",
)

"""Plots of results: forms that draw, and kinds that say what is drawn.

`rankeval.plot` draws a kind; `measures` names the measures that a kind needs of results.

>>> from rankeval import evaluate, plot, plots
>>> results = evaluate("qrels.txt", "bm25.run", plots.measures("pr"))  # doctest: +SKIP
>>> plot("pr", results).save("pr.pdf")  # doctest: +SKIP
"""

from rankeval.doors import door as _door

__getattr__, __dir__ = _door(__name__, __path__[0])

"""Plots of results: the numbers drawn, and their drawing with matplotlib.

`draw` draws a kind on axes. `measures` names the measures to evaluate for a kind, `plot_data`
returns its panels, and `rows_of` their numbers; `figure` draws all panels on one figure, and `save`
gives its bytes.

>>> from rankeval import evaluate, plots
>>> results = evaluate("qrels.txt", "bm25.run", plots.measures("box"))  # doctest: +SKIP
>>> ax = plots.draw("box", results)  # doctest: +SKIP
"""

from rankeval.base.doors import door as _door

__getattr__, __dir__ = _door(__name__, __path__[0])

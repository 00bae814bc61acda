"""Evaluate runs that are Spark DataFrames, with the numbers of one machine.

>>> from rankeval import spark  # doctest: +SKIP
>>> spark.evaluate(qrels, run, "nDCG@10 GAUC").to_dict()  # doctest: +SKIP

It needs the extra `spark` (pyspark 4) and a Java runtime; nothing of them is imported before.
"""

from rankeval.spark.engine import evaluate

__all__ = ["evaluate"]

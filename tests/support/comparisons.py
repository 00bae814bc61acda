"""Comparisons of the examples' runs: the command line, the values, and the rows that it prints."""

import csv

import rankeval
from tests.support.files import EXAMPLE_QRELS, EXAMPLE_RUNS

RUNS = {path.stem: path for path in EXAMPLE_RUNS}
FILES = ("compare", EXAMPLE_QRELS, RUNS["bm25"], RUNS["lsa"], RUNS["tfidf"])


def values_of_each_run():
    """Values by run and measure, from the evaluation alone."""
    results = rankeval.evaluate(str(EXAMPLE_QRELS), list(map(str, FILES[2:])), "nDCG@10 AP")
    return {(run.name, s.measure): s.values for run in results.runs for s in run.scores}


def rows(outcome):
    return list(csv.DictReader(outcome.out.splitlines(), delimiter="\t"))

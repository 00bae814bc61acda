"""pytrec_eval from files: python pytrec_eval_files.py QRELS RUN MEASURE..."""

import sys
from pathlib import Path

import pytrec_eval

qrels_path, run_path, *measures = sys.argv[1:]
with Path(qrels_path).open() as file:
    qrels = pytrec_eval.parse_qrel(file)
with Path(run_path).open() as file:
    run = pytrec_eval.parse_run(file)
values = pytrec_eval.RelevanceEvaluator(qrels, set(measures)).evaluate(run)
for measure in measures:
    print(measure, sum(topic[measure] for topic in values.values()) / len(values))

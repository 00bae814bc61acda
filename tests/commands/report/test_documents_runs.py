"""Runs of a report: one reading for all, and the results that evaluating each list alone gives."""

import os
from collections import Counter

import numpy as np
import pytest

import rankeval
from rankeval.commands.report import documents as runs
from rankeval.commands.report.collect import report
from rankeval.evaluation.prepared import Prepared
from rankeval.evaluation.reading import AS_FOUND
from rankeval.evaluation.run_names import BY_TAG
from rankeval.ranking.qrels import read_qrels
from rankeval.ranking.run_source import RunSource
from tests.plots.conftest import QRELS, RUNS

LISTS = (["nDCG@10", "AP"], ["IPrec@0.1", "Unjudged@3", "AP"])


@pytest.mark.parametrize(
    "settings", [rankeval.options.Settings(), rankeval.options.Settings(depth=5)]
)
def test_results_are_those_of_evaluating_each_list_alone(settings):
    qrels = read_qrels(str(QRELS))
    how = {"reading": AS_FOUND, "run_names": BY_TAG, "jobs": 2}
    read = runs.read_runs(qrels, [*map(RunSource.of, RUNS[:3])], *LISTS, settings, **how)

    for names, found in zip(LISTS, (read.results, read.curves), strict=True):
        alone = rankeval.evaluate(qrels, RUNS[:3], names, settings)
        assert found.qrels == alone.qrels
        assert found.settings == alone.settings
        for run, other in zip(found.runs, alone.runs, strict=True):
            assert run.name == other.name
            scores = {score.measure: score for score in run.scores}
            assert scores.keys() == {score.measure for score in other.scores}
            for same in other.scores:
                assert scores[same.measure].signature == same.signature
                assert np.array_equal(scores[same.measure].values, same.values, equal_nan=True)
    alone = rankeval.evaluate(qrels, RUNS[:3], LISTS[0], settings)
    warnings = [run.warnings for run in alone.runs]
    assert [run.warnings for run in read.results.runs] == warnings


def test_each_run_is_aligned_once(monkeypatch):
    aligned = Counter()
    align = Prepared.align

    def counting(prepared, run, *rest):
        aligned[run.path] += 1
        return align(prepared, run, *rest)

    monkeypatch.setattr(Prepared, "align", counting)
    report(QRELS, RUNS[:2], "AP", jobs=1)

    assert aligned == {os.fspath(run): 1 for run in RUNS[:2]}


@pytest.mark.usefixtures("undrawn")
def test_a_run_without_a_judged_document_is_told_with_the_likely_reason():
    qrels, run = {"1": {"d1": 1}}, {"1": {"D1": 1.0}}

    warnings = report(qrels, [run], "AP").warnings

    assert warnings == rankeval.evaluate(qrels, [run], "AP").runs[0].warnings
    assert any("no document of the run is judged" in line for line in warnings)

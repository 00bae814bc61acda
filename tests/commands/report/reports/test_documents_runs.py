"""Runs of a report: one reading for all, and the results that evaluating each list alone gives."""

import os
from collections import Counter

import numpy as np
import pytest

import rankeval
from rankeval.commands.report.reports import documents as runs
from rankeval.commands.report.reports.collect import collect_report
from rankeval.evaluation.prepared import Prepared
from rankeval.evaluation.reading import AS_FOUND
from rankeval.evaluation.run_names import BY_TAG
from rankeval.ranking.qrels import read_qrels
from rankeval.ranking.run_source import RunSource
from tests.plots.conftest import QRELS, RUNS

LISTS = (["nDCG@10", "AP"], ["IPrec@0.1", "Unjudged@3", "AP"])


def read(qrels, given, settings=rankeval.options.Settings()):  # noqa: B008  a frozen value
    return runs.read_runs(
        *(qrels, given, LISTS, settings), reading=AS_FOUND, run_names=BY_TAG, jobs=2
    )


@pytest.mark.parametrize(
    "settings", [rankeval.options.Settings(), rankeval.options.Settings(depth=5)]
)
def test_results_are_those_of_evaluating_each_list_alone(settings):
    qrels = read_qrels(str(QRELS))

    for names, found in zip(
        LISTS, read(qrels, [*map(RunSource.of, RUNS[:3])], settings).results, strict=True
    ):
        alone = rankeval.evaluate(qrels, RUNS[:3], names, settings)
        assert found.qrels == alone.qrels
        assert found.settings == alone.settings
        for run, other in zip(found.runs, alone.runs, strict=True):
            assert (run.name, run.warnings) == (other.name, other.warnings)
            for score, same in zip(run.scores, other.scores, strict=True):
                assert (score.measure, score.signature) == (same.measure, same.signature)
                assert np.array_equal(score.values, same.values, equal_nan=True)


def test_each_run_is_aligned_once(monkeypatch):
    aligned = Counter()
    align = Prepared.align

    def counting(prepared, run, *rest):
        aligned[run.path] += 1
        return align(prepared, run, *rest)

    monkeypatch.setattr(Prepared, "align", counting)
    monkeypatch.setattr(
        runs, "results_of_each", lambda work, given, *_: [work(run, 1, None) for run in given]
    )

    collect_report(QRELS, RUNS[:2], "AP")

    assert aligned == {os.fspath(run): 1 for run in RUNS[:2]}


@pytest.mark.usefixtures("undrawn")
def test_a_run_without_a_judged_document_is_told_with_the_likely_reason():
    qrels, run = {"1": {"d1": 1}}, {"1": {"D1": 1.0}}

    warnings = collect_report(qrels, [run], "AP").warnings

    assert warnings == rankeval.evaluate(qrels, [run], "AP").runs[0].warnings
    assert any("no document of the run is judged" in line for line in warnings)

"""One preparation under all tasks: they refuse the same input, and need the same data."""

import pytest

import rankeval
from rankeval.errors import InputError, MeasureError
from rankeval.evaluation.evaluate import score_run
from rankeval.evaluation.prepared import Prepared
from rankeval.ranking.run_source import RunSource

QRELS = {"1": {"a": 1, "b": 0}, "2": {"c": 2}}
GOOD = {"1": {"a": 2.0, "b": 1.0}, "2": {"c": 1.0}}

TASKS = {
    "evaluate": lambda run, measure: rankeval.evaluate(QRELS, run, measure),
    "means": lambda run, measure: rankeval.Evaluator(QRELS, measure).means(run),
    "results": lambda run, measure: rankeval.Evaluator(QRELS, measure).evaluate(run),
    "explain": lambda run, measure: rankeval.explain(QRELS, run, "1", measure),
    "diff": lambda run, measure: rankeval.diff(QRELS, GOOD, run, measure),
    "systems": lambda run, measure: rankeval.systems(QRELS, [GOOD, run], measure),
}


@pytest.mark.parametrize("task", TASKS)
def test_every_task_names_the_run_that_lists_a_document_twice(task, tmp_path):
    path = tmp_path / "twice.run"
    path.write_text("1 Q0 a 1 3.0 x\n1 Q0 b 2 2.0 x\n1 Q0 a 3 1.0 x\n")

    with pytest.raises(InputError) as error:
        TASKS[task](str(path), "AP")

    assert str(path) in str(error.value)


@pytest.mark.parametrize("task", TASKS)
def test_every_task_says_which_data_a_measure_lacks(task):
    with pytest.raises(MeasureError, match="ILD@5 needs features of items"):
        TASKS[task](GOOD, "ILD@5")


def test_a_measure_with_two_names_is_computed_once():
    prepared = Prepared(QRELS, "map AP P@1")

    result = score_run(prepared, *prepared.align(RunSource.of(GOOD)))

    assert [str(measure) for measure in prepared.measures] == ["AP", "P@1"]
    assert [score.as_given for score in result.scores] == ["map", "AP", "P@1"]

"""Values over groups of topics, from the file to every format."""

from pathlib import Path

import pandas as pd
import pytest

import rankeval
from tests.support.samples import collection

EXAMPLES = Path(__file__).parents[3] / "examples"
BM25, LSA = (str(EXAMPLES / "runs" / f"{name}.run") for name in ("bm25", "lsa"))


def test_values_by_group_are_those_of_pandas_groupby():
    qrels, run = collection(11)
    groups = {topic: "odd" if i % 2 else "even" for i, topic in enumerate(qrels)}
    measures = "AP nDCG@10 RR"

    for rule, method in [("mean", "mean"), ("sum", "sum"), ("median", "median")]:
        settings = rankeval.options.Settings(aggregate=rule)
        result = rankeval.evaluate(qrels, run, measures, settings, groups=groups).runs[0]
        columns = {score.measure: score.values for score in result.scores}  # noqa: PD011
        frame = pd.DataFrame(columns, index=result.topics)
        expected = getattr(frame.groupby(groups), method)()
        for group in result.groups:
            assert group.topics == sum(label == group.name for label in groups.values())
            assert group.aggregates == pytest.approx(expected.loc[group.name].tolist())


def test_a_group_is_evaluated_as_if_it_stood_alone():
    qrels, run = collection(12)
    hard = [topic for i, topic in enumerate(qrels) if i % 3 == 0]
    measures = "NumQ NumRel AP GMAP AUC GAUC(weight='positives') nDCG@10"
    weights = {topic: 1 + i % 4 for i, topic in enumerate(qrels)}

    whole = rankeval.evaluate(
        qrels, run, measures, groups=dict.fromkeys(hard, "hard"), weights=weights
    )
    alone = rankeval.evaluate({t: qrels[t] for t in hard}, run, measures, weights=weights)

    (group,) = whole.runs[0].groups
    expected = [score.aggregate for score in alone.runs[0].scores]
    assert group.aggregates == pytest.approx(expected, rel=1e-12)


def test_topics_without_a_group_and_groups_without_a_topic_are_left_out():
    result = rankeval.evaluate(
        {t: {"d": 1} for t in "abcde"},
        {t: {"d": 1} for t in "abcde"},
        "P@1",
        groups={"a": "head", "x": "tail"},
    ).runs[0]

    assert [group.name for group in result.groups] == ["head"]
    assert result.labels == ("head", "", "", "", "")

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import rankeval

ranks = arrays(
    np.int64, st.tuples(st.integers(1, 6), st.integers(1, 5)), elements=st.integers(1, 4)
)


def collection(found):
    """Judgments with one relevant document a topic, and runs that have it at these ranks."""
    qrels = {f"t{t}": {"r": 1} for t in range(len(found))}
    runs = [
        {f"t{t}": ranking(rank) for t, rank in enumerate(column)} for column in found.T.tolist()
    ]
    return qrels, runs


def ranking(rank):
    return {**{f"x{i}": 9.0 - i for i in range(rank - 1)}, "r": 1.0}


def described(found, **options):
    qrels, runs = collection(found)
    names = rankeval.options.RunNames("tag", [f"run{i}" for i in range(len(runs))])
    return rankeval.topics(qrels, runs, "RR", run_names=names, **options).measures[0]


@given(ranks)
@settings(deadline=None)
def test_topics_have_the_mean_and_variance_of_the_runs(found):
    values = 1.0 / found
    topics = described(found).topics

    assert [topic.mean for topic in topics] == pytest.approx(sorted(values.mean(axis=1)))
    for topic in topics:
        mine = values[int(topic.topic[1:])]
        assert topic.mean == pytest.approx(mine.mean())
        if len(mine) > 1:
            assert topic.variance == pytest.approx(mine.var(ddof=1))
        else:
            assert topic.variance is None
        if topic.best is None:
            assert len(set(mine.tolist())) == 1
        else:
            assert mine[int(topic.best[3:])] == mine.max()
            assert mine[int(topic.worst[3:])] == mine.min()


@given(ranks.filter(lambda found: found.shape[1] > 1 and len(found) > 1))
@settings(deadline=None)
def test_influence_is_the_change_when_a_topic_is_left_out(found):
    measured = described(found, baseline="run0", other="run1")
    apart = 1.0 / found[:, 1] - 1.0 / found[:, 0]

    assert measured.difference == pytest.approx(apart.mean())
    for topic in measured.topics:
        without = np.delete(apart, int(topic.topic[1:])).mean()
        if abs(apart.mean()) < 1e-12:
            assert topic.influence is None
        else:
            assert topic.influence == pytest.approx((without - apart.mean()) / apart.mean())
            turned = np.sign(round(without, 12)) != np.sign(apart.mean())
            assert (topic.topic in measured.turned) == turned


def test_the_best_run_is_compared_with_the_second_by_default():
    measured = described(np.array([[2, 1, 3], [2, 1, 3]]))

    assert measured.compared == ("run0", "run1")
    assert described(np.array([[2, 1, 3]]), baseline="run2").compared == ("run2", "run1")
    assert described(np.array([[2, 1, 3]]), other="run1").compared == ("run0", "run1")
    assert described(np.array([[2]])).compared is None


def test_an_undefined_topic_comes_last_without_a_mean():
    found = rankeval.topics(
        {"1": {"a": 1}, "2": {"a": 1, "b": 0}},
        [{"1": {"a": 2.0}, "2": {"a": 2.0, "b": 1.0}}],
        "AUC",
    )

    assert [(one.topic, one.mean) for one in found.measures[0].topics][-1] == ("1", None)


def test_a_topic_on_which_all_runs_are_equal_has_no_best_and_no_worst_run():
    equal, apart = described(np.array([[2, 2, 2], [1, 3, 3]])).topics
    (alone,) = described(np.array([[2]])).topics

    assert (equal.topic, equal.best, equal.worst) == ("t0", None, None)
    assert (apart.topic, apart.best, apart.worst) == ("t1", "run0", "run1")
    assert (alone.best, alone.worst) == ("run0", "run0")


def test_runs_to_compare_must_exist_and_differ():
    with pytest.raises(rankeval.UsageError, match="no run is named 'x'"):
        described(np.array([[1, 2]]), baseline="x")
    with pytest.raises(rankeval.UsageError, match="with itself"):
        described(np.array([[1, 2]]), baseline="run0", other="run0")


def test_the_example_of_the_page():
    """docs/topics.md: the relevant document is at ranks 2, 1, 2, and 1, 1, 4."""

    def run(*ranks):
        return {
            f"q{number}": {f"x{i}" if i != rank else "d": -i for i in range(1, 5)}
            for number, rank in enumerate(ranks, 1)
        }

    qrels = {f"q{number}": {"d": 1} for number in (1, 2, 3)}
    named = {"base": run(2, 1, 2), "other": run(1, 1, 4)}

    (found,) = rankeval.topics(qrels, named, "RR").measures

    assert (found.compared, found.turned) == (("base", "other"), ("q1",))
    assert [topic.topic for topic in found.topics] == ["q3", "q1", "q2"]
    assert [topic.mean for topic in found.topics] == [0.375, 0.75, 1.0]
    assert [topic.variance for topic in found.topics] == [0.03125, 0.125, 0.0]
    assert [topic.influence for topic in found.topics] == pytest.approx([2.0, -2.5, 0.5])

"""Arguments of tasks: what they refuse, each by one error of ours, and what they take by name."""

import pytest

import rankeval

QRELS = {1: {"a": 1, "b": 0}, 2: {"c": 1}}
RUN = {1: {"a": 1.0, "b": 2.0}, 2: {"c": 1.0}}


@pytest.mark.parametrize("candidates", [[], ()])
def test_a_gate_without_a_candidate_is_refused(candidates):
    with pytest.raises(rankeval.UsageError, match="no candidate to judge"):
        rankeval.gate(QRELS, RUN, candidates, "max-drop AP=1%")


@pytest.mark.parametrize("topic", [9, "9"])
def test_a_topic_that_is_missing_is_named_whatever_its_type(topic):
    with pytest.raises(rankeval.UsageError, match=r"no judgments for the topic '9'\n.*1, 2"):
        rankeval.explain(QRELS, RUN, topic, "AP")


@pytest.mark.parametrize("jobs", ["2", 2.0, True, [1]])
@pytest.mark.parametrize(
    "work",
    [
        lambda jobs: rankeval.evaluate(QRELS, RUN, "AP", jobs=jobs),
        lambda jobs: rankeval.compare(QRELS, RUN, [RUN], "AP", jobs=jobs),
        lambda jobs: rankeval.gate(QRELS, RUN, RUN, "max-drop AP=1%", jobs=jobs),
        lambda jobs: rankeval.explain(QRELS, RUN, 1, "AP", jobs=jobs),
        lambda jobs: rankeval.fuse([RUN, RUN], jobs=jobs),
        lambda jobs: rankeval.pool([RUN], depth=1, jobs=jobs),
    ],
)
def test_jobs_that_are_no_whole_number_are_refused(work, jobs):
    with pytest.raises(rankeval.UsageError, match=r"jobs is .*\n.*int"):
        work(jobs)


def test_candidates_of_a_gate_may_be_named():
    runs = {"one": RUN, "two": {1: {"a": 3.0}, 2: {"c": 1.0}}}

    report = rankeval.gate(QRELS, RUN, runs, "max-drop AP=1%")

    assert [run.name for run in report.judged[0].candidates] == ["one", "two"]

"""`rankeval.estimate`: topics that people judged, those of a machine, and what is refused."""

import numpy as np
import pytest

import rankeval

DOCS = [f"d{place}" for place in range(12)]


@pytest.fixture
def collection():
    """Judgments of a machine for 30 topics, of people for 10 of them, and two runs."""
    rng = np.random.default_rng(5)
    model, people = {}, {}
    runs = {"one": {}, "two": {}}
    for topic in map(str, range(30)):
        true = rng.random(12) < 0.4
        seen = true ^ (rng.random(12) < 0.1)
        model[topic] = {doc: int(grade) for doc, grade in zip(DOCS, seen, strict=True)}
        if int(topic) % 3 == 0:
            people[topic] = {doc: int(grade) for doc, grade in zip(DOCS, true, strict=True)}
        for run in runs.values():
            run[topic] = dict(zip(DOCS, rng.random(12).tolist(), strict=True))
    return people, model, runs


def precision(qrels, run, topic):
    best = sorted(run[topic], key=lambda doc: (-run[topic][doc], doc))[:5]
    return sum(qrels[topic][doc] for doc in best) / 5


def by_hand(first, second, others):
    """PPI++ from its definition (Angelopoulos, Duchi and Zrnic, 2023, equation 3)."""
    n, m = len(first), len(others)
    cov = np.mean((first - first.mean()) * (second - second.mean()))
    weight = cov / ((1 + n / m) * np.var([*second, *others], ddof=1))
    weight = min(max(weight, 0.0), 1.0)
    return weight, weight * np.mean(others) + np.mean(first - weight * second)


def test_means_and_differences_are_those_of_the_topics(collection):
    people, model, runs = collection
    values = {
        name: (
            np.array([precision(people, run, topic) for topic in people]),
            np.array([precision(model, run, topic) for topic in people]),
            np.array([precision(model, run, topic) for topic in model if topic not in people]),
        )
        for name, run in runs.items()
    }

    report = rankeval.estimate(people, runs, "P@5", machine=model)

    assert (report.n_human, report.n_machine) == (10, 20)
    for estimate in report.runs:
        weight, value = by_hand(*values[estimate.run])
        assert estimate.found.weight == pytest.approx(weight)
        assert estimate.found.value == pytest.approx(value)
        assert estimate.found.human == pytest.approx(values[estimate.run][0].mean())
    (pair,) = report.differences
    assert (pair.run, pair.other) == ("two", "one")
    apart = [second - first for first, second in zip(values["one"], values["two"], strict=True)]
    assert pair.found.value == pytest.approx(by_hand(*apart)[1])


def test_a_machine_that_says_nothing_leaves_the_mean_of_people(collection):
    people, _, runs = collection
    constant = {str(topic): dict.fromkeys(DOCS, 0) for topic in range(30)}

    report = rankeval.estimate(people, runs, "P@5", machine=constant)

    values = [precision(people, runs["one"], topic) for topic in people]
    assert report.runs[0].found.value == pytest.approx(np.mean(values))


def test_a_measure_that_is_nearly_always_one_is_doubted():
    """Of 12 topics one fails: at a rate of 1/12, (11/12)^12 = 35% of samples have no failure."""
    topics = [str(number) for number in range(30)]
    model = {topic: {"a": 1} for topic in topics}
    people = {topic: {"a": 0, "b": 1} if topic == "3" else {"a": 1} for topic in topics[:12]}

    report = rankeval.estimate(
        people, {"run": {topic: {"a": 1.0} for topic in topics}}, "Success@1", machine=model
    )

    assert report.runs[0].found.uncommon == 1
    (told,) = report.warnings
    assert told.startswith("fewer than 5 topics have another value")
    assert told.endswith("than it says: Success@1 of run")


def test_topics_that_the_machine_lacks_are_refused(collection):
    people, model, runs = collection
    del model["0"]

    with pytest.raises(rankeval.InputError, match=r"1 topic of 10 not judged by the machine: 0"):
        rankeval.estimate(people, runs, "P@5", machine=model)


def test_a_measure_that_is_no_mean_is_refused(collection):
    people, model, runs = collection

    with pytest.raises(rankeval.UsageError, match="is not a mean"):
        rankeval.estimate(people, runs, "NumRet", machine=model)


def test_a_machine_without_more_topics_is_said_not_to_count(collection):
    people, model, runs = collection
    same = {topic: model[topic] for topic in people}

    report = rankeval.estimate(people, runs["one"], "P@5", machine=same)

    assert report.runs[0].found.weight == 0.0
    assert "do not count" in report.warnings[0]

"""Results of parts of the topics merge into those of one evaluation, to the last bit."""

import dataclasses
import random

import numpy as np
import pytest

import rankeval
from rankeval.commands.eval.show import document
from rankeval.output.style import Content

MEASURES = "map nDCG@10 GMAP NumRet RR P@5 Bpref GAUC"
BOTH = rankeval.options.Settings(topics="both")


def collection(seed, n_topics=23):
    """Judgments and two runs whose values have many digits."""
    rng = random.Random(seed)
    docs = [f"d{i}" for i in range(40)]
    qrels = {f"{t}": {d: rng.randrange(3) for d in rng.sample(docs, 12)} for t in range(n_topics)}
    runs = {
        name: {t: {d: rng.random() for d in rng.sample(docs, 25)} for t in qrels}
        for name in ("bm25", "dense")
    }
    return qrels, runs


def split(topics, seed, n_parts=3):
    """The topics in parts, in no order."""
    topics = random.Random(seed).sample(list(topics), len(topics))
    return [topics[i::n_parts] for i in range(n_parts)]


def only(run, topics):
    return {topic: run[topic] for topic in topics}


def facts(results):
    """All that JSON says of results, values by topic included, without the warnings."""
    found = document(results, Content(per_topic=True))
    for run in found["runs"]:
        del run["warnings"]
    return found


@pytest.mark.parametrize("seed", range(3))
def test_parts_with_the_same_judgments_give_what_one_evaluation_gives(seed):
    qrels, runs = collection(seed)
    parts = [
        rankeval.evaluate(qrels, {n: only(r, part) for n, r in runs.items()}, MEASURES, BOTH)
        for part in split(qrels, seed)
    ]

    merged = rankeval.merge(parts)

    assert facts(merged) == facts(rankeval.evaluate(qrels, runs, MEASURES, BOTH))


@pytest.mark.parametrize("rule", ["mean", "geometric", "sum", "median"])
def test_every_rule_over_topics_is_exact(rule):
    qrels, runs = collection(7)
    settings = rankeval.options.Settings(topics="both", aggregate=rule)
    every = [rankeval.evaluate(qrels, runs["bm25"], "AP nDCG", settings)]
    parts = [
        rankeval.evaluate(qrels, only(runs["bm25"], part), "AP nDCG", settings)
        for part in split(qrels, 7)
    ]

    merged = rankeval.merge(parts)

    assert merged.to_dict() == every[0].to_dict()
    assert merged.runs[0].topics == every[0].runs[0].topics


def test_parts_with_judgments_of_their_own_get_the_digest_of_all(tmp_path):
    qrels, runs = collection(3)
    for number, part in enumerate(split(qrels, 3)):
        lines = [f"{t} 0 {d} {g}\n" for t in part for d, g in qrels[t].items()]
        (tmp_path / f"{number}.qrels").write_text("".join(lines))
    parts = [
        rankeval.evaluate(tmp_path / f"{i}.qrels", {"bm25": only(runs["bm25"], part)}, MEASURES)
        for i, part in enumerate(split(qrels, 3))
    ]

    merged, told = rankeval.merge(parts), rankeval.merge(parts, qrels)

    whole = facts(rankeval.evaluate(qrels, {"bm25": runs["bm25"]}, MEASURES))
    for one in (facts(merged), facts(told)):
        one["qrels"]["path"] = whole["qrels"]["path"]
        assert one == whole


def test_values_of_groups_and_bounds_are_merged():
    qrels, runs = collection(5)
    groups = {topic: "even" if int(topic) % 2 == 0 else "odd" for topic in qrels}
    options = {"groups": groups, "bounds": True}
    run = runs["bm25"]
    whole = rankeval.evaluate(qrels, run, "AP P@5", BOTH, **options).runs[0]
    parts = [
        rankeval.evaluate(qrels, only(run, part), "AP P@5", BOTH, **options)
        for part in split(qrels, 5)
    ]

    merged = rankeval.merge(parts).runs[0]

    assert {g.name: g for g in merged.groups} == {g.name: g for g in whole.groups}
    for one, other in zip(merged.scores, whole.scores, strict=True):
        np.testing.assert_array_equal(one.bounds.low, other.bounds.low)
        assert (one.bounds.least, one.bounds.greatest) == (
            other.bounds.least,
            other.bounds.greatest,
        )


def test_one_part_is_the_whole_and_no_part_is_refused():
    qrels, runs = collection(1)
    whole = rankeval.evaluate(qrels, runs, "AP")

    assert rankeval.merge([whole]) is whole
    with pytest.raises(rankeval.UsageError, match="no results to merge"):
        rankeval.merge([])


@pytest.fixture
def parts():
    qrels, runs = collection(2, 6)
    return [
        rankeval.evaluate(qrels, {"bm25": only(runs["bm25"], topics)}, "AP", BOTH)
        for topics in (["0", "1", "2"], ["3", "4", "5"])
    ]


def other_part(parts, measures="AP", settings=BOTH, name="bm25", **options):
    qrels, runs = collection(2, 6)
    run = {name: only(runs["bm25"], ["3", "4", "5"])}
    return [parts[0], rankeval.evaluate(qrels, run, measures, settings, **options)]


def test_a_topic_in_two_parts_is_refused(parts):
    with pytest.raises(rankeval.UsageError, match="3 topics of bm25 in more than one part: 0, 1"):
        rankeval.merge([parts[0], parts[0]])


def test_other_settings_are_refused(parts):
    settings = rankeval.options.Settings(topics="both", depth=7)
    with pytest.raises(rankeval.UsageError, match="depth is None in part 1 and 7 in part 2"):
        rankeval.merge(other_part(parts, settings=settings))


def test_other_measures_and_definitions_are_refused(parts):
    with pytest.raises(rankeval.UsageError, match="part 1 has AP, and part 2 has RR"):
        rankeval.merge(other_part(parts, "RR"))
    renamed = dataclasses.replace(
        other_part(parts, "AP(rel=2)")[1],
        runs=tuple(
            dataclasses.replace(
                run, scores=tuple(dataclasses.replace(s, as_given="AP") for s in run.scores)
            )
            for run in other_part(parts, "AP(rel=2)")[1].runs
        ),
    )
    with pytest.raises(rankeval.UsageError, match="AP is not defined in the same way"):
        rankeval.merge([parts[0], renamed])


def test_other_runs_are_refused(parts):
    with pytest.raises(rankeval.UsageError, match="part 1 has the runs bm25, and part 2 has dense"):
        rankeval.merge(other_part(parts, name="dense"))


def test_a_value_that_topics_do_not_determine_is_refused():
    qrels, runs = collection(2, 6)
    weights = {topic: 1 + int(topic) for topic in qrels}
    parts = [
        rankeval.evaluate(qrels, only(runs["bm25"], topics), "AP", BOTH, weights=weights)
        for topics in (["0", "1", "2"], ["3", "4", "5"])
    ]
    with pytest.raises(rankeval.UsageError, match="weighted mean of AP does not follow"):
        rankeval.merge(parts)


def test_judgments_that_are_not_those_of_the_parts_are_refused():
    qrels, runs = collection(2, 6)
    parts = [
        rankeval.evaluate(only(qrels, topics), only(runs["bm25"], topics), "AP")
        for topics in (["0", "1", "2"], ["3", "4", "5"])
    ]
    with pytest.raises(rankeval.UsageError, match="needs their text"):
        rankeval.merge(parts)
    with pytest.raises(rankeval.UsageError, match="lacks 1 topic of the parts: 5"):
        rankeval.merge(parts, only(qrels, "01234"))
    with pytest.raises(rankeval.UsageError, match="judgments, and the parts"):
        rankeval.merge(parts, qrels | {"9": {"d1": 1}})


def test_what_is_no_results_is_refused(parts):
    for odd in ([1, 2], parts[0], [parts[0], parts[1].runs[0]]):
        with pytest.raises(rankeval.UsageError, match="is no Results"):
            rankeval.merge(odd)

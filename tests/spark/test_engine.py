"""Runs on Spark: the results of one machine to the last bit, whatever the partitions."""

import os
import random
import signal

import pyarrow as pa
import pytest

import rankeval
from rankeval import InputError, UsageError, spark
from rankeval.measures import definition_of, definitions
from rankeval.measures.facts import NUGGETS, SUPPORT
from rankeval.options import Settings
from rankeval.spark.session import told_as_input_errors
from tests.support.spark import everything, frame, on_one_machine

pytestmark = pytest.mark.slow

LABELS = ("subtopic", "stratum")


def measures_of_all(*, needs):
    """Every measure that needs nothing but grades and ranks, or else those that need more."""
    found = []
    for name in definitions():
        definition = definition_of(name)
        if {NUGGETS, SUPPORT}.intersection(definition.needs):  # rankings have none
            continue
        needed = {p.name: p.example for p in definition.parameters.values() if p.required}
        whole = definition.begun(needed)
        if definition.is_own and bool(whole.considers and definition.needs) == needs:
            found.append(str(whole))
    return found


def rows_of(seed, topics=40, pool=150, judged=15, retrieved=40, scores=29):
    """Judgments and a run in random order: topics that lack the other side, ties, and grades."""
    rng = random.Random(seed)
    docs = [f"d{number}" for number in range(pool)]
    qrels = [
        (f"t{t}", d, rng.randrange(4)) for t in range(topics) for d in rng.sample(docs, judged)
    ]
    run = [
        (f"t{t}", d, rng.randrange(scores) / 7)
        for t in range(4, topics + 3)
        for d in rng.sample(docs, retrieved)
    ]
    rng.shuffle(qrels)
    rng.shuffle(run)
    return table(qrels, "grade"), table(run, "score")


def table(rows, value):
    topics, docnos, values = zip(*rows, strict=True)
    return {"topic": topics, "docno": docnos, value: values}


def evaluated(session, qrels, run, *given, **more):
    """The results on Spark of judgments and a run that are columns."""
    return spark.evaluate(frame(session, qrels), frame(session, run), *given, **more)


def assert_as_on_one_machine(session, qrels, run, *given, **more):
    expected = on_one_machine(qrels, run, *given, **more)
    assert everything(evaluated(session, qrels, run, *given, **more)) == everything(expected)


@pytest.fixture(scope="module")
def example():
    return rows_of(1)


def test_measures_of_every_family_are_those_of_one_machine(session, example):
    measures = [*measures_of_all(needs=False), "GAUC(weight='positives')", "num_rel"]

    assert len({rankeval.parse_measure(name).definition.subject for name in measures}) > 8
    assert_as_on_one_machine(session, *example, measures, bounds=True)


def test_measures_of_subtopics_and_strata_are_those_of_one_machine(session, example):
    qrels, run = example
    rng = random.Random(2)
    labels = {name: [rng.choice(["1", "2", "x y"]) for _ in qrels["topic"]] for name in LABELS}
    for label, measures in (("subtopic", "alpha_nDCG@10 NRBP P_IA@5 AP"), ("stratum", "xinfAP")):
        assert_as_on_one_machine(session, {**qrels, label: labels[label]}, run, measures)
    with pytest.raises(rankeval.UsageError, match="at judgments of other topics"):
        evaluated(session, qrels, run, "Hole@10")


def test_an_error_of_a_worker_says_its_cause(session):
    def wrong(_batches):
        raise KeyError("the cause")

    cause = "worker of Spark failed: KeyError: 'the cause'"
    with pytest.raises(InputError, match=cause), told_as_input_errors():
        session.range(1).mapInArrow(wrong, "id long").toArrow()


def test_a_task_whose_worker_is_killed_is_tried_again(session, example, tmp_path):
    def dies_once(batches, killed=tmp_path / "killed"):
        if not killed.exists():
            killed.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        yield from batches

    judgments, rows = (frame(session, columns) for columns in example)
    with told_as_input_errors():
        found = spark.evaluate(judgments, rows.mapInArrow(dies_once, rows.schema), "AP")

    assert (tmp_path / "killed").exists()
    assert everything(found) == everything(on_one_machine(*example, "AP"))


def test_values_depend_on_no_partitioning_and_no_order(session):
    qrels, run = rows_of(1, topics=25)
    expected = everything(on_one_machine(qrels, run, "AP nDCG@10 GAUC GMAP"))
    rng = random.Random(1)
    for partitions in (1, 7):
        session.conf.set("spark.sql.shuffle.partitions", str(partitions))
        order = rng.sample(range(len(run["topic"])), len(run["topic"]))
        shuffled = {name: [column[i] for i in order] for name, column in run.items()}
        rows = frame(session, shuffled).repartition(rng.randrange(1, 9))

        found = spark.evaluate(frame(session, qrels), rows, "AP nDCG@10 GAUC GMAP")

        assert everything(found) == expected
    session.conf.set("spark.sql.shuffle.partitions", "3")


@pytest.mark.parametrize(
    "settings",
    [
        Settings(topics="both"),
        Settings(skip_no_relevant=True, min_grade=3),
        Settings(ties="best", depth=7),
        Settings(ties="expected"),
        Settings(judged_only=True, topics="both", ties="worst"),
        Settings(aggregate="median"),
        Settings.like_tool("trec_eval"),
    ],
    ids=repr,
)
def test_conventions_are_those_of_one_machine(session, example, settings):
    assert_as_on_one_machine(session, *example, "AP nDCG@10 RR P@5 AUC", settings)


def test_groups_and_weights_of_topics_are_those_of_one_machine(session, example):
    topics = sorted(set(example[0]["topic"]))
    options = {
        "weights": {topic: 1 / (i + 1) for i, topic in enumerate(topics)},
        "groups": {topic: "even" if i % 2 else "odd" for i, topic in enumerate(topics)},
    }
    assert_as_on_one_machine(session, *example, "AP GAUC(weight='positives')", **options)


def test_one_large_topic_and_many_small_ones(session):
    """A topic of 200,000 documents goes over the borders of batches and is ranked as a whole."""
    rng = random.Random(3)
    run = [("large", f"d{i}", rng.random()) for i in range(200_000)]
    run += [(f"t{t}", f"d{i}", rng.random()) for t in range(2_000) for i in range(10)]
    qrels = [("large", f"d{i}", rng.randrange(2)) for i in range(0, 200_000, 100)]
    qrels += [(f"t{t}", f"d{i}", rng.randrange(2)) for t in range(2_000) for i in range(5)]
    assert_as_on_one_machine(session, table(qrels, "grade"), table(run, "score"), "AP nDCG@10 GAUC")


def test_hostile_names_stay_as_they_are(session):
    names = ["", " ", "a\x00b", "ü", "\u2028", "'; --", "a.b", "`", "x" * 300, "NULL"][1:]
    qrels = table([(t, d, len(t) % 3) for t in names for d in names], "grade")
    run = table([(t, d, i) for t in names for i, d in enumerate(names)], "score")
    odd = {"my.topic": "topic", "a `b`": "docno"}
    columns = {role: name for name, role in odd.items()}
    judged = {**{n: qrels[r] for n, r in odd.items()}, "grade": qrels["grade"]}
    retrieved = {**{n: run[r] for n, r in odd.items()}, "score": run["score"]}
    found = evaluated(session, judged, retrieved, "AP", columns=columns)

    assert everything(found) == everything(on_one_machine(qrels, run, "AP"))


def test_names_that_are_no_text_and_numbers_of_other_types(session):
    """Bytes that are not UTF-8, integers as names, decimals and single precision as numbers."""
    from decimal import Decimal

    topics = [b"\xff\xfe", b"\xc3", b"ok"]
    qrels = {
        "topic": pa.array([t for t in topics for _ in range(3)], pa.binary()),
        "docno": pa.array([1, 2, 3] * 3, pa.int64()),
        "grade": pa.array([1, 0, 2] * 3, pa.int8()),
    }
    run = {
        **qrels,
        "score": pa.array([Decimal(f"0.{i}1234567890123456789") for i in range(1, 10)]),
    }
    del run["grade"]
    assert_as_on_one_machine(session, qrels, run, "AP nDCG")


def test_a_tag_names_the_run(session, example):
    qrels, run = example
    tagged = {**run, "tag": ["bm25"] * len(run["topic"])}

    assert_as_on_one_machine(session, qrels, tagged, "AP")
    assert [one.name for one in evaluated(session, qrels, tagged, "AP").runs] == ["bm25"]


def test_ranks_order_documents_where_the_settings_say_so(session, example):
    qrels, run = example
    ranked = {**run, "rank": list(range(len(run["topic"])))}
    for settings in (Settings(order="rank"), Settings(ties="rank")):
        assert_as_on_one_machine(session, qrels, ranked, "AP", settings)


def test_repeated_documents_are_refused_or_the_best_one_counts(session):
    qrels = table([("q1", "d1", 1), ("q2", "d2", 1), ("q2", "d1", 0)], "grade")
    run = table([("q2", "d1", 3), ("q1", "d1", 1), ("q2", "d1", 5), ("q2", "d2", 4)], "score")
    twice = table([("q1", "d1", 1), ("q1", "d1", 2), ("q2", "d2", 1)], "grade")
    with pytest.raises(rankeval.InputError, match='"d1" is listed twice in topic "q2"'):
        evaluated(session, qrels, run, "AP")
    with pytest.raises(rankeval.InputError, match='"d1" is judged twice for topic "q1"'):
        evaluated(session, twice, run, "AP")
    assert_as_on_one_machine(session, twice, run, "AP nDCG", duplicates="best")
    with pytest.raises(rankeval.UsageError, match="have no order"):
        spark.evaluate(frame(session, qrels), frame(session, run), "AP", duplicates="first")
    with pytest.raises(rankeval.UsageError, match="rows of a DataFrame have no order"):
        spark.evaluate(frame(session, qrels), frame(session, run), "AP", Settings(ties="input"))


def test_wrong_rows_are_refused_by_name(session):
    qrels = {"topic": ["q1", "q2"], "docno": ["d1", "d2"], "grade": [1, 1]}
    run = {
        "topic": ["q1", "q1", None, "q2"],
        "docno": ["d1", "d3", "d4", "d2"],
        "score": [0.5, float("nan"), 1.0, 2.0],
    }
    few = {**qrels, "grade": [1, None]}
    with pytest.raises(rankeval.InputError, match="is nan, or missing"):
        spark.evaluate(frame(session, few), frame(session, run), "AP")
    with pytest.raises(rankeval.InputError, match=r'docno "d(3|4)"'):
        spark.evaluate(frame(session, qrels), frame(session, run), "AP")

    with pytest.raises(rankeval.UsageError, match="leaves out no wrong rows"):
        evaluated(session, qrels, run, "AP", on_error="skip")


def test_columns_of_wrong_types_and_missing_ones_are_told(session):
    qrels = {"topic": ["q1"], "docno": ["d1"], "grade": [1]}
    for run, told in (
        ({"topic": [1.5], "docno": ["d1"], "score": [1.0]}, "is of the type double"),
        ({"topic": ["q1"], "docno": ["d1"], "score": ["x"]}, "is of the type string"),
        ({"a": ["q1"], "b": ["d1"], "c": [1.0]}, "has no column of the topic"),
    ):
        with pytest.raises(rankeval.InputError, match=told):
            spark.evaluate(frame(session, qrels), frame(session, run), "AP")
    for run in {"q1": {"d1": 1}}, {}:
        with pytest.raises(UsageError, match="the run is a dict"):
            spark.evaluate(qrels, run, "AP")


def test_runs_that_share_nothing_with_the_judgments_are_told_as_on_one_machine(session):
    qrels = table([("q1", "d1", 1), ("q2", "d2", 1)], "grade")
    no_topic = table([("x", "d1", 1.0)], "score")
    no_document = table([("q1", "D1", 1.0), ("q2", "D7", 0.5)], "score")
    few = table([("q1", "d1", 1.0)], "score")
    with pytest.raises(rankeval.InputError, match="no topic in common with qrels"):
        evaluated(session, qrels, no_topic, "AP")
    with pytest.raises(rankeval.InputError, match="lacks 1 of 2 judged topics: q2"):
        evaluated(session, qrels, few, "AP", require_coverage=True)
    found = evaluated(session, qrels, no_document, "AP").runs[0]
    assert [notice.kind for notice in found.warnings] == ["unjudged"]


def test_judgments_of_any_kind_are_taken_from_the_driver(session, example):
    qrels, run = example
    judgments = rankeval.Qrels(pa.table(qrels))

    found = spark.evaluate(judgments, frame(session, run), "AP")

    assert everything(found) == everything(on_one_machine(qrels, run, "AP"))


def test_an_error_names_the_run_that_has_it(session, example):
    qrels, run = example
    wrong = session.createDataFrame([("1", "a")], "topic string, docno string")

    with pytest.raises(InputError, match="dense: has no column of the score"):
        spark.evaluate(qrels, {"bm25": frame(session, run), "dense": wrong}, "AP")


def test_one_machine_refuses_frames_of_spark_which_it_would_collect(session, example):
    qrels, run = example
    of_spark = frame(session, run)

    for given in (of_spark, [of_spark], {"bm25": of_spark}):
        with pytest.raises(UsageError, match=r"rankeval\.spark\.evaluate"):
            rankeval.evaluate(qrels, given, "AP")
    with pytest.raises(UsageError, match="qrels is a DataFrame of Spark"):
        rankeval.Qrels(frame(session, qrels))
    collected = rankeval.evaluate(qrels, of_spark.toArrow(), "AP")
    assert collected.to_dict() == rankeval.evaluate(qrels, run, "AP").to_dict()

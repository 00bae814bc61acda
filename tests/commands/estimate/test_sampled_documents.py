"""Means from people's judgments of a random sample of documents."""

import csv
import json

import numpy as np
import pytest

import rankeval
from rankeval.errors import InputError, MeasureError, UsageError
from rankeval.options import Settings
from tests.support.commands import run_command
from tests.support.schemas import assert_valid

MEASURES = "P@5 DCG@10 RBP R@10 AP AP@10 statAP"
HEADS = "topic\tdocno\tstratum\tprobability\tgrade\n"


@pytest.fixture(scope="module")
def collection(tmp_path_factory):
    """Six topics, three runs of 30 documents, and the grades of all documents that they have."""
    rng = np.random.default_rng(5)
    folder = tmp_path_factory.mktemp("collection")
    grades = {}
    runs = {}
    for run in ("a", "b", "c"):
        runs[run] = {}
        for topic in map(str, range(6)):
            docnos = [f"d{i}" for i in rng.permutation(60)[:30].tolist()]
            runs[run][topic] = {docno: 30.0 - rank for rank, docno in enumerate(docnos)}
            for docno in docnos:
                grade = int(rng.choice([0, 0, 1, 2]))
                grades.setdefault(topic, {}).setdefault(docno, grade)
        (folder / f"{run}.run").write_text(
            "".join(
                f"{topic} Q0 {docno} 0 {score} {run}\n"
                for topic, found in runs[run].items()
                for docno, score in found.items()
            )
        )
    return folder, runs, grades


def drawn(collection, path, how="stratified", budget=12, seed=3):
    """A sample with people's grades."""
    folder, _, grades = collection
    runs = [str(folder / f"{name}.run") for name in "abc"]
    done = run_command(
        [
            "pool",
            *runs,
            "--sample",
            how,
            "--budget",
            str(budget),
            "--seed",
            str(seed),
            "-o",
            str(path),
        ]
    )
    assert done.code == 0
    with path.open() as stream:
        rows = list(csv.DictReader(stream, delimiter="\t"))
    for row in rows:
        row["grade"] = row["grade"] or str(grades[row["topic"]][row["docno"]])
    path.write_text(HEADS + "".join("\t".join(row.values()) + "\n" for row in rows))
    return path


def values(report):
    return {(one.run, one.measure): one.found.value for one in report.runs}


@pytest.mark.parametrize("how", ["stratified", "uniform", "by-rank"])
@pytest.mark.parametrize("machine", [False, True])
@pytest.mark.parametrize("estimator", ["horvitz-thompson", "hajek"])
def test_a_pool_judged_as_a_whole_gives_the_values_of_eval(
    collection, tmp_path, how, machine, estimator
):
    _, runs, grades = collection
    noisy = {t: {d: (len(d) + g) % 2 for d, g in found.items()} for t, found in grades.items()}
    sample = drawn(collection, tmp_path / "s.tsv", how, budget=1000)

    report = rankeval.estimate(
        sample, runs, MEASURES, machine=noisy if machine else None, estimator=estimator, finite=True
    )

    evaluated = rankeval.evaluate(grades, runs, MEASURES.replace("statAP", ""))
    expected = {(run.name, s.measure): s.mean for run in evaluated.runs for s in run.scores}
    expected |= {(run.name, "statAP"): run["AP"].mean for run in evaluated.runs}
    assert values(report) == pytest.approx(expected)
    for one in (*report.runs, *report.differences):
        assert one.found.standard_error == pytest.approx(0.0, abs=1e-9)


def test_statap_without_a_machine_is_that_of_the_layout_with_strata(collection, tmp_path):
    _, runs, _ = collection
    sample = drawn(collection, tmp_path / "s.tsv", "by-rank")
    rankeval.convert(sample, tmp_path / "s.qrels")

    report = rankeval.estimate(sample, runs, "statAP")

    stat_ap = rankeval.evaluate(tmp_path / "s.qrels", runs, "statAP")
    expected = {(run.name, "statAP"): run.scores[0].mean for run in stat_ap.runs}
    assert values(report) == pytest.approx(expected)


def test_the_layout_of_statap_s_tools_gives_the_same_statap(collection, tmp_path):
    """Their file has what was judged, and no strata."""
    _, runs, _ = collection
    sample = drawn(collection, tmp_path / "s.tsv", "by-rank")
    rankeval.convert(sample, tmp_path / "s.prels")

    reports = [rankeval.estimate(each, runs, "statAP") for each in (sample, tmp_path / "s.prels")]

    assert values(reports[0]) == pytest.approx(values(reports[1]))


def test_a_machine_that_is_right_needs_no_people(collection, tmp_path):
    _, runs, grades = collection
    sample = drawn(collection, tmp_path / "s.tsv", "uniform", budget=6)

    report = rankeval.estimate(sample, runs, "P@5 DCG@10 RBP", machine=grades, finite=True)

    evaluated = rankeval.evaluate(grades, runs, "P@5 DCG@10 RBP")
    expected = {(run.name, s.measure): s.mean for run in evaluated.runs for s in run.scores}
    assert values(report) == pytest.approx(expected)
    assert all(one.found.weight == pytest.approx(1.0) for one in report.runs)
    assert all(one.found.standard_error < 1e-6 for one in report.runs)


def test_a_machine_of_more_topics_helps_as_in_estimates_by_topics(collection, tmp_path):
    """Everything of three topics is judged, and a machine judged six: people's values are known."""
    _, runs, grades = collection
    people = {topic: grades[topic] for topic in ("0", "1", "2")}
    machine = {t: {d: min(g, 1) for d, g in found.items()} for t, found in grades.items()}
    sample = tmp_path / "s.tsv"
    sample.write_text(
        HEADS
        + "".join(
            f"{t}\t{d}\t1\t1.0\t{g}\n" for t, found in people.items() for d, g in found.items()
        )
    )

    for finite in (False, True):
        by_documents = rankeval.estimate(sample, runs, "P@5 DCG@10", machine=machine, finite=finite)
        by_topics = rankeval.estimate(people, runs, "P@5 DCG@10", machine=machine, finite=finite)

        assert values(by_documents) == pytest.approx(values(by_topics))
        for one, other in zip(by_documents.differences, by_topics.differences, strict=True):
            assert (one.run, one.other) == (other.run, other.other)
            assert one.found.low == pytest.approx(other.found.low)


@pytest.mark.parametrize("form", ["table", "json", "tsv", "markdown"])
def test_the_command_writes_estimates_in_every_format(collection, tmp_path, form):
    folder, _, _ = collection
    sample = drawn(collection, tmp_path / "s.tsv")

    done = run_command(
        ["estimate", str(sample), str(folder / "a.run"), str(folder / "b.run"), "-f", form]
    )

    assert done.code == 0
    assert done.stderr.count("warning") == done.stderr.count("AP: ratios of few draws are") == 1
    if form == "json":
        found = json.loads(done.stdout)
        assert_valid(found)
        assert found["machine"] is None
        assert found["documents"]["drawn"] == 6 * 12
        assert found["runs"][0]["machine"] is None
    if form == "table":
        assert "People judged 72 of" in done.stdout
        assert "by betting" not in done.stdout


@pytest.mark.parametrize("machine", [False, True])
def test_ratios_of_drawn_documents_have_no_interval_of_these_topics_alone(
    collection, tmp_path, machine
):
    _, runs, grades = collection
    model = {**grades, "6": grades["0"]} if machine else None
    sample = drawn(collection, tmp_path / "s.tsv")
    everything = drawn(collection, tmp_path / "all.tsv", budget=1000)

    def estimated(table, **how):
        return rankeval.estimate(table, runs, "P@5 R@5 AP statAP", machine=model, **how)

    def without(report):
        every = [*report.runs, *report.differences]
        return {
            one.measure
            for one in every
            if {one.found.low, one.found.high, one.found.standard_error} == {None}
        }

    def noted(report):
        return ["R@5, AP, statAP: ratios of few draws" in warning for warning in report.warnings]

    bare, usual = estimated(sample, finite=True), estimated(sample)

    assert without(bare) == {"R@5", "AP", "statAP"}
    assert sum(noted(bare)) == sum(noted(usual)) == 1
    assert values(bare) == pytest.approx(values(usual))
    assert without(usual) == set()
    whole = estimated(everything, finite=True)
    assert without(whole) == set()
    assert not any(noted(whole))


def test_the_command_shows_that_there_is_no_interval(collection, tmp_path):
    folder, _, _ = collection
    sample = drawn(collection, tmp_path / "s.tsv")
    words = ["estimate", str(sample), str(folder / "a.run"), str(folder / "b.run"), "-m", "AP"]

    done = run_command([*words, "--finite"])
    data = json.loads(run_command([*words, "--finite", "-f", "json", "--quiet"]).stdout)

    assert "[" not in done.stdout.split("People judged")[0]
    assert "AP: ratios of few draws are biased, and have no interval of these" in done.stderr
    assert_valid(data)
    assert [data["runs"][0][name] for name in ("standard_error", "low", "high")] == [None] * 3


def test_topics_of_which_no_relevant_document_was_drawn_are_counted_by_measure(tmp_path):
    lines = ("1\td1\t1\t0.5\t1", "1\td2\t1\t0.5\t-1", "2\td1\t2\t0.5\t0", "2\td2\t2\t0.5\t-1")
    (tmp_path / "s.tsv").write_text(HEADS + "".join(f"{line}\n" for line in lines))
    run = {topic: {"d1": 2.0, "d2": 1.0} for topic in "12"}

    report = rankeval.estimate(tmp_path / "s.tsv", run, "P@5 R@5 AP AP(rel=2)")

    said = "no relevant document was drawn in"
    end = "of 2, which count 0 without a machine"
    assert report.warnings[1:] == (
        f"R@5, AP: {said} 1 topic {end}",
        f"AP(rel=2): {said} 2 topics {end}",
    )


def test_a_run_with_documents_outside_the_pool_is_named(collection, tmp_path):
    sample = drawn(collection, tmp_path / "s.tsv")
    stranger = {topic: {f"x{i}": 9.0 - i for i in range(5)} for topic in "012345"}

    report = rankeval.estimate(sample, {"new": stranger, "old": {"0": {"d1": 1.0}}}, "P@5")

    assert len(report.warnings) == 1
    assert (
        "P@5: up to 100% of the weight lies on documents outside the sampled pool"
        in (report.warnings[0])
    )


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("0\td1\t1\t0.5\t\n0\td2\t1\t0.5\t-1\n", r"s.tsv:2: 1 document of 1 that were drawn w"),
        ("0\td1\t1\t0.5\t1\n0\td1\t1\t0.5\t0\n", r"s.tsv:3: document \"d1\" is judged twice"),
        ("0\td1\t1\t0\t1\n", r"s.tsv:2: the probability \"0\" is not above 0"),
        ("0\td1\t1\t1.01\t1\n", r"s.tsv:2: the probability \"1.01\" is not above 0"),
        ("0\td1\t1\t0.5\tx\n", r"s.tsv:2: grade \"x\" is not a finite number"),
        ("0\td1\t1\t0.5\t1\n0\td2\t1\t0.5\t0\n0\td3\t1\t0.5\t-1\n", "has 3 documents, 2 of them"),
        ("9\td1\t1\t1.0\t1\n", "has no topic of the sample"),
    ],
)
def test_samples_that_are_wrong_are_refused_with_place_and_fix(collection, tmp_path, lines, said):
    folder, _, _ = collection
    (tmp_path / "s.tsv").write_text(HEADS + lines)

    with pytest.raises(InputError, match=said) as error:
        rankeval.estimate(tmp_path / "s.tsv", [folder / "a.run"], "P@5")
    assert error.value.remedy
    done = run_command(["estimate", str(tmp_path / "s.tsv"), str(folder / "a.run"), "-m", "P@5"])
    assert (done.code, done.stdout) == (2, "")
    assert "to fix:" in done.stderr


def test_a_machine_without_the_sample_s_topics_is_refused(collection, tmp_path):
    _, runs, grades = collection
    sample = drawn(collection, tmp_path / "s.tsv")

    with pytest.raises(UsageError, match="no topic was judged by people and by the machine"):
        rankeval.estimate(sample, runs, "P@5", machine={"x": {"d1": 1}})
    with pytest.raises(InputError, match="5 topics of 6 not judged by the machine"):
        rankeval.estimate(sample, runs, "P@5", machine={"0": grades["0"]})


@pytest.mark.parametrize(
    "measure", ["nDCG@10", "P(judged_only=True)@5", "RBP(max_rel=2)", "AP(norm='min')@5", "RR"]
)
def test_measures_that_are_no_sums_over_documents_are_refused(collection, tmp_path, measure):
    _, runs, _ = collection

    with pytest.raises(MeasureError, match="cannot be estimated from a sample"):
        rankeval.estimate(drawn(collection, tmp_path / "s.tsv"), runs, measure)


@pytest.mark.parametrize(
    "settings",
    [Settings(topics="both"), Settings(skip_no_relevant=True), Settings(judged_only=True)],
)
def test_conventions_that_need_all_judgments_are_refused(collection, tmp_path, settings):
    _, runs, _ = collection

    with pytest.raises(UsageError, match="nothing can be estimated from a sample"):
        rankeval.estimate(drawn(collection, tmp_path / "s.tsv"), runs, "AP", settings)


def test_judgments_of_whole_topics_still_need_a_machine_and_no_estimator():
    run = {"0": {"d": 1.0}}

    with pytest.raises(UsageError, match="judgments of the machine are missing"):
        rankeval.estimate({"0": {"d": 1}}, run)
    with pytest.raises(UsageError, match="is for samples of documents"):
        rankeval.estimate({"0": {"d": 1}}, run, machine={"0": {"d": 1}}, estimator="hajek")

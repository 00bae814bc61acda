"""A repository over sixty nights: thirty suites, a promotion, a regression and a recovery."""

import json
import time
import xml.etree.ElementTree as ET

import pytest

import rankeval
from benchmarks.nights import (
    BROKEN,
    COLLECTIONS,
    HARD,
    LOST,
    NIGHTS,
    PROMOTION,
    RECOVERY,
    REGRESSION,
    SUITES,
    TOPICS,
    Repository,
    expected,
)
from tests.support.junit_schema import problems
from tests.support.schemas import assert_valid

SEEN = (1, PROMOTION, REGRESSION, RECOVERY)
"""Nights whose reports are read whole."""


@pytest.fixture(scope="module")
def nights(tmp_path_factory):
    """Gate every night; return the repository, exit codes, and the reports of some nights."""
    folder = tmp_path_factory.mktemp("nights")
    codes, reports = {}, {}
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(folder)
        repository = Repository(folder).made()
        for night in range(1, NIGHTS + 1):
            patched.setenv("GITHUB_SHA", f"commit{night:02}")
            repository.ranked(night)
            codes[night] = repository.gated()
            if night == PROMOTION:
                repository.promoted()
            if night in SEEN:
                files = (folder / "reports").iterdir()
                reports[night] = {file.name: file.read_text() for file in files}
                assert not problems(folder / "reports" / "gate.xml")
    return repository, codes, reports


def is_lost(night):
    return REGRESSION <= night < RECOVERY


def test_the_gate_is_closed_only_while_the_regression_lasts(nights):
    _, codes, _ = nights

    assert codes == {night: int(is_lost(night)) for night in range(1, NIGHTS + 1)}


@pytest.fixture(scope="module")
def history(nights):
    repository, *_ = nights
    lines = (repository.folder / "history.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


def test_every_night_appends_a_line_for_each_suite(history):
    assert len(history) == NIGHTS * SUITES
    assert [one["commit"] for one in history[::SUITES]] == [
        f"commit{night:02}" for night in range(1, NIGHTS + 1)
    ]
    assert len({one["suite"] for one in history}) == SUITES
    for one in history[:: SUITES + 1]:
        assert_valid(one)


def test_the_history_has_the_means_of_every_night(history):
    for number, one in enumerate(history):
        night = number // SUITES + 1
        name = one["suite"].removesuffix("-floor")
        if name not in COLLECTIONS:
            continue
        groups = {"": range(TOPICS), "hard": range(HARD), "easy": range(HARD, TOPICS)}
        before = PROMOTION if night > PROMOTION else 0
        for rule in one["rules"]:
            topics = groups[rule["group"]]
            assert rule["candidate"] == pytest.approx(expected(night, name, topics))
            assert rule["baseline"] == pytest.approx(expected(before, name, topics))


def test_macro_means_seeds_and_the_drift_follow_the_nights(history):
    for number, one in enumerate(history):
        night = number // SUITES + 1
        before = PROMOTION if night > PROMOTION else 0
        if one["suite"] == "beir":
            drops = [expected(before, name) - expected(night, name) for name in COLLECTIONS]
            macro, worst = one["rules"]
            assert macro["drop"] == pytest.approx(sum(drops) / len(drops))
            if is_lost(night):
                assert worst["drop"] == pytest.approx(max(drops))
        elif one["suite"] == "drift":  # the golden baseline stays that of night 0
            (rule,) = one["rules"]
            assert rule["baseline"] == pytest.approx(expected(0, COLLECTIONS[1]))
        elif one["suite"] == "seeds":
            (rule,) = one["rules"]
            assert rule["candidate"] == pytest.approx(expected(night, COLLECTIONS[0]))


def test_the_trend_names_the_commits_of_promotion_regression_and_recovery(nights):
    repository, *_ = nights
    file = repository.folder / "history.jsonl"
    # The regression lasts ten nights, which are few for 1,000 nights between false alarms.
    found = [rankeval.trend(file, suites=name, false_alarm_every=100) for name in COLLECTIONS]

    assert len(rankeval.trend(file).suites) == SUITES
    for one in (series for of_suite in found for series in of_suite.series):
        if one.role != "candidate":
            continue
        topics = {"": range(TOPICS), "hard": range(HARD), "easy": range(HARD, TOPICS)}[one.group]
        means = [expected(night, one.suite, topics) for night in range(1, NIGHTS + 1)]
        assert one.values == pytest.approx(means)
        moved = [night for night in range(2, NIGHTS + 1) if means[night - 1] != means[night - 2]]
        assert [change.commit for change in one.changes] == [f"commit{night:02}" for night in moved]
        lost = REGRESSION in moved
        assert one.state == ("recovered" if lost else "rose" if moved else "")


def test_the_rules_that_the_regression_breaks_are_named_and_no_others(history):
    for number, one in enumerate(history):
        night = number // SUITES + 1
        broken = [rule["rule"] for rule in one["rules"] if not rule["passed"]]
        assert broken == (BROKEN.get(one["suite"], []) if is_lost(night) else []), (night, one)


@pytest.mark.parametrize("night", SEEN)
def test_all_reports_of_a_night_agree(nights, night):
    *_, reports = nights
    found = reports[night]
    document = assert_valid(json.loads(found["gate.json"]))
    broken = {
        (one["suite"], rule["rule"])
        for one in document["suites"]
        for rule in one["rules"]
        if not rule["passed"]
    }
    root = ET.fromstring(found["gate.xml"])
    failed = {
        tuple(case.get("name").split(": ", 1))
        for case in root.iter("testcase")
        if case.find("failure") is not None
    }
    rules = sum(len(one["rules"]) for one in document["suites"])
    marker, title, *_ = found["comment.md"].splitlines()

    assert len(document["suites"]) == len(list(root)) == SUITES
    assert len(list(root.iter("testcase"))) == rules
    assert (
        broken
        == failed
        == {(suite, rule) for suite in BROKEN for rule in BROKEN[suite] if is_lost(night)}
    )
    assert marker == "<!-- rankeval gate -->"
    assert title == found["gate.md"].splitlines()[0]
    said = f"FAIL: 2 of {SUITES} suites break rules: {LOST}, beir"
    assert title == f"### rankeval gate: {said if is_lost(night) else f'PASS: all {SUITES} suites'}"
    assert found["comment.md"].count("<details>") == SUITES + 1  # and all of them in one
    assert document["summary"] == title.removeprefix("### rankeval gate: ")


def test_the_line_of_nights_keeps_its_alpha(nights):
    repository, *_ = nights
    state = json.loads((repository.folder / "line.json").read_text())

    assert (state["alpha"], state["looks"]) == (0.05, NIGHTS)


def test_a_night_takes_a_few_times_what_its_evaluations_do(nights, monkeypatch):
    """Reading and scoring of every run and baseline by rankeval.evaluate is the peer."""
    repository, *_ = nights
    monkeypatch.chdir(repository.folder)
    suites = rankeval.gating.read_suites()
    pairs = [
        (one.qrels, one.runs[0]) for one in suites if one.qrels and "{seed}" not in one.runs[0]
    ]

    def evaluated():
        for qrels, run in pairs:
            rankeval.evaluate(qrels, run, "RR", jobs=1)

    times = {"gates": [], "evaluations": []}
    for _ in range(3):
        for name, work in (
            ("gates", lambda: rankeval.gating.gate_suites(suites, jobs=1)),
            ("evaluations", evaluated),
        ):
            began = time.process_time()
            work()
            times[name].append(time.process_time() - began)

    assert min(times["gates"]) < 20 * min(times["evaluations"])

"""The same two runs have the same verdict in compare, eval --baseline, forest, report and gate."""

import itertools
import json

import numpy as np
import pytest
import scipy.stats

import rankeval
from rankeval.commands.compare.task import compare_results
from rankeval.plots.rows import forest_of
from tests.plots.conftest import panels
from tests.support.files import EXAMPLE_QRELS, EXAMPLE_RUNS

ALPHA = 0.05
MEASURES = "nDCG@10 AP P@10"
TITLES = [path.stem for path in EXAMPLE_RUNS]


def holm(p_values):
    """Holm's corrected p-values, by their definition."""
    order, found, largest = np.argsort(p_values, kind="stable"), {}, 0.0
    for i, place in enumerate(order.tolist()):
        largest = max(largest, min(1.0, (len(p_values) - i) * p_values[place]))
        found[place] = largest
    return [found[i] for i in range(len(p_values))]


def drawn(seed, n_runs, n_topics, *, ties):
    """Judgments, and runs of which each is better than the last; with ties of scores and values."""
    draw = np.random.default_rng(seed)
    qrels = {f"t{t}": {f"d{d}": int(d < 4) for d in range(12)} for t in range(n_topics)}
    runs = {}
    for i in range(n_runs):
        scores = draw.normal(size=(n_topics, 12)) + 0.35 * i * (np.arange(12) < 4)
        scores = np.round(scores) if ties else scores
        runs[f"r{i}"] = {
            topic: {f"d{d}": float(row[d]) for d in range(12)}
            for topic, row in zip(qrels, scores, strict=True)
        }
    return qrels, runs


CASES = {
    "two runs": (1, 2, 40, False),
    "six runs": (2, 6, 25, False),
    "many ties": (3, 4, 30, True),
    "few topics": (4, 3, 4, False),
    "one topic": (5, 3, 1, False),
    **{f"seed {seed}": (seed, 3 + seed % 4, 10 + seed, bool(seed % 2)) for seed in range(10, 22)},
}


def expected(results):
    """By run and measure, scipy's p-value with Holm's correction over the other runs."""
    first, *others = results.runs
    found = {}
    for i, score in enumerate(first.scores):
        differences = [run.scores[i].values - score.values for run in others]
        raw = [
            1.0
            if one.size < 2 or (np.ptp(one) < 1e-12 and abs(one[0]) < 1e-12)
            else 0.0
            if np.ptp(one) < 1e-12
            else scipy.stats.ttest_1samp(one, 0.0).pvalue
            for one in differences
        ]
        for run, one, p in zip(others, differences, holm(raw), strict=True):
            found[run.name, score.measure] = (p, float(np.sign(one.mean())) * (p < ALPHA))
    return found


def verdict(low, high):
    """Return 1 or -1 for an interval without 0, and else 0."""
    return 0 if low is None or low <= 0 <= high else int(np.sign(low))


def test_the_examples_have_one_verdict(shell, tmp_path):
    paths = [str(path) for path in EXAMPLE_RUNS]
    call = [str(EXAMPLE_QRELS), *paths]
    results = rankeval.evaluate(call[0], paths, MEASURES)
    verdicts = expected(results)
    assert {sign for _, sign in verdicts.values()} >= {0.0, -1.0}

    of_compare = json.loads(shell(*["compare", *call, "-m", MEASURES, "-f", "json"]).out)
    beside = shell(*["eval", *call, "-m", MEASURES, "--baseline", "bm25", "-f", "json"]).out
    forest = ["plot", "forest", *call, "-m", MEASURES, "--data", str(tmp_path / "forest.json")]
    assert shell(*forest).code == 0
    rows = json.loads((tmp_path / "forest.json").read_text())["rows"]
    sections = rankeval.report(call[0], paths, MEASURES).sections

    for document in (of_compare, json.loads(beside)):
        assert {
            (one["run"], one["measure"]): (
                pytest.approx(one["p"]),
                verdict(one["low"], one["high"]),
            )
            for one in document["comparisons"]
        } == verdicts
    assert {
        (row["run"], row["measure"]): (pytest.approx(row["p"]), verdict(row["low"], row["high"]))
        for row in rows
    } == verdicts
    of_report = [cell.pair for section in sections for cell in section.cells[1:]]
    assert {
        (pair.run, pair.measure): (pytest.approx(pair.p), verdict(pair.low, pair.high))
        for pair in of_report
    } == verdicts
    assert {
        (pair.run, pair.measure): pair.is_shown(ALPHA) * np.sign(pair.gain) for pair in of_report
    } == {key: sign for key, (_, sign) in verdicts.items()}
    marks = marks_of(shell(*["eval", *call, "-m", MEASURES, "--baseline", "bm25"]).out)
    assert marks == {key: sign for key, (_, sign) in verdicts.items()}


def marks_of(table):
    """The letters of a table of means, by run and measure: 1 for " a", -1 for " -a"."""
    heads, _, *lines = table.split("\n\n")[0].splitlines()
    found = {}
    for line in lines[1:]:
        words = line.split()
        run, at = words[0], -1
        for word in words[1:]:
            if word in {"a", "-a"}:
                found[run, heads.split()[1:][at]] = 1 if word == "a" else -1
            else:
                at += 1
                found[run, heads.split()[1:][at]] = 0
    return found


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_data_of_other_forms_have_one_verdict(case):
    seed, n_runs, n_topics, ties = case
    qrels, runs = drawn(seed, n_runs, n_topics, ties=ties)
    measures = "AP P@4"
    results = rankeval.evaluate(qrels, runs, measures)
    verdicts = expected(results)

    (first, baseline), *others = runs.items()
    compared = rankeval.compare(qrels, {first: baseline}, dict(others), measures)
    beside, drawn_panels = compare_results(results), panels("forest", results)
    sections = rankeval.report(qrels, runs, measures).sections
    of_report = [cell.pair for section in sections for cell in section.cells[1:]]

    for pair in itertools.chain(compared.pairs, beside.pairs, of_report):
        p, sign = verdicts[pair.run, pair.measure]
        assert pair.p == pytest.approx(p, abs=1e-9)
        assert sign == verdict(pair.low, pair.high) == pair.is_shown(ALPHA) * np.sign(pair.gain)
    for one in (*drawn_panels, *forest_of(compared)):
        for row in one.of_runs.values():
            p, sign = verdicts[row.numbers["run"], row.numbers["measure"]]
            assert row.numbers["p"] == pytest.approx(p, abs=1e-9)
            assert sign == row.sign == verdict(row.numbers["low"], row.numbers["high"])


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_all_pairs_have_holms_verdict_over_the_pairs(case):
    seed, n_runs, n_topics, ties = case
    results = rankeval.evaluate(*drawn(seed, n_runs, n_topics, ties=ties), "AP")

    pairs = results.compare(all_pairs=True).pairs

    assert [pair.p for pair in pairs] == pytest.approx(holm([pair.p_raw for pair in pairs]))
    for pair in pairs:
        assert (pair.p < ALPHA) == bool(verdict(pair.low, pair.high))


@pytest.mark.parametrize("run", EXAMPLE_RUNS[1:], ids=TITLES[1:])
def test_the_interval_of_a_gate_agrees_where_two_runs_are_compared(shell, run):
    call = [str(EXAMPLE_QRELS), str(EXAMPLE_RUNS[0]), str(run)]
    compared = json.loads(shell(*["compare", *call, "-m", "nDCG@10", "-f", "json"]).out)
    gate = json.loads(shell(*["gate", *call, "--max-drop", "nDCG@10=0", "-f", "json"]).out)

    (pair,) = compared["comparisons"]
    (rule,) = gate["suites"][0]["rules"]
    low, high = rule["statistics"]["interval"]
    assert [-high, -low] == pytest.approx([pair["low"], pair["high"]])
    assert verdict(-high, -low) == (pair["p"] < ALPHA) * np.sign(pair["summary"]["difference"])

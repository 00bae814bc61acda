import json
import math
import re
from itertools import combinations
from typing import get_args

import numpy as np
import pytest
from scipy import stats as scipy_stats

import rankeval
from rankeval.commands.compare.show import letter
from rankeval.stats.choices import TestText
from rankeval.stats.statistical_tests import statistical_test
from tests.support.comparisons import FILES, rows, values_of_each_run
from tests.support.files import EXAMPLE_QRELS, EXAMPLE_RUNS, EXAMPLES, qrels_of, run_of
from tests.support.gate_files import PERFECT, QRELS, TOPICS, worse_on
from tests.support.latex_structure import problems as latex_problems

TTestPower = pytest.importorskip("statsmodels.stats.power").TTestPower

HALF_WORSE = [-0.5] * 10 + [0.0] * 10
"""Differences of the fixture `small`: RR of the run that is worse on ten topics of twenty."""


@pytest.fixture(scope="module")
def values():
    return values_of_each_run()


def test_programs_get_all_columns_of_a_pair_in_this_order(shell):
    heads = shell(*FILES, "-f", "tsv").out.splitlines()[0].split("\t")

    assert " ".join(heads) == (
        "baseline run measure group topics baseline_mean run_mean difference relative wins ties "
        "losses test statistic p p_raw low high cohens_dz planned_difference topics_needed "
        "smallest_difference margin p_equivalent p_equivalent_raw p_worse p_practically_equal "
        "p_better level"
    )


def test_differences_tests_and_corrections_are_those_of_other_packages(shell, values):
    found = rows(shell(*FILES, "-f", "tsv", "--digits", "12"))

    raw: dict[str, list[float]] = {}
    for row in found:
        before = values[row["baseline"], row["measure"]]
        after = values[row["run"], row["measure"]]
        test = scipy_stats.ttest_rel(after, before)
        raw.setdefault(row["measure"], []).append(test.pvalue)
        assert float(row["difference"]) == pytest.approx(np.mean(after - before), abs=1e-9)
        assert float(row["statistic"]) == pytest.approx(test.statistic, abs=1e-9)
        assert float(row["p_raw"]) == pytest.approx(test.pvalue, abs=1e-9)
        assert int(row["wins"]) == np.count_nonzero(after > before + 1e-9)
        assert int(row["losses"]) == np.count_nonzero(after < before - 1e-9)
    # Holm's p-values by their definition, for each measure by itself.
    expected = [
        min(1.0, max(sum(q >= smaller for q in of) * smaller for smaller in of if smaller <= p))
        for of in raw.values()
        for p in of
    ]
    assert [float(row["p"]) for row in found] == pytest.approx(expected, abs=1e-9)


def test_a_baseline_that_the_wildcard_names_too_is_compared_once(shell):
    of_others = [path for path in EXAMPLE_RUNS if path != EXAMPLE_RUNS[0]]
    judged, *options = EXAMPLE_QRELS, "-m", "AP", "-f", "tsv"
    once = shell("compare", judged, EXAMPLE_RUNS[0], *of_others, *options)

    assert shell("compare", judged, EXAMPLE_RUNS[0], *EXAMPLE_RUNS, *options).out == once.out


@pytest.mark.parametrize(("test", "more"), [("tukey", ("--all-pairs",)), ("dunnett", ())])
def test_tests_of_all_runs_are_those_of_their_values(shell, values, test, more):
    found = rows(shell(*FILES, "-f", "tsv", "--test", test, *more, "-m", "AP"))

    names = ["bm25", "lsa", "tfidf"]
    pairs = [two for two in combinations(names, 2) if more or two[0] == "bm25"]
    assert [(row["baseline"], row["run"]) for row in found] == pairs
    table = np.stack([values[name, "AP"] for name in names], axis=1)
    expected = getattr(rankeval.stats, f"{test}{'_hsd' * bool(more)}")(table)
    for row, pair in zip(found, expected.pairs, strict=True):
        assert float(row["p"]) == pytest.approx(pair.p_value, abs=1e-4)
        assert float(row["low"]) == pytest.approx(pair.low, abs=1e-4)


@pytest.mark.parametrize("test", get_args(TestText))
def test_every_test_can_be_asked_for_and_is_named(shell, test):
    outcome = shell(*FILES, "--test", test, "-m", "P@10", "--seed", "3")

    assert outcome.code == 0
    title = statistical_test(test).title
    assert f"{title[0].upper()}{title[1:]}" in outcome.out


@pytest.fixture
def small(shell):
    return shell.write(qrels=QRELS, base=PERFECT, worse=worse_on(10, tag="worse"))


def test_the_table_shows_means_differences_wins_and_intervals(small):
    outcome = small("compare", "qrels.txt", "base.txt", "worse.txt", "-m", "RR")

    assert outcome.code == 0
    assert outcome.out.startswith("RR (20 topics)\n")
    pattern = r"worse +0\.7500 +-0\.2500 +-25\.0% +\[-0\.3700, -0\.1300\] +0\.0003 +0/10/10"
    assert re.search(pattern, outcome.out)
    told = " ".join(outcome.out.split())
    assert "Student's paired t test, two-sided. 95% CI: Student's t." in told


def test_of_a_loss_a_smaller_value_wins(shell):
    shell.write(
        qrels=qrels_of(t1="r1", t2="r1"),
        base=run_of("b", t1="r x", t2="x y"),
        run=run_of("c", t1="r", t2="r x"),
    )

    (row,) = rows(
        shell("compare", "qrels.txt", "base.txt", "run.txt", "-m", "Unjudged@2", "-f", "tsv")
    )

    assert float(row["difference"]) < 0
    assert (row["wins"], row["ties"], row["losses"]) == ("2", "0", "0")


@pytest.mark.parametrize(("correction", "alpha"), [("holm", 0.025), ("none", 0.05)])
def test_a_family_is_planned_for_at_its_share_of_alpha(small, correction, alpha):
    """Two runs: what Holm leaves to the first p-value is half of alpha, whatever the measures."""
    files = ("compare", "qrels.txt", "base.txt", "worse.txt", "same=worse.txt", "-m", "RR P@1")

    found = json.loads(
        small(*files, "-f", "json", "--power", "0.1", "--correction", correction).out
    )

    planning = found["comparisons"][0]["planning"]
    needed = TTestPower().solve_power(0.1 / np.std(HALF_WORSE, ddof=1), None, alpha, 0.8)
    assert (planning["alpha"], planning["note"]) == (alpha, "")
    assert planning["topics_needed"] == math.ceil(needed)


def test_power_tells_topics_needed_and_the_smallest_difference(small):
    deviation = np.std(HALF_WORSE, ddof=1)
    needed = {
        0.1: math.ceil(TTestPower().solve_power(0.1 / deviation, None, 0.05, 0.8)),
        0.05: math.ceil(TTestPower().solve_power(0.05 / deviation, None, 0.05, 0.8)),
    }
    smallest = TTestPower().solve_power(None, 20, 0.05, 0.8) * deviation

    for given, wanted in (("0.1", 0.1), ("5%", 0.05)):  # the baseline's mean is 1
        told = small("compare", "qrels.txt", "base.txt", "worse.txt", "-m", "RR", "--power", given)
        assert re.search(rf"^worse .* {smallest:.4f} +{needed[wanted]}$", told.out, re.MULTILINE)


@pytest.mark.parametrize(("share", "topics"), [(0.2, 199), (0.5, 34), (0.05, 3142)])
def test_plans_are_those_of_the_noncentral_t_distribution(small, share, topics):
    """Cohen's small and medium effects: 199 and 34 topics, as G*Power has them."""
    difference = str(share * np.std(HALF_WORSE, ddof=1))
    files = ("compare", "qrels.txt", "base.txt", "worse.txt", "-m", "RR")

    found = json.loads(small(*files, "--power", difference, "-f", "json").out)

    planning = found["comparisons"][0]["planning"]
    assert TTestPower().solve_power(share, None, 0.05, 0.8) == pytest.approx(topics - 0.5, abs=0.5)
    assert planning["topics_needed"] == topics
    assert planning["note"] == ""


def test_latex_is_what_latex_takes(shell):
    groups = EXAMPLES / "topic_types.tsv"
    extra = ("--with", f"groups={groups}", "-f", "latex")

    for more in (("--power", "5%"), ("--all-pairs", "--test", "tukey")):
        outcome = shell(*FILES, *extra, *more)
        assert outcome.code == 0
        assert latex_problems(outcome.out) == []


def test_what_does_not_vary_is_cautioned_of_and_not_planned_with(shell):
    shell.write(
        qrels=qrels_of(t1="r1 x0", t2="r1 x0"),
        a=run_of("a", t1="r x", t2="r x"),
        b=run_of("b", t1="x r", t2="x r"),
        one=qrels_of(t1="r1 x0"),
    )

    same = shell("compare", "qrels.txt", "a.txt", "b.txt", "-m", "RR", "--power", "5%")
    single = shell("compare", "one.txt", "a.txt", "b.txt", "-m", "RR", "--power", "5%")

    assert "every topic differs by the same amount, which decides p" in same.err
    assert "computes it: RR b - a" in same.err
    assert re.search(r"^b .* - +-$", same.out, re.MULTILINE)
    assert "one topic has no variance" in single.err


def test_groups_have_comparisons_of_their_own(small):
    groups = "".join(f"{topic}\t{'hard' if i < 10 else 'easy'}\n" for i, topic in enumerate(TOPICS))
    small.write(groups=groups)

    found = rows(
        small(
            *("compare", "qrels.txt", "base.txt", "worse.txt", "-m", "RR"),
            *("--with", "groups=groups.txt", "-f", "tsv", "--digits", "4"),
        )
    )

    assert [(row["group"], row["topics"], row["difference"]) for row in found] == [
        ("", "20", "-0.2500"),
        ("hard", "10", "-0.5000"),
        ("easy", "10", "0.0000"),
    ]


@pytest.mark.parametrize(
    ("form", "above", "below"),
    [
        ("markdown", "<sup>c</sup>", "<sub>a</sub>"),
        ("latex", r"\textsuperscript{c}", r"\textsubscript{a}"),
    ],
)
def test_letters_mark_significant_differences(shell, form, above, below):
    with_baseline = shell("eval", *FILES[1:], "--baseline", "bm25", "-m", "nDCG@10", "-f", form).out
    of_all = shell(*FILES, "-f", form, "-m", "nDCG@10", "--all-pairs").out

    # tfidf is worse than both, lsa not significantly better than bm25.
    assert with_baseline.count(below) == 1
    assert f"0.4433{below}" in with_baseline
    assert of_all.count(above) == 2
    for text in (with_baseline, of_all):
        assert "Student" in text
        assert "two-sided; Holm over" in text


def test_the_baseline_may_be_named_apart(shell):
    lsa = next(path for path in EXAMPLE_RUNS if path.stem == "lsa")
    named = shell("compare", EXAMPLE_QRELS, *EXAMPLE_RUNS, "--baseline", "lsa", "-f", "tsv")
    first = shell("compare", EXAMPLE_QRELS, lsa, *EXAMPLE_RUNS, "-f", "tsv")

    assert (named.code, named.out) == (0, first.out)


def test_letters_go_on_after_z():
    assert [letter(i) for i in (0, 25, 26, 27, 52)] == ["a", "z", "aa", "ab", "ba"]


def test_results_in_json_do_as_well_as_runs(small):
    for name in ("base", "worse"):
        small("eval", "qrels.txt", f"{name}.txt", "-m", "RR P@1", "-q", "-o", f"{name}.json")

    runs = small("compare", "qrels.txt", "base.txt", "worse.txt", "-m", "RR P@1")
    saved = small("compare", "qrels.txt", "base.json", "worse.json")
    mixed = small("compare", "qrels.txt", "base.json", "worse.txt")

    assert saved.out == mixed.out == runs.out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--test", "welch"], "test cannot be 'welch'"),
        (["--power", "0"], "'0' is not a difference to plan for"),
        (["--power", "x%"], "'x' is not a difference to plan for"),
        (["--power", "5%", "--test", "sign"], "planned for the test t only, not sign"),
        (
            ["--test", "bayes", "--correction", "holm"],
            "bayes cannot be corrected by holm",
        ),
        (["--test", "dunnett", "--all-pairs"], "compares with the baseline only"),
        (["--alpha", "2"], "alpha is 2"),
        (["--equivalent", "AP=-1"], "a number above 0"),
        (["--equivalent", "P@5=0.1"], "is not compared"),
        (["--test", "tukey", "--correction", "bh"], "tukey cannot be corrected by bh"),
        (["--equivalent", "0.05"], "MEASURE=MARGIN, as in nDCG@10=0.01"),
        (["-m", "GMAP"], "aggregated by geometric"),
        (["--with", "weights=worse.txt"], "is not a part that can be added"),
        (["-o", "base.txt"], "would overwrite this input"),
        (["-o", "out.xyz"], "does not name the output format"),
        (["-f", "trec"], "this cannot be written as trec"),
    ],
)
def test_what_is_wrong_ends_with_2(small, arguments, told):
    outcome = small("compare", "qrels.txt", "base.txt", "worse.txt", *arguments)

    assert (outcome.code, outcome.out) == (2, "")
    assert told in outcome.err


def test_two_tables_of_six_runs_fit_a_screen(shell):
    told = shell("compare", EXAMPLE_QRELS, *EXAMPLE_RUNS).out.splitlines()

    assert len(told) <= 24
    assert max(map(len, told)) <= 80

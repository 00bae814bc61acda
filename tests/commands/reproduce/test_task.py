from pathlib import Path

import numpy as np
import pytest
from scipy.stats import ttest_ind, ttest_rel

import rankeval
from tests.support.files import EXAMPLE_QRELS, EXAMPLE_RUNS

RUNS = {path.stem: path for path in map(Path, EXAMPLE_RUNS)}


def example(**options):
    original, replicated = (RUNS["bm25"], RUNS["lsa"]), (RUNS["tfidf"], RUNS["qld"])
    return rankeval.reproduce(EXAMPLE_QRELS, original, replicated, "AP", **options)


def values(name, judgments=EXAMPLE_QRELS):
    return rankeval.evaluate(judgments, RUNS[name], "AP").runs[0].scores[0].values


def test_figures_of_the_examples_are_those_of_repro_eval():
    """Root mean square errors, effect ratio, delta RI and p-values, as an outside run gave them."""
    (found,) = example().measures

    assert (found.rmse.base, found.rmse.advanced) == pytest.approx((0.2095, 0.2449), abs=5e-5)
    assert found.effect_ratio == pytest.approx(1.1244, abs=5e-5)
    assert found.delta_ri == pytest.approx(-0.0547, abs=5e-5)
    assert (found.p.base, found.p.advanced) == pytest.approx((0.0006, 0.0080), abs=5e-5)


def test_p_values_are_scipys_paired_ones():
    (found,) = example().measures

    assert found.p.base == pytest.approx(ttest_rel(values("bm25"), values("tfidf")).pvalue)
    assert found.p.advanced == pytest.approx(ttest_rel(values("lsa"), values("qld")).pvalue)


def test_other_judgments_leave_the_effects_and_unpaired_tests(tmp_path):
    some = tmp_path / "some.qrels"
    lines = Path(EXAMPLE_QRELS).read_text().splitlines()
    some.write_text("\n".join(line for line in lines if int(line.split()[0]) > 20) + "\n")

    found = example(other_qrels=some)

    (measure,) = found.measures
    assert (measure.rmse.base, found.orders, found.other_qrels) == (None, (), True)
    expected = ttest_ind(values("bm25"), values("tfidf", some)).pvalue
    assert measure.p.base == pytest.approx(expected)
    before = values("lsa").mean() - values("bm25").mean()
    after = values("qld", some).mean() - values("tfidf", some).mean()
    assert measure.effect_ratio == pytest.approx(after / before)


def test_the_same_runs_are_reproduced_perfectly():
    pair = RUNS["bm25"], RUNS["lsa"]
    found = rankeval.reproduce(EXAMPLE_QRELS, pair, pair, "AP nDCG@10")

    assert [one.effect_ratio for one in found.measures] == [1.0, 1.0]
    assert [one.delta_ri for one in found.measures] == [0.0, 0.0]
    assert all(one.rmse.base == one.rmse.advanced == 0.0 for one in found.measures)
    assert [one.ktu.base for one in found.orders] == pytest.approx([1.0] * 5)


QRELS = {"1": {"a": 1}, "2": {"a": 1}}


def ranked(**topics):
    return {
        topic[1:]: {docno: float(-rank) for rank, docno in enumerate(docnos.split())}
        for topic, docnos in topics.items()
    }


def test_rankings_are_compared_down_to_each_cutoff():
    """RBO with p = .95 of abc and bad: (0 + .95 * 2/2 + .9025 * 2/3) / (1 + .95 + .9025)."""
    one = ranked(t1="a b c", t2="a b c")
    other = ranked(t1="b a d", t2="a b c")

    found = rankeval.reproduce(QRELS, (one, one), (other, one), "AP", cutoffs=[3, 1])

    first, third = found.orders
    assert (first.cutoff, third.cutoff) == (1, 3)
    assert first.rbo.base == pytest.approx(0.5)
    assert third.rbo.base == pytest.approx(((0.95 + 0.9025 * 2 / 3) / 2.8525 + 1) / 2)
    assert third.rbo.advanced == third.ktu.advanced == pytest.approx(1.0)
    assert -1 <= third.ktu.base < 1


def test_runs_of_different_lengths_have_no_tau_union():
    one, other = ranked(t1="a b", t2="a b"), ranked(t1="a b c", t2="a b")

    found = rankeval.reproduce(QRELS, (one, one), (other, one), "AP", cutoffs=[2, 3])

    assert found.orders[0].ktu.base == pytest.approx(1.0)
    assert found.orders[1].ktu.base is None
    assert "1 of 2 topics" in found.warnings[0]


def test_without_an_improvement_there_is_no_effect_ratio():
    one = ranked(t1="a b", t2="a b")

    (found,) = rankeval.reproduce(QRELS, (one, one), (one, one), "AP").measures

    assert found.effect_ratio is None
    assert found.delta_ri == 0.0


@pytest.mark.parametrize("cutoffs", [[], [0]])
def test_cutoffs_below_one_are_refused(cutoffs):
    with pytest.raises(rankeval.UsageError, match="cutoffs"):
        example(cutoffs=cutoffs)


def test_values_that_do_not_vary_have_a_certain_test():
    one, other = ranked(t1="a", t2="a"), ranked(t1="x a", t2="x a")
    found = rankeval.reproduce(QRELS, (one, one), (other, one), "RR", other_qrels=dict(QRELS))

    assert found.measures[0].p.base == 0.0
    assert found.measures[0].p.advanced == 1.0
    assert np.isclose(found.measures[0].replicated.base, 0.5)

"""Systems are compared over collections as numpy, scipy and scikit-posthocs compare them."""

from itertools import combinations

import numpy as np
import pytest
import scipy.stats

from rankeval import UsageError
from rankeval.reports import compare_collections, evaluate_collections
from rankeval.stats import hierarchical_bootstrap
from tests.support import collections as thirteen

SYSTEMS = list(thirteen.SYSTEMS)
COMPLETE = [name for name in thirteen.SINGLE if name != "quora"]


def topics(name):
    """The values of a collection, topics by systems."""
    by_system = [thirteen.values(name, system, "nDCG@10") for system in SYSTEMS]
    return np.array([[one[topic] for one in by_system] for topic in sorted(by_system[0])])


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    return evaluate_collections(thirteen.write(tmp_path_factory.mktemp("beir")))


@pytest.fixture(scope="module")
def values():
    """The collections that all systems have, by systems; cqadupstack is the mean of its parts."""
    single = [topics(name).mean(axis=0) for name in COMPLETE]
    whole = np.mean([topics(part).mean(axis=0) for part in thirteen.PARTS], axis=0)
    return np.array([*single, whole])


@pytest.fixture(scope="module")
def compared(results):
    comparison = compare_collections(results, samples=500, seed=3)
    (found,) = comparison.measures
    return found


def test_ranks_and_friedmans_test_are_scipys(compared, values):
    friedman = compared.test.friedman
    ranks = scipy.stats.rankdata(-values, axis=1)
    expected = scipy.stats.friedmanchisquare(*values.T)

    assert friedman.mean_ranks == pytest.approx(ranks.mean(axis=0))
    assert (friedman.corrected, friedman.p_value) == pytest.approx(tuple(expected))
    n, m = values.shape
    f = (n - 1) * expected.statistic / (n * (m - 1) - expected.statistic)
    assert friedman.f == pytest.approx(f)
    assert friedman.p_f == pytest.approx(scipy.stats.f.sf(f, m - 1, (m - 1) * (n - 1)))


def test_pairs_are_those_of_scikit_posthocs(compared, values):
    posthocs = pytest.importorskip("scikit_posthocs")
    nemenyi = posthocs.posthoc_nemenyi_friedman(values).to_numpy()
    holm = posthocs.posthoc_siegel_friedman(values, p_adjust="holm").to_numpy()

    for at, (first, second) in enumerate(combinations(range(len(SYSTEMS)), 2)):
        pair = compared.pairs[at]
        assert (pair.first, pair.second) == (SYSTEMS[first], SYSTEMS[second])
        assert pair.nemenyi_p == pytest.approx(nemenyi[first, second], abs=1e-6)
        assert pair.holm_p == pytest.approx(holm[first, second], abs=1e-12)


def test_the_critical_difference_is_demsars():
    """Demsar (2006): q is 2.569 for four systems at 0.05, and CD 1.25 for 14 data sets."""
    from rankeval.stats import nemenyi

    test = nemenyi(np.random.default_rng(0).normal(size=(14, 4)))

    assert test.q == pytest.approx(2.569, abs=5e-4)
    assert test.critical_difference == pytest.approx(2.569 * np.sqrt(4 * 5 / (6 * 14)), abs=5e-4)
    assert test.critical_difference == pytest.approx(1.254, abs=5e-4)


def test_differences_are_those_of_macro_means(compared, values):
    means = values.mean(axis=0)

    assert compared.macro_means == pytest.approx(means)
    for pair in compared.pairs:
        first, second = SYSTEMS.index(pair.first), SYSTEMS.index(pair.second)
        assert pair.difference == pytest.approx(means[second] - means[first])
        assert pair.wins == (values[:, second] > values[:, first]).sum()
        assert pair.losses == (values[:, second] < values[:, first]).sum()
        assert pair.rank_difference == pytest.approx(
            compared.test.friedman.mean_ranks[second] - compared.test.friedman.mean_ranks[first]
        )


def test_intervals_are_those_of_the_bootstrap_over_collections_and_topics(results, compared):
    (each,) = compare_collections(results, interval_level="each", samples=500, seed=3).measures
    every = [[topics(name)] for name in COMPLETE] + [[topics(part) for part in thirteen.PARTS]]
    firsts, seconds = zip(*combinations(range(len(SYSTEMS)), 2), strict=True)
    differences = [
        [part[:, seconds] - part[:, firsts] for part in collection] for collection in every
    ]

    # Six pairs: each interval has Bonferroni's level, or the plain one where it is asked for.
    for level, found in ((1 - 0.05 / 6, compared), (0.95, each)):
        expected = hierarchical_bootstrap(differences, level=level, samples=500, seed=3)
        for pair, one in zip(found.pairs, expected, strict=True):
            ends = (pair.interval.mean, pair.interval.low, pair.interval.high)
            assert ends == pytest.approx((one.mean, one.low, one.high))
            assert pair.interval.level == pytest.approx(level)


def test_intervals_far_out_have_samples_there(results):
    comparison = compare_collections(results, alpha=0.001)

    assert comparison.samples * 0.001 / 6 / 2 >= 8
    with pytest.raises(UsageError, match=r"samples have no interval with a risk of 1\.7e-07"):
        compare_collections(results, alpha=1e-6)


def test_an_incomplete_collection_is_left_out_with_a_warning(results, compared):
    comparison = compare_collections(results, samples=50)

    assert compared.left_out == ("quora",)
    assert compared.collections == (*COMPLETE, "cqadupstack")
    assert "nDCG@10: left out, because some system has no run: quora" in comparison.warnings
    assert "RR@10: not compared, with 1 collection that all systems have" in comparison.warnings


def test_a_missing_run_may_count_as_zero(results):
    (found,) = compare_collections(results, missing="zero", samples=50).measures
    quora = [*map(float, topics_with_zero("quora").mean(axis=0))]

    assert (len(found.collections), found.left_out) == (13, ())
    complete = np.array([topics(name).mean(axis=0) for name in COMPLETE])
    whole = np.mean([topics(part).mean(axis=0) for part in thirteen.PARTS], axis=0)
    assert found.macro_means == pytest.approx(np.mean([*complete, whole, quora], axis=0))


def topics_with_zero(name):
    by_system = [
        None if (name, system) == thirteen.MISSING else thirteen.values(name, system, "nDCG@10")
        for system in SYSTEMS
    ]
    return np.array([[one[topic] if one else 0.0 for one in by_system] for topic in by_system[0]])


def test_less_is_better_for_a_loss(tmp_path):
    for name in "abc":
        (tmp_path / f"{name}.q").write_text("1 0 x 1\n")
        (tmp_path / f"{name}.good").write_text("1 Q0 x 1 1.0 t\n")
        (tmp_path / f"{name}.bad").write_text("1 Q0 x 1 1.0 t\n1 Q0 y 2 2.0 t\n")
    file = tmp_path / "beir.toml"
    runs = 'runs = {bad = "{collection}.bad", good = "{collection}.good"}\n'
    tables = "".join(f"[collection.{name}]\n" for name in "abc")
    file.write_text(f'qrels = "{{collection}}.q"\n{runs}{tables}')

    comparison = compare_collections(file, "Unjudged@1", samples=50)

    (found,) = comparison.measures
    assert found.test.friedman.mean_ranks == (2.0, 1.0)
    assert (found.pairs[0].difference, found.pairs[0].wins) == (-1.0, 3)
    assert any("3 collections are too few" in line for line in comparison.warnings)
    file.write_text(f'qrels = "{{collection}}.q"\n{runs}[collection.a]\n')
    with pytest.raises(UsageError, match="no measure can be compared"):
        compare_collections(file, "AP")
    file.write_text('[collection.a]\nqrels = "a.q"\nruns = {bad = "a.bad"}\n')
    with pytest.raises(UsageError, match="found 1 system"):
        compare_collections(file, "AP")


def test_a_measure_that_is_no_mean_has_no_interval(tmp_path_factory):
    folder = thirteen.write(tmp_path_factory.mktemp("gmap"))

    (found,) = compare_collections(folder, "GMAP", samples=50).measures

    assert [pair.interval for pair in found.pairs] == [None] * 6


def test_collections_on_which_a_difference_is_shown_are_those_of_partial_conjunctions(compared):
    """Fisher's combination of all but the u - 1 smallest p-values, by scipy."""
    parts = [topics(part) for part in thirteen.PARTS]

    def one_sided(first, second):
        for name in COMPLETE:
            values = topics(name)
            yield scipy.stats.ttest_rel(
                values[:, second], values[:, first], alternative="greater"
            ).pvalue
        gains = [part[:, second] - part[:, first] for part in parts]
        shares = [gain.var(ddof=1) / len(gain) for gain in gains]
        freedom = sum(shares) ** 2 / sum(
            share**2 / (len(gain) - 1) for share, gain in zip(shares, gains, strict=True)
        )
        mean = sum(gain.mean() for gain in gains)
        yield scipy.stats.t.sf(mean / np.sqrt(sum(shares)), freedom)

    def at_least(p_values):
        found = 0
        for u in range(1, len(p_values) + 1):
            rest = sorted(p_values)[u - 1 :]
            # Six pairs, two directions.
            if scipy.stats.combine_pvalues(rest, method="fisher").pvalue > 0.05 / 6 / 2:
                break
            found = u
        return found

    for pair in compared.pairs:
        first, second = SYSTEMS.index(pair.first), SYSTEMS.index(pair.second)
        better, worse = [*one_sided(first, second)], [*one_sided(second, first)]
        assert (pair.better_on, pair.worse_on) == (at_least(better), at_least(worse))
    assert len({(pair.better_on, pair.worse_on) for pair in compared.pairs}) > 1


def test_one_topic_shows_nothing(tmp_path):
    for name, number in (("a", 1), ("b", 9), ("c", 9)):
        lines = [f"{i} 0 d{i} 1\n" for i in range(number)]
        (tmp_path / f"{name}.qrels").write_text("".join(lines))
        good = [f"{i} Q0 d{i} 1 2.0 x\n" for i in range(number)]
        bad = [f"{i} Q0 {'x' if i % 9 else 'd0'} 1 2.0 x\n" for i in range(number)]
        (tmp_path / f"{name}.good").write_text("".join(good))
        (tmp_path / f"{name}.bad").write_text("".join(bad).replace("0 Q0 d0", "0 Q0 x"))
    (tmp_path / "c.toml").write_text(
        'qrels = "{collection}.qrels"\n'
        'runs = { bad = "{collection}.bad", good = "{collection}.good" }\n'
        "[collection.a]\n[collection.b]\n[collection.c]\n"
    )
    (found,) = compare_collections(tmp_path / "c.toml", "P@1", samples=20).measures

    assert (found.pairs[0].wins, found.pairs[0].better_on, found.pairs[0].worse_on) == (3, 2, 0)

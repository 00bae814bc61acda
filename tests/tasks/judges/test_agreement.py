from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankeval
from rankeval.stats import cohen_kappa, fleiss_kappa, krippendorff_alpha

sets = st.lists(
    st.dictionaries(
        st.sampled_from(["1", "2", "10"]),
        st.dictionaries(st.sampled_from("abcdef"), st.integers(-1, 3), min_size=1),
        min_size=1,
    ),
    min_size=2,
    max_size=4,
)


def units_of(judgments):
    """Grades in rows by topic and document, NaN where a judge gave none, by plain loops."""
    keys = sorted({(t, d) for one in judgments for t, found in one.items() for d in found})
    grades = [[one.get(t, {}).get(d, np.nan) for one in judgments] for t, d in keys]
    return keys, np.array(grades, dtype=float)


@given(sets)
@settings(deadline=None)
def test_agreement_is_that_of_plain_lists_of_grades(judgments):
    _, units = units_of(judgments)
    shared = (~np.isnan(units)).sum(axis=1) >= 2
    if not shared.any():
        with pytest.raises(rankeval.UsageError, match="no document was judged twice"):
            rankeval.judges(judgments)
        return
    found = rankeval.judges(judgments)

    assert found.agreement.both == shared.sum()
    for level, alpha in found.agreement.alpha.items():
        assert alpha == approx(krippendorff_alpha(units, level=level))
    assert found.agreement.kappa["fleiss"] == approx(fleiss_kappa(units))
    for pair, (a, b) in zip(found.pairs, combinations(range(len(judgments)), 2), strict=True):
        one, other = units[:, a], units[:, b]
        both = ~np.isnan(one) & ~np.isnan(other)
        assert pair.overlap.both == both.sum()
        assert pair.overlap.only_first == (~np.isnan(one) & np.isnan(other)).sum()
        assert pair.overlap.only_second == (np.isnan(one) & ~np.isnan(other)).sum()
        counts = Counter(zip(one[both], other[both], strict=True))
        told = {
            (first, second): times
            for first, row in pair.overlap.confusion.items()
            for second, times in row.items()
            if times
        }
        assert told == counts
        for weights, kappa in pair.overlap.kappa.items():
            assert kappa == approx(cohen_kappa(one, other, weights=weights))
        if both.any():
            assert pair.overlap.raw == pytest.approx((one[both] == other[both]).mean())
            assert pair.overlap.shift.mean == pytest.approx((other[both] - one[both]).mean())


def approx(expected):
    return None if expected is None else pytest.approx(expected, abs=1e-12)


@given(sets)
@settings(deadline=None)
def test_topics_have_their_own_agreement(judgments):
    keys, units = units_of(judgments)
    if not ((~np.isnan(units)).sum(axis=1) >= 2).any():
        return
    topics = rankeval.judges(judgments).topics

    assert {one.topic for one in topics} == {topic for topic, _ in keys}
    shares = [one.raw for one in topics if one.raw is not None]
    assert shares == sorted(shares)
    assert [one.raw for one in topics if one.raw is None] == [
        one.raw for one in topics[len(shares) :]
    ]
    for one in topics:
        mine = units[[topic == one.topic for topic, _ in keys]]
        assert one.both == ((~np.isnan(mine)).sum(axis=1) >= 2).sum()
        kappa = cohen_kappa(*mine.T) if len(judgments) == 2 else fleiss_kappa(mine)
        assert one.kappa == approx(kappa)


def test_several_judges_count_all_pairs_of_grades():
    """Three of six pairs of judges agree: all of three on a, none on b."""
    found = rankeval.judges([{"1": {"a": 1, "b": grade}} for grade in (0, 1, 2)])

    assert found.agreement.raw == pytest.approx(0.5)
    assert found.agreement.kappa["plain"] is None
    assert found.topics[0].shift is None


def test_intervals_cover_the_agreement_of_the_population():
    """Topics of two kinds, drawn many times: the interval has the true value in about 95%."""
    rng = np.random.default_rng(5)
    covered = 0
    for seed in range(60):
        kinds = rng.random(40) < 0.5
        first = {str(t): {str(d): d % 2 for d in range(10)} for t in range(40)}
        second = {
            str(t): {
                str(d): d % 2 if rng.random() < (0.9 if kind else 0.6) else 1 - d % 2
                for d in range(10)
            }
            for t, kind in enumerate(kinds)
        }
        interval = rankeval.judges([first, second], seed=seed).agreement.intervals["raw"]
        covered += interval.low <= 0.75 <= interval.high
    assert covered >= 52  # binomial, 60 draws of 95%: fewer have a chance of 1%


def test_one_topic_has_no_interval():
    found = rankeval.judges([{"1": {"a": 1, "b": 0}}, {"1": {"a": 1, "b": 1}}])

    assert found.agreement.raw == 0.5
    assert set(found.agreement.intervals.values()) == {(None, None)}

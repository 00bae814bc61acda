from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import rankeval
from rankeval.stats import cohen_kappa, krippendorff_alpha
from rankeval.stats.intervals import jackknife_interval
from tests.support.oracles import other_tool

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
    """Grades in rows by topic and document, NaN where a judge gave none, by plain loops.

    Grade -1 is none.
    """
    keys = sorted({(t, d) for one in judgments for t, found in one.items() for d in found})
    grades = np.array(
        [[one.get(t, {}).get(d, np.nan) for one in judgments] for t, d in keys], dtype=float
    )
    known = (grades != -1) & ~np.isnan(grades)
    judged = known.any(axis=1)
    grades[grades == -1] = np.nan
    return [key for key, kept in zip(keys, judged, strict=True) if kept], grades[judged]


def all_judge(judgments):
    """Return True if each set has a grade that is none of an unjudged document."""
    return all(any(g != -1 for found in one.values() for g in found.values()) for one in judgments)


@given(sets)
@settings(deadline=None)
def test_agreement_is_that_of_plain_lists_of_grades(judgments):
    assume(all_judge(judgments))
    _, units = units_of(judgments)
    shared = (~np.isnan(units)).sum(axis=1) >= 2
    if not shared.any():
        with pytest.raises(rankeval.UsageError, match="no document was judged twice"):
            rankeval.judges(judgments)
        return
    found = rankeval.judges(judgments)

    assert found.both == shared.sum()
    for level in ("nominal", "ordinal"):
        alpha = found.agreement[f"alpha.{level}"].value
        assert alpha == approx(krippendorff_alpha(units, level=level))
    for pair, (a, b) in zip(found.pairs, combinations(range(len(judgments)), 2), strict=True):
        one, other = units[:, a], units[:, b]
        both = ~np.isnan(one) & ~np.isnan(other)
        assert pair.both == both.sum()
        assert pair.only_first == (~np.isnan(one) & np.isnan(other)).sum()
        assert pair.only_second == (np.isnan(one) & ~np.isnan(other)).sum()
        counts = Counter(zip(one[both], other[both], strict=True))
        told = {
            (first, second): times
            for first, row in pair.confusion.items()
            for second, times in row.items()
            if times
        }
        assert told == counts
        for weights, kappa in pair.kappa.items():
            assert kappa == approx(cohen_kappa(one, other, weights=weights))
        if both.any():
            assert pair.raw == pytest.approx((one[both] == other[both]).mean())
            assert pair.shift == pytest.approx((other[both] - one[both]).mean())


def approx(expected):
    return None if expected is None else pytest.approx(expected, abs=1e-12)


@given(sets)
@settings(deadline=None)
def test_topics_have_their_own_agreement(judgments):
    assume(all_judge(judgments))
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
        kappa = cohen_kappa(*mine.T) if len(judgments) == 2 else None
        assert one.kappa == approx(kappa)


def test_several_judges_count_all_pairs_of_grades():
    """Three of six pairs of judges agree: all of three on a, none on b."""
    found = rankeval.judges([{"1": {"a": 1, "b": grade}} for grade in (0, 1, 2)])

    assert found.agreement["raw"].value == pytest.approx(0.5)
    assert found.agreement["kappa.plain"].value is None
    assert found.topics[0].shift is None


def test_intervals_cover_the_agreement_of_the_population():
    """Topics of two kinds, drawn many times: the interval has the true value in about 95%."""
    rng = np.random.default_rng(5)
    covered = 0
    for _ in range(60):
        kinds = rng.random(40) < 0.5
        first = {str(t): {str(d): d % 2 for d in range(10)} for t in range(40)}
        second = {
            str(t): {
                str(d): d % 2 if rng.random() < (0.9 if kind else 0.6) else 1 - d % 2
                for d in range(10)
            }
            for t, kind in enumerate(kinds)
        }
        interval = rankeval.judges([first, second]).agreement["raw"]
        covered += interval.low <= 0.75 <= interval.high
    assert covered >= 52  # binomial, 60 draws of 95%: fewer have a chance of 1%


def in_topics(*grades):
    """Two sets of judgments: in each topic, the pairs of grades that its documents have."""
    return [
        {
            str(t): {str(d): both[judge] for d, both in enumerate(pairs)}
            for t, pairs in enumerate(grades)
        }
        for judge in (0, 1)
    ]


MIXED = [(0, 0), (1, 1), (1, 0)]
OTHER = [(0, 0), (1, 1), (1, 1)]
APART = [(2, -1), (-1, -1)]


@pytest.mark.parametrize(
    ("topics", "bounded"),
    [
        ([MIXED, OTHER, MIXED, OTHER], False),
        ([MIXED, OTHER, MIXED, OTHER, APART, APART], False),
        ([MIXED, OTHER, MIXED, OTHER, OTHER], True),
        ([MIXED] * 8, False),
        ([OTHER] * 8, False),
    ],
)
def test_five_topics_that_differ_have_intervals(topics, bounded):
    """Topics without a document judged twice do not count, nor those that are all the same."""
    found = rankeval.judges(in_topics(*topics))

    assert found.n_topics == sum(APART is not one for one in topics)
    for one in found.agreement.values():
        assert (one.low is not None) == (one.high is not None) == bounded
    raw = found.agreement["raw"]
    if bounded:
        assert raw.low < raw.value < raw.high < 1


@given(
    st.lists(
        st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=6),
        min_size=5,
        max_size=8,
    )
)
@settings(deadline=None)
def test_intervals_are_of_the_values_without_each_topic(topics):
    found = rankeval.judges(in_topics(*topics)).agreement

    def expected(value, low):
        without = []
        for t in range(len(topics)):
            rest = [pair for i, one in enumerate(topics) if i != t for pair in one]
            without.append(value(np.array(rest, dtype=float)))
        if None in without:
            return (None, None)
        whole = value(np.array([pair for one in topics for pair in one], dtype=float))
        sizes = list(map(len, topics))
        return jackknife_interval(whole, without, sizes, low=low) or (None, None)

    wanted = {
        "raw": expected(lambda units: float((units[:, 0] == units[:, 1]).mean()), 0.0),
        "kappa.quadratic": expected(lambda units: cohen_kappa(*units.T, weights="quadratic"), -1.0),
        "alpha.ordinal": expected(lambda units: krippendorff_alpha(units, level="ordinal"), -1.0),
    }
    for name, ends in wanted.items():
        one = found[name]
        assert (one.low, one.high) == pytest.approx(ends, abs=1e-9) or ends == (None, None)
        assert (one.low is None) == (ends[0] is None)


@pytest.mark.parametrize(("unjudged", "both"), [(-1, 3), (-2, 4), (0, 4), (0.5, 5)])
def test_another_grade_can_be_that_of_unjudged_documents(unjudged, both):
    one = {"1": {"a": 0, "b": 1, "c": -1, "d": -1, "e": -2}}

    found = rankeval.judges([one, one], unjudged_grade=unjudged)

    assert found.both == both
    assert found.unjudged_grade == unjudged


def test_judgments_that_are_all_still_to_be_made_are_refused():
    with pytest.raises(rankeval.InputError, match="has no judgments, but 2 documents of grade -1"):
        rankeval.judges([{"1": {"a": 1, "b": 0}}, {"1": {"a": -1, "b": -1}}])


@given(sets)
@settings(deadline=None)
def test_alphas_are_those_of_another_library(judgments):
    """krippendorff's, where it does not fail for want of two values or of two categories."""
    assume(all_judge(judgments))
    _, units = units_of(judgments)
    shared = units[(~np.isnan(units)).sum(axis=1) >= 2]
    assume(len(set(shared[~np.isnan(shared)])) > 1)
    library = other_tool("krippendorff")
    found = rankeval.judges(judgments).agreement

    for level in ("nominal", "ordinal"):
        theirs = library.alpha(reliability_data=units.T, level_of_measurement=level)
        assert found[f"alpha.{level}"].value == pytest.approx(theirs, abs=1e-9)

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import rankeval
from rankeval.stats import cohen_kappa, krippendorff_alpha
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
        alpha = found.agreement[f"alpha.{level}"]
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
        for weights in ("plain", "quadratic"):
            kappa = pair.agreement[f"kappa.{weights}"]
            assert kappa == approx(cohen_kappa(one, other, weights=weights))
        if both.any():
            assert pair.agreement["raw"] == pytest.approx((one[both] == other[both]).mean())
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
        equal = [a == b for unit in mine for a, b in combinations(unit[~np.isnan(unit)], 2)]
        if len(judgments) == 2:
            assert one.raw == (np.mean(equal) if equal else None)


def test_several_judges_count_all_pairs_of_grades():
    """Three of six pairs of judges agree: all of three on a, none on b."""
    found = rankeval.judges([{"1": {"a": 1, "b": grade}} for grade in (0, 1, 2)])

    assert found.agreement["raw"] == pytest.approx(0.5)
    assert "kappa.plain" not in found.agreement


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
        assert found[f"alpha.{level}"] == pytest.approx(theirs, abs=1e-9)

import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from rankeval.measures.incomplete import judged_share, unjudged_share
from tests.builders import UNJUDGED, ranked
from tests.oracles import assert_agrees_with_ir_measures
from tests.samples import aligned, batches

JUDGED = ranked([1, UNJUDGED, -1, 0], [])


def test_judged_counts_lines_of_the_qrels_even_of_junk():
    assert judged_share(JUDGED) == pytest.approx([3 / 4, 0])
    assert judged_share(JUDGED, cutoff=2) == pytest.approx([1 / 2, 0])


def test_judged_divides_by_what_was_retrieved():
    assert judged_share(JUDGED, cutoff=10) == pytest.approx([3 / 4, 0])


def test_unjudged_counts_junk_and_divides_by_the_cutoff():
    """trec_eval 10, unj: documents that no assessor judged, over k."""
    assert unjudged_share(JUDGED, cutoff=3) == pytest.approx([2 / 3, 0])
    assert unjudged_share(JUDGED, cutoff=10) == pytest.approx([2 / 10, 0])


@pytest.mark.parametrize("name", ["Judged@1", "Judged@5", "Judged@20"])
def test_judged_agrees_with_ir_measures(name):
    assert_agrees_with_ir_measures(name)


@examples(max_examples=50)
@given(batches(), st.integers(1, 9))
def test_without_junk_and_short_rankings_they_are_complements(batch, cutoff):
    full = [
        ([(s, g) for s, g in ranking if g is None or g >= 0], missed) for ranking, missed in batch
    ]
    judged = aligned([topic for topic in full if len(topic[0]) >= cutoff])

    together = judged_share(judged, cutoff=cutoff) + unjudged_share(judged, cutoff=cutoff)

    assert together == pytest.approx([1.0] * len(judged))

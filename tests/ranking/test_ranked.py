import numpy as np
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from rankeval.base.arrays import accumulate
from tests.support.builders import UNJUDGED, judgments, ranked
from tests.support.samples import aligned, batches

FIELDS = ("retrieved", "offsets", "rank", "grade", "tie_first", "tie_last", "judged_grade")


def assert_same(one, other, fields=FIELDS):
    for field in fields:
        np.testing.assert_array_equal(getattr(one, field), getattr(other, field), err_msg=field)


def test_rows_of_a_topic_know_their_topic_and_gaps_show_unjudged_documents():
    judged = ranked([UNJUDGED, 1, UNJUDGED, 0], [], [2])

    assert judged.rank.tolist() == [2, 4, 1]
    assert judged.topic.tolist() == [0, 0, 2]
    assert judged.retrieved.tolist() == [4, 0, 1]
    assert len(judged) == 3


def test_sums_counts_and_maxima_are_per_topic():
    judged = ranked([1, 2], [], [3, 0], missed=[[4], [1], []])

    assert judged.sum_per_topic(judged.grade).tolist() == [3, 0, 3]
    assert judged.sum_judged(judged.judged_grade).tolist() == [7, 1, 3]
    assert judged.count_per_topic(judged.grade >= 2).tolist() == [1, 0, 1]
    assert judged.count_judged(min_grade=1).tolist() == [3, 1, 1]
    assert judged.max_per_topic(judged.grade.astype(float)).tolist() == [2, 0, 3]
    assert judged.cumulative_count(judged.grade >= 1).tolist() == [1, 2, 1, 1]


def test_sums_are_taken_one_addition_after_the_other():
    """As trec_eval takes them; a pairwise sum of these has another last bit."""
    values = np.random.default_rng(1).random(1000)
    one_after_the_other = 0.0
    for value in values.tolist():
        one_after_the_other += value
    assert float(np.sum(values)) != one_after_the_other

    judged = ranked([1] * 1000)

    assert judged.sum_per_topic(values).tolist() == [one_after_the_other]
    assert judged.sum_judged(values).tolist() == [one_after_the_other]
    assert judged.accumulate(np.add, values)[-1] == one_after_the_other


@examples(max_examples=60)
@given(st.lists(st.lists(st.floats(-4, 4), max_size=9), max_size=6), st.sampled_from("+*"))
def test_accumulate_is_a_plain_loop_over_each_topic(topics, sign):
    operation = {"+": np.add, "*": np.multiply}[sign]
    expected = []
    for topic in topics:
        running = None
        for value in topic:
            running = value if running is None else operation(running, value)
            expected.append(running)
    values = np.array([value for topic in topics for value in topic], dtype=float)
    offsets = np.cumsum([0, *map(len, topics)])

    assert accumulate(operation, values, offsets).tolist() == expected


@examples(max_examples=60)
@given(batches())
def test_condensed_is_the_same_ranking_without_unjudged_and_negative_documents(batch):
    without = [[(s, g) for s, g in ranking if g is not None and g >= 0] for ranking, _ in batch]
    junk = [[g for _, g in ranking if g is not None and g < 0] for ranking, _ in batch]
    missed = [[*grades, *gone] for (_, grades), gone in zip(batch, junk, strict=True)]

    assert_same(aligned(batch).condensed, judgments(without, missed))


@examples(max_examples=60)
@given(batches(), st.data())
def test_select_keeps_the_chosen_topics_as_they_were(batch, data):
    chosen = data.draw(st.lists(st.booleans(), min_size=len(batch), max_size=len(batch)))
    kept = [topic for topic, keep in zip(batch, chosen, strict=True) if keep]
    judged = aligned(batch)

    selected = judged.select(np.array(chosen))

    assert_same(selected, aligned(kept))
    assert selected.topics == tuple(
        name for name, keep in zip(judged.topics, chosen, strict=True) if keep
    )
    # The scale belongs to the qrels file, whichever topics are looked at.
    assert selected.highest_grade == judged.highest_grade

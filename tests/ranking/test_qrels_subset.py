import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import rankeval
from rankeval.ranking.qrels import with_judgments

grades = st.dictionaries(st.sampled_from("abcd"), st.integers(-1, 2), min_size=1)
judged = st.dictionaries(st.sampled_from(["1", "2", "10"]), grades, min_size=1)
RUN = {topic: {docno: -float(i) for i, docno in enumerate("dacb")} for topic in ("1", "2", "10")}


def values(qrels, measures):
    return rankeval.evaluate(qrels, {"run": RUN}, measures).to_dict(per_topic=True)


def without(judgments, is_kept):
    found = {t: {d: g for d, g in one.items() if is_kept(g)} for t, one in judgments.items()}
    return {topic: one for topic, one in found.items() if one}


@given(judged)
def test_judgments_that_are_left_out_leave_those_of_the_others(judgments):
    qrels = rankeval.Qrels(judgments)
    rest = without(judgments, lambda grade: grade != -1)
    if not rest:
        return
    expected = rankeval.Qrels(rest)

    found = with_judgments(qrels, qrels.grade != -1)

    assert (found.topics, found.digest) == (expected.topics, expected.digest)
    assert values(found, "AP nDCG@3 Judged@3 Bpref") == values(expected, "AP nDCG@3 Judged@3 Bpref")


def test_all_judgments_are_the_same_value():
    qrels = rankeval.Qrels({"1": {"a": 1}})

    assert with_judgments(qrels, np.array([True])) is qrels

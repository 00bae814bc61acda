"""Judgments: how they are ordered, found again and told apart."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankeval.errors import InputError
from rankeval.ranking.qrels import Qrels, from_mapping, judgments_from


@pytest.fixture
def read(tmp_path):
    """Read judgments that are given as text."""

    def read(text: bytes) -> Qrels:
        path = tmp_path / "qrels"
        path.write_bytes(text)
        return judgments_from(str(path))

    return read


def as_dicts(qrels: Qrels) -> dict[bytes, dict[bytes, float]]:
    names = qrels.docnos.names
    return {
        topic: {
            names[number]: grade
            for number, grade in zip(
                qrels.docno[start:stop].tolist(), qrels.grade[start:stop].tolist(), strict=True
            )
        }
        for topic, start, stop in zip(
            qrels.topics, qrels.offsets[:-1].tolist(), qrels.offsets[1:].tolist(), strict=True
        )
    }


def test_topics_are_in_byte_order_and_keep_their_own_judgments(read):
    qrels = read(b"b 0 x 1\n10 0 y 0\na 0 x 2\n9 0 x 1\nb 0 y -1\nB 0 z 3\n\xff 0 z 1\n")

    assert qrels.topics == (b"10", b"9", b"B", b"a", b"b", b"\xff")
    assert qrels.offsets.tolist() == [0, 1, 2, 3, 4, 6, 7]
    assert as_dicts(qrels)[b"b"] == {b"x": 1, b"y": -1}
    assert as_dicts(qrels)[b"\xff"] == {b"z": 1}
    assert qrels.highest_grade == 3


def test_whole_grades_are_integers_however_they_are_written(read):
    qrels = read(b"1 0 a 1.0\n1 0 b 2e0\n1 0 c +3\n1 0 d -0.0\n")

    assert qrels.grade.dtype == np.int64
    assert as_dicts(qrels)[b"1"] == {b"a": 1, b"b": 2, b"c": 3, b"d": 0}


def test_a_fraction_keeps_all_grades_as_they_are(read):
    qrels = read(b"1 0 a 0.7\n1 0 b 2\n1 0 c -0.5\n")

    assert qrels.grade.dtype == np.float64
    assert as_dicts(qrels)[b"1"] == {b"a": 0.7, b"b": 2.0, b"c": -0.5}
    assert qrels.ideal.grade.tolist() == [2.0, 0.7, -0.5]


@given(st.data())
def test_find_agrees_with_a_dictionary(data):
    names = st.sampled_from("abcdefgh")
    judged = data.draw(
        st.dictionaries(names, st.dictionaries(names, st.integers(-2, 4), min_size=1), min_size=1)
    )
    qrels = from_mapping(judged)
    asked = data.draw(
        st.lists(
            st.tuples(
                st.integers(-1, len(qrels.topics) - 1), st.integers(-1, len(qrels.docnos.names) - 1)
            )
        )
    )

    found = qrels.find(np.array([t for t, _ in asked], int), np.array([d for _, d in asked], int))

    for (topic, docno), judgment in zip(asked, found.tolist(), strict=True):
        of_topic = judged[qrels.topics[topic].decode()] if topic >= 0 else {}
        grade = of_topic.get(qrels.docnos.names[docno].decode()) if docno >= 0 else None
        assert (qrels.grade[judgment] if judgment >= 0 else None) == grade


def test_the_digest_does_not_depend_on_layout_or_order(read):
    lines = [b"1 0 a 1", b"1 0 b 0", b"2 0 a 2", b"10 0 c -1"]
    digest = read(b"\n".join(lines)).digest
    random.Random(1).shuffle(lines)

    assert read(b"# shuffled\r\n" + b"\r\n".join(lines).replace(b" ", b" \t ")).digest == digest
    assert read(b"\n".join(lines).replace(b" 0 ", b" Q0 ")).digest == digest
    assert read(b"\n".join(lines) + b".0\n").digest == digest
    assert from_mapping({"1": {"b": 0, "a": 1}, "10": {"c": -1}, "2": {"a": 2}}).digest == digest


@pytest.mark.parametrize(
    "other",
    [
        b"1 0 a 1\n1 0 b 2\n2 0 a 2\n",
        b"1 0 a 1\n1 0 b 0.5\n2 0 a 2\n",
        b"1 0 a 1\n1 0 c 0\n2 0 a 2\n",
        b"1 0 a 1\n2 0 b 0\n2 0 a 2\n",
        b"1 0 a 1\n1 0 b 0\n3 0 a 2\n",
        b"1 0 a 1\n2 0 a 2\n",
        b"1 0 a 1\n1 0 b 0\n2 0 a 2\n2 0 b 0\n",
        b"1 0 a 1\n1 0 B 0\n2 0 a 2\n",
        b"01 0 a 1\n01 0 b 0\n2 0 a 2\n",
    ],
)
def test_the_digest_depends_on_every_judgment(read, other):
    assert read(b"1 0 a 1\n1 0 b 0\n2 0 a 2\n").digest != read(other).digest


def test_the_digest_is_that_of_the_canonical_lines(read):
    """The first digits of what sha256sum says of `topic docno grade`, sorted."""
    assert read(b"1 0 b 0\n1 0 a 1\n").digest == "652e2cfa7e78"


def test_a_document_judged_twice_is_refused_even_with_the_same_grade(read, tmp_path):
    with pytest.raises(InputError) as refused:
        read(b"1 0 a 1\n2 0 z 1\n\n1 0 b 1\n2 0 z 1\n1 0 a 1\n1 0 a 0\n")

    assert str(refused.value) == (
        f'{tmp_path / "qrels"}:5: document "z" is judged twice for topic "2", first in line 2 '
        "(and 2 more such lines)\n"
        "  expected: one judgment per topic and document\n"
        "  to fix:   keep one judgment for each document of a topic"
    )


@pytest.mark.parametrize("mapping", [{}, {"1": {}}])
def test_a_mapping_without_judgments_is_refused(mapping):
    with pytest.raises(InputError, match="has no judgments"):
        from_mapping(mapping)

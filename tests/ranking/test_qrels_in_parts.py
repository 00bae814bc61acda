"""Judgments that are read in several parts are those that are read in one."""

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import feather
from pyarrow import parquet as pq

from rankeval.io.formats import QRELS, SUBTOPIC, Form
from rankeval.io.read import map_blocks
from rankeval.ranking.qrels import from_columns, judgments_from
from tests.support.read_sizes import fast

FORMS = [Form("qrels"), Form("qrels", label=SUBTOPIC)]
SIZES = [16, 40, 100, 333]


@st.composite
def judgments(draw):
    """Lines of topic, subtopic, docno and grade, of documents that many topics share."""
    n_docnos = draw(st.sampled_from([3, 30, 300]))
    row = st.tuples(st.integers(1, 9), st.integers(0, n_docnos), st.integers(1, 2))
    rows = draw(st.lists(row, min_size=1, max_size=150, unique_by=lambda row: row[:2]))
    if draw(st.booleans()):
        rows.sort(key=lambda row: row[0])
    return [(f"t{topic}", f"{docno % 4}", f"d{docno}", grade) for topic, docno, grade in rows]


def as_columns(rows):
    names = ("topic", "subtopic", "docno", "grade")
    return {name: [row[i] for row in rows] for i, name in enumerate(names)}


def facts(qrels):
    """All that judgments say, in a form that compares."""
    labels = qrels.subtopics
    return {
        "topics": qrels.topics,
        "judgments": [array.tolist() for array in (qrels.offsets, qrels.docno, qrels.grade)],
        "docnos": qrels.docnos.names,
        "digest": qrels.digest,
        "subtopics": labels and (labels.digest, labels.offsets.tolist(), labels.number.tolist()),
    }


def as_dicts(rows):
    found = {}
    for topic, _, docno, grade in rows:
        found.setdefault(topic.encode(), {})[docno.encode()] = grade
    return found


def dicts_of(qrels):
    names, offsets = qrels.docnos.names, qrels.offsets.tolist()
    return {
        topic: {names[qrels.docno[i]]: int(qrels.grade[i]) for i in range(start, stop)}
        for topic, start, stop in zip(qrels.topics, offsets[:-1], offsets[1:], strict=True)
    }


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("judgments")


def read_in_parts(path, form, **sizes):
    """Read judgments in parts of any size; the plain parser reads nothing before Arrow does."""
    parts = list(map_blocks(str(path), form, lambda columns: columns, sizes=fast(**sizes)))
    return parts, from_columns(parts, str(path), QRELS, form.label)


@settings(max_examples=40, deadline=None)
@given(judgments(), st.sampled_from(FORMS), st.sampled_from(SIZES))
def test_blocks_of_lines_of_any_size_give_the_same_judgments(folder, rows, form, size):
    path = folder / "qrels"
    path.write_text("".join(f"{t} {s} {d} {g}\n" for t, s, d, g in rows))
    whole = judgments_from(str(path), form)

    parts, found = read_in_parts(path, form, block_bytes=size)

    assert len(parts) >= path.stat().st_size // (2 * size)
    assert facts(found) == facts(whole)
    assert dicts_of(found) == as_dicts(rows)


@settings(max_examples=40, deadline=None)
@given(judgments(), st.sampled_from(FORMS), st.integers(1, 60))
def test_batches_of_rows_of_any_size_give_the_same_judgments(folder, rows, form, size):
    table = pa.table(as_columns(rows))
    (folder / "qrels").write_text("".join(f"{t} {s} {d} {g}\n" for t, s, d, g in rows))
    expected = facts(judgments_from(str(folder / "qrels"), form))
    for name in "qrels.arrow", "qrels.stream", "qrels.parquet":
        path = folder / name
        if name == "qrels.parquet":
            pq.write_table(table, path, row_group_size=size)
        elif name == "qrels.arrow":
            feather.write_feather(table, path, chunksize=size)
        else:
            with pa.ipc.new_stream(path, table.schema) as stream:
                stream.write_table(table, max_chunksize=size)

        assert facts(judgments_from(str(path), form)) == expected

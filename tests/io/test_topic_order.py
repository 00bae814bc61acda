"""Lines of topics that are scattered over the blocks of a file are brought together."""

import gzip
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankeval.io import blocks, lines_parser
from rankeval.io.formats import RUN
from rankeval.io.topic_order import itself, work_on_held
from rankeval.ranking.align import align
from rankeval.ranking.qrels import from_mapping
from tests.support.compiled import needs_kernel

TOPICS = ("a", "bb", "c", "dd")
LINES = st.lists(st.lists(st.sampled_from(TOPICS), min_size=1, max_size=9), min_size=1, max_size=5)
"""The topic of each line, block by block."""


def parsed_plain(block, first_line):
    return lines_parser.parse(block, RUN, "run", first_line, None)


def parsed_compiled(block, first_line):
    return lines_parser.parse_at_once(block, RUN, first_line)


def blocks_of(topics):
    """Return lines of TREC, whose numbers are those of docnos, scores and tags, too."""
    number = 0
    for block in topics:
        lines = [f"{t} Q0 d{i} 1 {i} r{i}\n" for i, t in enumerate(block, number + 1)]
        yield "".join(lines).encode(), number + 1
        number += len(lines)


def rows_of(columns):
    """Return topic, docno, score and line number of each line."""
    docnos, values, lines = columns.docnos.tolist(), columns.values.tolist(), list(columns.lines)
    stretches = zip(columns.topics, pairwise(columns.starts.tolist()), strict=True)
    return [
        (topic.decode(), docnos[i].decode(), values[i], int(lines[i]))
        for topic, (start, stop) in stretches
        for i in range(start, stop)
    ]


@pytest.mark.parametrize(
    "parsed", [parsed_plain, pytest.param(parsed_compiled, marks=needs_kernel)]
)
@given(LINES, st.integers(1, 12))
def test_pieces_have_all_lines_of_their_topics_in_the_order_of_the_file(parsed, topics, size):
    parts = [parsed(block, number) for block, number in blocks_of(topics)]
    pieces = [*work_on_held(parts, itself, at_once=size)]

    flat = [topic for block in topics for topic in block]
    first = [*dict.fromkeys(flat)]
    rows = [(topic, f"d{i}", float(i), i) for i, topic in enumerate(flat, 1)]
    assert [row for piece in pieces for row in rows_of(piece)] == sorted(
        rows, key=lambda row: (first.index(row[0]), row[3])
    )
    assert {piece.last_tag for piece in pieces} == {f"r{len(flat)}".encode()}
    assert all(piece.starts[-2] < size for piece in pieces), "a piece ends once it is large enough"


@pytest.mark.parametrize("name", ["a.run", "a.run.gz"])
def test_a_run_of_topics_that_are_together_is_opened_once(tmp_path, monkeypatch, name):
    path = tmp_path / name
    text = "".join(f"{topic} Q0 d{i} 1 {-i} t\n" for topic in range(300) for i in range(300))
    path.write_bytes(gzip.compress(text.encode()) if name.endswith("gz") else text.encode())
    opened = []
    usual = blocks._file
    monkeypatch.setattr(blocks, "_file", lambda path: opened.append(path) or usual(path))

    align(from_mapping({"1": {"d1": 1}}), str(path))

    assert opened == [str(path)]

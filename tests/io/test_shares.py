"""Large files of regular lines, read in shares: the same as block by block, or not at all."""

import os
import signal
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankeval.base import processes
from rankeval.errors import InputError
from rankeval.io import shares
from rankeval.io.formats import trec
from rankeval.io.formats.file_format import Form
from rankeval.io.parsers.line_errors import Problems
from rankeval.io.parsers.word_parser import IrregularError
from rankeval.io.read import read_columns
from rankeval.io.read_sizes import ReadSizes
from rankeval.io.shares import map_topics, regular_file
from rankeval.ranking.align import align
from rankeval.ranking.chunks import Collapse
from rankeval.ranking.qrels import from_mapping
from rankeval.ranking.rank import Rules
from rankeval.trec_eval.tool_ranking import read_run
from rankeval.trec_eval.tool_version import NINE, TEN
from tests.ranking.test_align import everything

forks = pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux")
either = pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=forks)])


@pytest.fixture(autouse=True)
def forked(monkeypatch):
    """Fork beside threads, too, that other tests have left in this process."""
    monkeypatch.setattr(processes, "can_share", lambda: sys.platform == "linux")


SHARED = ReadSizes(
    regular_bytes=0,
    processes_bytes=0,
    sample_bytes=200,
    parsed_bytes=300,
    topics_bytes=20_000,
    least_share_bytes=400,
    most_share_bytes=3000,
)
"""Sizes by which small files are read in shares."""

NOT_SHARED = replace(SHARED, regular_bytes=10**6)


def topics_of(sizes, seed=1):
    """Lines of topics with so many documents each, in descending order of their scores."""
    random = Random(seed)
    for number, size in enumerate(sizes):
        for rank in range(size):
            docno = f"d{random.randint(0, 10**6)}-{rank}"
            yield f"topic-{number} Q0 {docno} {rank} {random.randint(0, 99) / 8:.3f} tag\n"


def facts(columns):
    lines = zip(columns.lines, columns.docnos.tolist(), columns.values.tolist(), strict=True)
    return list(columns.topics), list(lines)


def of_shares(path, jobs):
    """Topics and lines, with the numbers that they have in the file, in its order."""
    file = regular_file(str(path), trec.RUN, jobs, SHARED)
    assert file is not None
    topics, lines, before = [], [], 0
    for parts in map_topics(file, facts, jobs=jobs):
        for part_topics, part_lines in parts:
            topics += part_topics
            lines += [(before + line, *rest) for line, *rest in part_lines]
        before += sum(len(part_lines) for _, part_lines in parts)
    return topics, lines


def of_blocks(path):
    topics, lines = [], []
    for columns in read_columns(str(path), trec.RUN):
        topics += [topic for topic in columns.topics if topic not in topics[-1:]]
        lines += facts(columns)[1]
    return topics, lines


@given(st.lists(st.integers(1, 60), min_size=1, max_size=40), st.booleans())
def test_shares_have_every_line_once(tmp_path_factory, sizes, ended):
    path = tmp_path_factory.mktemp("run") / "run"
    text = "".join(topics_of(sizes))
    path.write_text(text if ended or sum(sizes) == 1 else text.removesuffix("\n"))

    assert of_shares(path, 1) == of_blocks(path)


@either
@pytest.mark.parametrize("sizes", [[500] * 3, [1] * 300, [1, 400, 1, 1, 30, 200], [3]])
def test_topics_of_any_size_are_whole(tmp_path, sizes, jobs):
    path = tmp_path / "run"
    path.write_text("".join(topics_of(sizes)))

    assert of_shares(path, jobs) == of_blocks(path)


@either
def test_blank_lines_at_the_end_do_not_matter(tmp_path, jobs):
    path = tmp_path / "run"
    path.write_text("".join(topics_of([40] * 9)) + "\n" * 9)

    assert of_shares(path, jobs) == of_blocks(path)


@either
@pytest.mark.parametrize("odd", ["topic-9 Q0 d7 1 1e-3 tag\n", "topic-9\tQ0  d7 7 1 other\n"])
def test_blocks_of_other_lines_are_read_by_arrow(tmp_path, odd, jobs):
    path = tmp_path / "run"
    every = [*topics_of([40] * 9)]
    path.write_text("".join([*every, odd]))

    assert of_shares(path, jobs) == of_blocks(path)


@either
@pytest.mark.parametrize(
    "odd",
    [
        "# a comment\n",
        "\n",
        "topic-9 Q0 d7 7 one tag\n",
        "topic-9 Q0 d7 7 1\n",
        "topic-0 Q0 back 1 1 tag\n",
        "topic-9 Q0 d\0 7 1 tag\n",
    ],
)
def test_shares_that_cannot_be_read_so_are_not_read(tmp_path, odd, jobs):
    path = tmp_path / "run"
    every = [*topics_of([40] * 9)]
    path.write_text("".join([*every, odd, "topic-10 Q0 d8 8 1 tag\n"]))
    file = regular_file(str(path), trec.RUN, jobs, SHARED)
    assert file is not None

    if odd.startswith("topic-0"):  # two shares have it, which only both together show
        parts = [part for parts in map_topics(file, facts, jobs=jobs) for part in parts]
        assert [topic for topics, _ in parts for topic in topics].count(b"topic-0") == 2
    else:
        with pytest.raises(IrregularError):
            map_topics(file, facts, jobs=jobs)


@pytest.mark.parametrize("sizes", [[40, 2000, 40], [2000]])
def test_topics_that_are_too_large_are_not_read_in_shares(tmp_path, sizes):
    path = tmp_path / "run"
    path.write_text("".join(topics_of(sizes)))
    file = regular_file(str(path), trec.RUN, 1, SHARED)
    assert file is not None

    with pytest.raises(IrregularError):
        map_topics(file, facts, jobs=1)


def test_a_file_that_has_become_shorter_is_not_read(tmp_path):
    path = tmp_path / "run"
    path.write_text("".join(topics_of([40] * 9)))
    file = regular_file(str(path), trec.RUN, 1, SHARED)
    assert file is not None
    path.write_text("".join(topics_of([40])))

    with pytest.raises(IrregularError):
        map_topics(file, facts, jobs=1)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        "topic-1 Q0 d1 1 1.5",
        "\ufefftopic-1 Q0 d1 1 1.5 tag\n",
        "# comment\ntopic-1 Q0 d1 1 1.5 tag\n",
        "topic-1 0 d1 1\n" * 90,
        "topic docno score\na b 1\n",
        '{"topic": "a"}\n',
        "topic-1  Q0 d1 1 1.5 tag\n" * 90,
        "topic-1 Q0 d1 1 1.5 tag\r\n" * 90,
        "topic-1 Q0 d1 1 1e5 tag\n" * 90,
        "BZh Q0 d1 1 1.5 tag\n" * 90,
        "topic-1 Q0 d1 1 1.5 tag" * 90,
    ],
)
def test_files_that_begin_otherwise_are_none(tmp_path, text):
    path = tmp_path / "run"
    path.write_text(text, encoding="utf-8")

    assert regular_file(str(path), Form("run"), 1) is None
    assert regular_file(str(path), trec.RUN, 1, SHARED) is None


def test_forms_that_want_more_of_a_file_are_none(tmp_path):
    path = tmp_path / "run"
    path.write_text("".join(topics_of([40] * 9)))
    form = Form("run")

    assert regular_file(str(path), form, 1, SHARED) is not None
    assert regular_file(str(path), replace(form, name="trec"), 1, SHARED) is not None
    for other in (
        replace(form, ranks=True),
        replace(form, keep=True),
        replace(form, problems=Problems()),
        replace(form, fixed={"topic": b"1"}),
        replace(form, passing=lambda pieces, _: pieces),
        replace(form, name="tsv"),
        Form("qrels"),
    ):
        assert regular_file(str(path), other, 1, SHARED) is None
    for missing in (tmp_path, tmp_path / "none", "x" * 5000, "-", "irds:a", "a\0b"):
        assert regular_file(str(missing), form, 1, SHARED) is None


def test_files_are_not_shared_where_no_process_can_be_had(tmp_path, monkeypatch):
    path = tmp_path / "run"
    path.write_text("".join(topics_of([40] * 9)))
    monkeypatch.setattr(processes, "can_share", lambda: False)

    assert regular_file(str(path), trec.RUN, 2, SHARED) is None
    assert regular_file(str(path), trec.RUN, 1, SHARED) is not None
    alone = replace(SHARED, processes_bytes=10**6)
    assert regular_file(str(path), trec.RUN, 2, alone) is not None


def collection(tmp_path, *, ties=True, more=()):
    """Judgments, and a run with ties, repeated documents, and topics without judgments."""
    random, qrels, lines = Random(4), {}, []
    for number in range(30):
        docnos = [f"d{i}#{i % 3}" for i in random.sample(range(200), random.randint(1, 70))]
        docnos += random.choices(docnos, k=2)
        for docno in docnos:
            score = random.randint(0, 20) / 4 if ties else random.random()
            lines.append(f"topic-{number} Q0 {docno} 1 {score:.6f} tag\n")
        if number % 4:
            qrels[f"topic-{number}"] = {f"d{i}#{i % 3}": i % 4 for i in range(0, 250, 5)}
    qrels["absent"] = {"d1#1": 1}
    path = tmp_path / "run"
    path.write_text("".join([*lines, *more]))
    return from_mapping(qrels), str(path)


@either
@pytest.mark.parametrize(
    "rules",
    [
        *(Rules(ties=ties) for ties in ("docno-descending", "docno-ascending", "input", "best")),
        *(Rules(repeated=repeated) for repeated in ("first", "last", "best")),
        Rules(chunks=Collapse(separator=b"#", by="max")),
        Rules(no_self=True),
    ],
    ids=repr,
)
def test_alignments_are_those_of_blocks(tmp_path, rules, jobs):
    qrels, path = collection(tmp_path)
    shared = align(qrels, path, rules, jobs=jobs, sizes=SHARED)
    in_blocks = align(qrels, path, rules, jobs=jobs, sizes=NOT_SHARED)

    assert everything(shared) == everything(in_blocks)
    assert shared.duplicates
    assert not shared.scattered


@either
def test_topics_that_come_back_are_brought_together(tmp_path, jobs):
    more = [f"topic-{number} Q0 back 1 {number}.5 tag\n" for number in (0, 3, 29, 28)]
    qrels, path = collection(tmp_path, more=more)
    shared = align(qrels, path, jobs=jobs, sizes=SHARED)
    in_blocks = align(qrels, path, jobs=jobs, sizes=NOT_SHARED)

    assert everything(shared) == everything(in_blocks)


@either
def test_a_topic_of_which_rules_leave_nothing_may_not_come_back_unnoticed(tmp_path, jobs):
    path = tmp_path / "run"
    back = ["topic-0 Q0 d1 1 2.0 tag\n", "topic-0 Q0 d2 2 1.0 tag\n"]
    path.write_text("".join(["topic-0 Q0 d1 1 2.5 tag\n", *topics_of([0] + [20] * 30), *back]))
    qrels, seen = from_mapping({"topic-0": {"d2": 1}}), from_mapping({"topic-0": {"d1": 1}})

    found = align(qrels, str(path), Rules(seen=seen), jobs=jobs, sizes=SHARED).duplicates

    assert [(one.topic, one.docno, one.first_line, one.line) for one in found] == [
        (b"topic-0", b"d1", 1, 602)
    ]


@either
def test_wrong_lines_are_named_with_their_number_in_the_file(tmp_path, jobs):
    qrels, path = collection(tmp_path, more=["topic-30 Q0 d1 1 high tag\n"])
    n_lines = Path(path).read_text().count("\n")

    with pytest.raises(InputError, match='score "high" is not a finite number') as told:
        align(qrels, path, jobs=jobs, sizes=SHARED)
    assert told.value.place == f"{path}:{n_lines}"


@either
def test_progress_is_told_up_to_the_end_of_the_file(tmp_path, jobs):
    qrels, path = collection(tmp_path)
    told = []
    align(qrels, path, jobs=jobs, progress=told.append, sizes=SHARED)

    assert all(earlier < later for earlier, later in pairwise(told))
    assert told[-1] == len(Path(path).read_text().rstrip())
    assert len(told) > 3


@forks
def test_a_worker_that_is_killed_costs_time_only(tmp_path, monkeypatch):
    qrels, path = collection(tmp_path)
    expected = everything(align(qrels, path, jobs=1, sizes=SHARED))
    here, read = os.getpid(), shares._read
    died = tmp_path / "died"

    def fatal(*given):
        if os.getpid() != here and not died.exists():
            died.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return read(*given)

    monkeypatch.setattr(shares, "_read", fatal)

    assert everything(align(qrels, path, jobs=2, sizes=SHARED)) == expected
    assert died.exists()


@either
@pytest.mark.parametrize("version", [NINE, TEN], ids=["9", "10"])
def test_the_drop_in_ranks_shares_as_it_ranks_blocks(
    tmp_path, monkeypatch, usual_sizes, version, jobs
):
    qrels, path = collection(tmp_path, more=["#30 Q0 d1 1 1.5 tag\n"])
    monkeypatch.setattr(os, "cpu_count", lambda: jobs)

    def ranked():
        found = read_run(path.encode(), qrels, "docno-descending", 9, version)
        return everything(found.alignment), found.twice.tolist()

    in_blocks = ranked()
    usual_sizes(**vars(SHARED))
    assert in_blocks == ranked()

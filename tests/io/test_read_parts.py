import os
import subprocess
import sys
from threading import Barrier

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet as pq

import rankeval
from rankeval import InputError
from rankeval.io.formats.file_format import Form
from rankeval.io.parsers.line_errors import Problems
from rankeval.io.read import map_blocks, read_columns
from rankeval.io.topic_order import gathered
from tests.support.written_formats import FORMATS, write

ROWS = [
    {"topic": t, "docno": d, "rank": 1, "score": s, "tag": "x"}
    for t, d, s in [("7", "a", 2.5), ("7", "b", 1.5), ("8", "a", 0.5), ("9", "c", 4.0)]
]


def lines(path, what="run", **form):
    columns = gathered(list(read_columns(str(path), Form(what, **form))))
    topics = np.repeat(columns.topics, np.diff(columns.starts)).tolist()
    return sorted(zip(topics, columns.docnos.tolist(), columns.values.tolist(), strict=True))


@pytest.mark.parametrize("name", FORMATS)
def test_parts_of_every_format_read_as_one_file(tmp_path, name):
    (tmp_path / "whole").write_bytes(write(name, "run", ROWS))
    (tmp_path / "parts").mkdir()
    for place in range(0, len(ROWS), 3):
        (tmp_path / f"parts/{place}").write_bytes(write(name, "run", ROWS[place : place + 3]))

    assert lines(tmp_path / "parts") == lines(tmp_path / "whole")


@pytest.mark.parametrize("name", ["csv", "tsv", "jsonl", "parquet", "arrow"])
@pytest.mark.parametrize("missing", [False, True])
def test_a_topic_may_be_in_the_name_of_a_folder(tmp_path, name, missing):
    for row in ROWS:
        folder = tmp_path / f"user_id={row['topic']}/day=1"
        folder.mkdir(parents=True, exist_ok=True)
        kept = {"docno": row["docno"], "score": row["score"]}
        if not missing:
            kept["topic"] = "another"
        fields = ["docno", "score"] if missing else ["topic", "docno", "score"]
        (folder / row["docno"]).write_bytes(_written(name, [kept], fields))

    assert lines(tmp_path) == [
        (b"7", b"a", 2.5),
        (b"7", b"b", 1.5),
        (b"8", b"a", 0.5),
        (b"9", b"c", 4.0),
    ]


@pytest.mark.parametrize("name", ["csv", "jsonl", "parquet"])
def test_a_grade_may_be_in_the_name_of_a_folder(tmp_path, name):
    for grade, docno in ("0", "a"), ("2", "b"):
        (tmp_path / f"grade={grade}").mkdir()
        rows = [{"topic": "1", "docno": docno}]
        (tmp_path / f"grade={grade}/x").write_bytes(_written(name, rows, ["topic", "docno"]))

    assert lines(tmp_path, "qrels") == [(b"1", b"a", 0.0), (b"1", b"b", 2.0)]


def _written(name, rows, fields):
    from tests.support import written_formats

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(written_formats, "held_by", lambda *_: fields)
        patched.setattr(written_formats, "NUMBERS", {"score": float})
        return write(name, "run", rows)


def test_trec_lines_take_the_topic_of_their_folder(tmp_path):
    (tmp_path / "topic=7").mkdir()
    (tmp_path / "topic=7/a").write_text("1 Q0 a 1 2.5 t\n2 Q0 b 1 1.5 t\n")

    assert lines(tmp_path) == [(b"7", b"a", 2.5), (b"7", b"b", 1.5)]


def test_a_tag_may_be_in_the_name_of_a_folder(tmp_path):
    (tmp_path / "run=bm25").mkdir()
    (tmp_path / "run=bm25/a.csv").write_text("topic,docno,score\n1,a,1\n")

    (columns,) = read_columns(str(tmp_path), Form("run"))

    assert columns.tags == {b"bm25"}
    assert columns.last_tag == b"bm25"


def test_lines_are_numbered_within_their_part(tmp_path):
    (tmp_path / "a").write_text("1 Q0 a 1 1 t\n1 Q0 b 1 1 t\n")
    (tmp_path / "b").write_text("#\n2 Q0 a 1 1 t\n")

    first, second = read_columns(str(tmp_path), Form("run"))

    assert list(first.lines) == [1, 2]
    assert np.asarray(second.lines).tolist() == [(1 << 40) + 2]


def test_a_wrong_line_is_named_with_its_part(tmp_path):
    (tmp_path / "a").write_text("1 Q0 a 1 1 t\n")
    (tmp_path / "b").write_text("1 Q0 b 1 1 t\n1 Q0 c 1 x t\n")

    with pytest.raises(InputError, match=r'b:2: score "x" is not a finite number'):
        list(read_columns(str(tmp_path), Form("run")))


def test_wrong_lines_of_all_parts_are_counted(tmp_path):
    for name in "abc":
        (tmp_path / name).write_text(f"1 Q0 {name} 1 1 t\n1 Q0 x 1 {name} t\n")
    problems = Problems(2)

    list(read_columns(str(tmp_path), Form("run", problems=problems)))

    assert sum(problems.counts.values()) == 3
    assert [error.place for error in problems.first] == [f"{tmp_path}/{x}:2" for x in "ab"]


def test_parts_with_other_columns_are_refused_where_columns_are_kept(tmp_path):
    (tmp_path / "a.csv").write_text("topic,docno,score\n1,a,1\n")
    (tmp_path / "b.csv").write_text("topic,docno,score,rank\n1,b,1,2\n")

    with pytest.raises(InputError, match=r"b\.csv: has a column of the rank, unlike the parts"):
        list(read_columns(str(tmp_path), Form("run", keep=True)))
    assert len(lines(tmp_path)) == 2


def test_a_beir_collection_is_no_run(tmp_path):
    (tmp_path / "qrels").mkdir()
    (tmp_path / "corpus.jsonl").write_text("{}\n")
    (tmp_path / "qrels/test.tsv").write_text("query-id\tcorpus-id\tscore\n1\ta\t1\n")

    assert lines(tmp_path, "qrels") == [(b"1", b"a", 1.0)]
    with pytest.raises(InputError, match="is a BEIR collection, which holds judgments and no run"):
        lines(tmp_path)


@pytest.mark.slow
def test_memory_does_not_grow_with_the_number_of_parts(tmp_path):
    """Topics go on from each part to the next, and few of them are judged."""
    rows, topics = 400_000, 4_000
    (tmp_path / "qrels").write_text("".join(f"t{n:06} 0 d1 1\n" for n in range(topics)))
    for number in range(16):
        n = np.arange(number * rows, (number + 1) * rows)
        columns = {
            "topic": pa.array([f"t{one // 150:06}" for one in n.tolist()]),
            "docno": pa.array([f"d{one % 150}" for one in n.tolist()]),
            "score": pa.array(-n.astype(float)),
        }
        for folder in ["all", "few"][: 2 if number < 4 else 1]:
            (tmp_path / folder).mkdir(exist_ok=True)
            pq.write_table(pa.table(columns), tmp_path / folder / f"{number:02}")

    few, every = (_peak(tmp_path / "qrels", tmp_path / name) for name in ("few", "all"))

    assert every < 1.2 * few


def _peak(qrels, run):
    """The most memory that an evaluation takes."""
    command = [sys.executable, "-m", "rankeval", "eval", "-m", "AP", qrels, run]
    with subprocess.Popen(
        list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as done:
        assert b"AP" in done.stdout.read()
        _, status, used = os.wait4(done.pid, 0)
        done.returncode = os.waitstatus_to_exitcode(status)
    assert done.returncode == 0
    return used.ru_maxrss


def _parts(folder, texts):
    folder.mkdir()
    for place, text in enumerate(texts):
        (folder / f"{place:02}.run").write_text(text)
    return str(folder)


def test_small_parts_are_read_side_by_side_and_come_in_their_order(tmp_path):
    path = _parts(tmp_path / "run", [f"{i} Q0 d 1 {i}.5 t\n" for i in range(6)])
    both = Barrier(2, timeout=30)  # broken, and an error, unless two threads wait at once

    def work(columns):
        both.wait()
        return columns.topics[0]

    found = list(map_blocks(path, Form("run"), work, jobs=2))

    assert found == [b"0", b"1", b"2", b"3", b"4", b"5"]


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_of_several_wrong_parts_the_first_is_told(tmp_path, jobs):
    texts = [f"{i} Q0 d 1 {'x' if i in (2, 4) else i} t\n" for i in range(6)]

    with pytest.raises(InputError, match=r"02\.run:1"):
        list(
            map_blocks(_parts(tmp_path / "run", texts), Form("run"), lambda found: found, jobs=jobs)
        )


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_wrong_lines_of_parts_are_gathered_in_their_order(tmp_path, jobs):
    texts = [f"{i} Q0 d 1 {i} t\n{i} Q0 e 2 {'x' if i % 2 else 0} t\n" for i in range(6)]
    problems = Problems(2)
    form = Form("run", problems=problems)

    found = list(map_blocks(_parts(tmp_path / "run", texts), form, len, jobs=jobs))

    assert sum(found) == 9
    assert sum(problems.counts.values()) == 3
    assert [str(error).split(": ")[0].rpartition("/")[2] for error in problems.first] == [
        "01.run:2",
        "03.run:2",
    ]


def test_a_run_of_which_a_part_has_no_ranks_has_none(tmp_path):
    (tmp_path / "a.csv").write_text("topic,docno,score,rank\n1,a,1,1\n")
    (tmp_path / "b.csv").write_text("topic,docno,score\n1,b,1\n")
    parts = list(read_columns(str(tmp_path), Form("run", ranks=True)))

    assert [one.ranks is None for one in parts] == [False, True]
    assert gathered(parts).ranks is None
    with pytest.raises(rankeval.UsageError, match="the run has no rank column"):
        rankeval.evaluate({"1": {"a": 1}}, tmp_path, "AP", rankeval.options.Settings(ties="rank"))

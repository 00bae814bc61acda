"""Every format holds the same run and the same judgments, found by content or by name."""

import gzip
import io
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import feather

import rankeval
from rankeval.io import arrow_parser, lines_parser
from rankeval.io.formats import Form
from rankeval.io.read import find_format, read_columns
from tests.support.commands import run_command

ROWS = [("1", "a", 2.5), ("1", "b b", 1.5), ("2", "x", 9.0), ("2", "c", 8.0)]
GRADES = [("1", "a", 1), ("1", "b", 0), ("2", "c", 2)]


def lines(*rows, separator="\t"):
    return "".join(separator.join(map(str, row)) + "\n" for row in rows).encode()


def mapping(rows):
    found = {}
    for topic, docno, value in rows:
        found.setdefault(topic, {})[docno] = value
    return json.dumps(found).encode()


def table(**columns):
    return pa.table(columns)


def parquet(content, **options):
    sink = io.BytesIO()
    pq.write_table(content, sink, **options)
    return sink.getvalue()


def feather_file(content):
    sink = io.BytesIO()
    feather.write_feather(content, sink)
    return sink.getvalue()


def stream(content):
    sink = io.BytesIO()
    with pa.ipc.new_stream(sink, content.schema) as writer:
        writer.write_table(content)
    return sink.getvalue()


RUN_TABLE = table(
    query_id=[1, 1, 2, 2],
    docno=pa.array(["a", "b b", "x", "c"]).dictionary_encode(),
    score=pa.array([2.5, 1.5, 9, 8], pa.float32()),
    tag=["t"] * 4,
)
RUNS = {
    "csv": lines(("qid", "docno", "score"), *ROWS, separator=","),
    "csv with quotes": b'score,qid,docno\n2.5,"1",a\r\n1.5,1,"b b"\n9,2,x\n8,2,c\n',
    "csv with semicolons": lines(("qid", "docno", "score"), *ROWS, separator=" ; "),
    "tsv": b"# a run\n\n" + lines(("Query-ID", "corpus-id", "score"), *ROWS),
    "tsv with text": lines(
        ("qid", "query", "docno", "rank", "score", "name"),
        *((topic, "some words", docno, 0, score, "t") for topic, docno, score in ROWS),
    ),
    "tsv with a mark": b"\xef\xbb\xbf" + lines(("qid", "docno", "score"), *ROWS),
    "json": mapping(ROWS),
    "json in lines": json.dumps(json.loads(mapping(ROWS)), indent=1).encode(),
    "list of objects": json.dumps(
        [{"qid": t, "docno": d, "score": s} for t, d, s in ROWS]
    ).encode(),
    "jsonl": b"".join(
        json.dumps({"qid": int(t), "docno": d, "score": s, "x": None}).encode() + b"\n"
        for t, d, s in ROWS
    ),
    "parquet": parquet(RUN_TABLE),
    "parquet in groups": parquet(RUN_TABLE, row_group_size=1),
    "feather": feather_file(RUN_TABLE),
    "arrow stream": stream(RUN_TABLE),
}  # fmt: skip
QRELS = {
    "trec": lines(*((t, 0, d, g) for t, d, g in GRADES), separator=" "),
    "beir": lines(("query-id", "corpus-id", "score"), *GRADES),
    "csv": lines(("topic", "docno", "relevance"), *GRADES, separator=","),
    "words": lines(("topic", "docno", "grade"), *GRADES, separator=" "),
    "json": mapping(GRADES),
    "jsonl": b'{"query_id": "1", "doc_id": "a", "relevance": 1}\n\n'
    b'{"relevance": 0, "query_id": "1", "doc_id": "b"}\n'
    b'{"query_id": "2", "doc_id": "c", "relevance": 2}',
    "parquet": parquet(
        table(topic=["1", "1", "2"], doc_id=["a", "b", "c"], label=pa.array([1, 0, 2], pa.int8()))
    ),
}


def rows_of(path, what, **how):
    found = []
    for part in read_columns(str(path), Form(what, **how)):
        sizes = (part.starts[1:] - part.starts[:-1]).tolist()
        topics = [t for t, n in zip(part.topics, sizes, strict=True) for _ in range(n)]
        found += zip(topics, part.docnos.tolist(), part.values.tolist(), strict=True)
    return [(topic.decode(), docno.decode(), value) for topic, docno, value in found]


@pytest.mark.parametrize("compress", [bytes, gzip.compress])
@pytest.mark.parametrize("content", RUNS.values(), ids=RUNS)
def test_a_run_is_known_by_its_content(tmp_path, content, compress):
    (tmp_path / "run").write_bytes(compress(content))

    assert rows_of(tmp_path / "run", "run") == ROWS


@pytest.mark.parametrize("content", RUNS.values(), ids=RUNS)
def test_a_run_of_any_format_may_come_through_a_pipe(tmp_path, content):
    """What cannot be read twice, and holds the same."""
    (tmp_path / "qrels").write_bytes(QRELS["trec"])
    (tmp_path / "run").write_bytes(content)
    arguments = [str(tmp_path / "qrels"), "-m", "nDCG@10 P@1", "-f", "tsv", "-q", "--quiet"]

    piped = run_command([*arguments, "-"], stdin=content)

    assert piped.code == 0
    values = [line.split("\t")[1:] for line in piped.stdout.splitlines()]
    file = run_command([*arguments, str(tmp_path / "run")]).stdout
    assert values == [line.split("\t")[1:] for line in file.splitlines()]


@pytest.mark.parametrize("content", QRELS.values(), ids=QRELS)
def test_judgments_are_known_by_their_content(tmp_path, content):
    (tmp_path / "qrels").write_bytes(content)

    assert rows_of(tmp_path / "qrels", "qrels") == GRADES


def test_ms_marcos_run_scores_by_rank(tmp_path):
    (tmp_path / "run").write_bytes(b"1\ta\t1\n1\tb\t2\n2 c  01\n")

    assert rows_of(tmp_path / "run", "run") == [("1", "a", -1), ("1", "b", -2), ("2", "c", -1)]


def test_ms_marcos_qrels_of_two_columns_say_what_is_relevant(tmp_path):
    (tmp_path / "qrels").write_bytes(b"1\ta\n2\tc\n")

    assert rows_of(tmp_path / "qrels", "qrels") == [("1", "a", 1), ("2", "c", 1)]


def test_a_run_with_ranks_and_no_scores_is_ranked_by_them(tmp_path):
    (tmp_path / "run").write_bytes(b"qid,docno,rank\n1,a,1\n1,b,2\n")

    assert rows_of(tmp_path / "run", "run") == [("1", "a", -1), ("1", "b", -2)]


@pytest.mark.parametrize("columns", ["topic=id, docno=item,score=points", "topic=id,score=points"])
def test_columns_may_be_named(tmp_path, columns):
    names = ("points", "id", "item" if "item" in columns else "docno")
    (tmp_path / "run").write_bytes(lines(names, (2.5, 1, "a")))
    reading = rankeval.options.Settings(columns=columns)

    assert rows_of(tmp_path / "run", "run", columns=reading.run_form().columns) == [("1", "a", 2.5)]


def test_named_columns_leave_trecs_lines_beside_them_alone(tmp_path):
    (tmp_path / "run").write_bytes(b"points,id,item\n2.5,1,a\n")
    (tmp_path / "qrels").write_bytes(QRELS["trec"])
    names = "topic=id,docno=item,score=points"

    files = [str(tmp_path / "qrels"), str(tmp_path / "run")]
    done = run_command([*files, "-m", "RR", "--columns", names, "-f", "tsv"])

    assert done.code == 0
    assert done.stdout.endswith("RR\tall\t0.5\n")


def test_a_format_is_forced_by_its_name(tmp_path):
    """These lines could be a header of words, or TREC's with too few columns."""
    (tmp_path / "run").write_bytes(b"topic docno 1\n")

    assert rows_of(tmp_path / "run", "run", name="msmarco") == [("topic", "docno", -1)]


@pytest.mark.parametrize("kind", ["csv", "tsv", "csv with quotes", "tsv with text"])
def test_large_files_with_headers_are_read_alike(tmp_path, kind):
    (tmp_path / "run").write_bytes(RUNS[kind].removeprefix(b"# a run\n\n"))
    layout, blocks = find_format(Form("run"), str(tmp_path / "run"))
    block = next(blocks)[0]

    quick = arrow_parser.parse(block, layout, 2)
    slow = lines_parser.parse(block, layout, "run", 2)

    if "quotes" in kind:
        assert quick is None
    else:
        assert quick.topics == slow.topics
        assert quick.docnos.tolist() == slow.docnos.tolist()
        assert quick.values.tolist() == slow.values.tolist()

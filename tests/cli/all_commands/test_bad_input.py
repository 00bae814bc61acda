"""What cannot be used is refused with one message that says where, what, and what to do.

The tables hold what a file has and the first line of the message, which names the place and what
was found; the transcript of mistakes has whole messages.
"""

import bz2
import datetime as dt
import gzip
import io
import json
import lzma
import re
import sys
from itertools import product
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import ipc, parquet

import rankeval
from rankeval.errors import RankevalError
from rankeval.io import blocks
from rankeval.io.blocks import USUAL
from tests.support.commands import run_command

QRELS = b"301 0 d1 1\n302 0 d2 2\n"
RUN = b"301 Q0 d1 1 2.5 tag\n302 Q0 d2 1 1.5 tag\n"


def parquet_of(rows=None, **columns):
    sink = io.BytesIO()
    parquet.write_table(pa.table(columns)[:rows], sink)
    return sink.getvalue()


def arrow_of(**columns):
    sink, table = io.BytesIO(), pa.table(columns)
    with ipc.new_file(sink, table.schema) as file:
        file.write_table(table)
    return sink.getvalue()


BAD_RUNS = [
    (RUN + b"303 Q0 d3 1 14.5\n" + RUN, ':3: found 5 columns: "303 Q0 d3 1 14.5"'),
    (b"# a run\n\n301\n", ':3: found 1 column: "301"'),
    (b"301,Q0,d1,1,2.5,tag\n", ':1: found 1 column: "301,Q0,d1,1,2.5,tag"'),
    (b"301 Q0 d1 1 2.5 \n", ':1: found 5 columns: "301 Q0 d1 1 2.5"'),
    (QRELS, ':1: found 4 columns: "301 0 d1 1"'),
    (RUN + b"303 Q0 d3 1 n/a tag\n303 Q0 d4 1 x tag\n", ':3: score "n/a" is not a finite number'),
    (b"301 Q0 d1 1 12abc tag\n", ':1: score "12abc" is not a finite number'),
    (b"301 Q0 d1 1 2,5 tag\n", ':1: score "2,5" is not a finite number'),
    (RUN + b"303 Q0 d3 1 nan tag\n", ':3: score "nan" is not a finite number'),
    (RUN + b"303 Q0 d3 1 -inf tag\n", ':3: score "-inf" is not a finite number'),
    (b"301 Q0 d1 1 1e999 tag\n", ':1: score "1e999" is not a finite number'),
    (b"301 Q0 d1 2.5 tag 1\n", ':1: score "tag" is not a finite number'),
    (b"301 Q0 d1 1 x tag\n301 Q0 d2\n", ':1: score "x" is not a finite number'),
    (
        RUN + b"\n301 Q0 d2 2 1 tag\n301 Q0 d1 3 0.5 tag\n302 Q0 d2 3 0.5 tag\n",
        ':5: document "d1" is listed twice in topic "301", first in line 1 (and 1 more such lines)',
    ),
    (b"", ": has no rankings"),
    (b"\xef\xbb\xbf", ": has no rankings"),
    (b"# a run\n\n   \n  # its end", ": has no rankings"),
    (gzip.compress(b""), ": has no rankings"),
    (
        b"".join(b"%d Q0 d1 1 1 tag\n" % topic for topic in range(1, 6)),
        ": no topic in common with qrels.txt: the run has 1, 2, 3 and 2 more, the qrels have",
    ),
    (RUN + b"303 Q0 d\0 1 1 tag\n", ":3: holds a NUL byte, so this is not a text file"),
    (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0", ":3: holds a NUL byte, so this is not a text file"),
    (RUN.decode().encode("utf-16"), ":1: holds a NUL byte, so this is not a text file"),
    (RUN.decode().encode("utf-16-le"), ":1: holds a NUL byte, so this is not a text file"),
    (
        RUN + b"303 Q0 " + b"d" * 3_000_000 + b"\n",
        ':3: found 3 columns: "303 Q0 ddddddddddddddddddddddddddddddddddddddddddddddddddddd…"',
    ),
    (
        b"301 \x1b[31mred\xff\xc3\xa9\xe2\x80\xae\n",
        ':1: found 2 columns: "301 \\x1b[31mred\\xffé\\u202e"',
    ),
    (b"qid,docno,score\n301,d1\n", ':2: found 2 columns: "301,d1"'),
    (b"qid,docno,score\n,d1,2\n", ':2: the topic is empty: ",d1,2"'),
    (
        b'qid,docno,score\n301,"d1,2\n',
        ':2: a quote is not closed, or not at both ends of its field: "301,"d1,2"',
    ),
    (b"qid,docno,score\n301,d1,high\n", ':2: score "high" is not a finite number'),
    (b"qid;docno;score\n301;d1;2,5\n", ':2: score "2,5" is not a finite number'),
    (
        b"qid,docno,score\n301,d1,2\n301,d1,1\n",
        ':3: document "d1" is listed twice in topic "301", first in line 2',
    ),
    (b"qid,docno,score\n", ": has no rankings"),
    (b"301\td1\t1\n301\td2\tx\n", ':2: rank "x" is not a finite number'),
    (b'{"301": {"d1": 2.5', ":1: this is not JSON (Expecting ',' delimiter at column 19)"),
    (
        b'{"301": {"d1": "high"}}',
        ", topic '301': the score of document 'd1' is 'high' (str)",
    ),
    (
        b'{"301": {"d1": null}}',
        ", topic '301': the score of document 'd1' is None (NoneType)",
    ),
    (
        b'{"301": {"d1": NaN}}',
        ", topic '301': the score of document 'd1' is nan",
    ),
    (
        b'{"301": {"d1": 1}, "301": {"d2": 1}}',
        ': the name "301" occurs twice in an object',
    ),
    (b'{"301": {"d1": 1, "d1": 2}}', ': the name "d1" occurs twice in an object'),
    (b'{"301": ' + b"[" * 100000, ": the JSON is nested too deeply"),
    (b"{}", ": has no rankings"),
    (
        b'{"qid": 1, "docno": "a", "score": 1}\n{"qid": 1, "score": 1}\n',
        ':2: the object has no "docno": "{"qid": 1, "score": 1}"',
    ),
    (
        b'{"qid": 1, "docno": "a", "score": 1}\nend\n',
        ':2: this is not JSON (Expecting value at column 1): "end"',
    ),
    (
        b'{"a": 1, "b": "a", "c": 1}\n',
        ": has no column of the topic, the docno, the score: a b c",
    ),
    (
        b'{"qid": 1, "docno": "a", "score": 1}\n{"qid": 1, "docno": "a", "score": 1, "score": 2}\n',
        ':2: the name "score" occurs twice in an object',
    ),
    (gzip.compress(RUN + b"303 Q0 d3\n"), ':3: found 3 columns: "303 Q0 d3"'),
    (b"301 Q0 d1 1 0x10 tag\n", ':1: score "0x10" is not a finite number'),
    (b"<!DOCTYPE html>\n<html><body>404</body></html>\n", ':1: found 2 columns: "<!DOCTYPE html>"'),
    (
        parquet_of(topic=["301"], docno=["d1"], score=[1.0])[:100],
        ": is not a readable Parquet file",
    ),
    (
        parquet_of(a=["301"], b=["d1"], c=[1.0]),
        ": has no column of the topic, the docno, the score: a b c",
    ),
    (
        parquet_of(topic=["301", None], docno=["d1", "d2"], score=[1.0, 2.0]),
        ":2: the topic is empty",
    ),
    (
        parquet_of(topic=["301"], docno=["d1"], score=[float("nan")]),
        ":1: the score is nan, or missing",
    ),
    (
        parquet_of(topic=["301"], docno=["d1"], score=["high"]),
        ": column 'score' is of the type string",
    ),
    (parquet_of(topic=["301"], docno=["d1"], score=[1.0], rows=0), ": has no rankings"),
    (
        arrow_of(topic=["301", "301"], docno=["d1", "d1"], score=[1.0, 2.0]),
        ':2: document "d1" is listed twice in topic "301", first in line 1',
    ),
]

BAD_QRELS = [
    (QRELS + b"301 d1 1\n", ':3: found 3 columns: "301 d1 1"'),
    (QRELS + b"301 0 d3 1 sure\n", ':3: found 5 columns: "301 0 d3 1 sure"'),
    (RUN, ':1: found 6 columns: "301 Q0 d1 1 2.5 tag"'),
    (QRELS + b"301 0 d3 relevant\n", ':3: grade "relevant" is not a finite number'),
    (b"301 0 d1 NaN\n", ':1: grade "NaN" is not a finite number'),
    (b"301 0 d1 inf\n", ':1: grade "inf" is not a finite number'),
    (QRELS + b"301 0 d1 0\n", ':3: document "d1" is judged twice for topic "301", first in line 1'),
    (b"", ": has no judgments"),
    (b"# judged by hand\n", ": has no judgments"),
    (b"\0" * 100, ":1: holds a NUL byte, so this is not a text file"),
    (QRELS.decode().encode("utf-16"), ":1: holds a NUL byte, so this is not a text file"),
    (b"301 g1 s1 d1 1\n301 g1 s1 d2 0\n", ':1: found 5 columns: "301 g1 s1 d1 1"'),
    (
        b'{"301": {"d1": "yes"}}',
        ", topic '301': the grade of document 'd1' is 'yes' (str)",
    ),
    (b'{"301": 5}', ": has no column of the topic, the docno, the grade: 301"),
    (
        b'{"qid": 1, "docno": "a", "grade": 1}\n{"qid": 1, "docno": "b"}\n',
        ':2: the object has no "grade": "{"qid": 1, "docno": "b"}"',
    ),
    (
        b'{"301": {"d1": 1},\n',
        ":2: this is not JSON (Expecting property name enclosed in double quotes at column 1)",
    ),
    (
        arrow_of(topic=["301"], docno=["d1"], grade=[dt.time(1)]),
        ": column 'grade' is of the type time64[us]",
    ),
]

BESIDE = [
    ("weights", b"301 1\n302\n", ":2: found 1 column"),
    ("weights", b"301 -1\n302 1\n", ':1: the weight "-1" is not possible'),
    ("weights", b"301 1\n301 2\n", ':2: topic "301" is listed twice'),
    ("weights", b"", ": has no topics"),
    ("weights", b"301 0\n302 0\n", ": the weights of all evaluated topics are 0"),
    ("groups", b"topic\tkind\tsize\n301\ta\tb\n", ":2: found 3 columns"),
    ("costs", b"d1 1\nd2\n", ":2: found 1 column"),
]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> Path:
    """An empty working directory but for good judgments and a good run."""
    monkeypatch.chdir(tmp_path)
    Path("qrels.txt").write_bytes(QRELS)
    Path("run.txt").write_bytes(RUN)
    return tmp_path


def assert_refused(first: str, qrels="qrels.txt", run="run.txt", measures="AP") -> str:
    """The library raises a message that begins so, and the command prints it and nothing else."""
    with pytest.raises(RankevalError) as refused:
        rankeval.evaluate(qrels, run, measures)
    assert str(refused.value).splitlines()[0].startswith(first)
    return assert_command_refuses(first, [qrels, run, "-m", measures])


def assert_command_refuses(first: str, arguments: list[str]) -> str:
    """Exit code 2, nothing printed or written, at most three lines; return them."""
    outcome = run_command([*arguments, "-o", "results.json"])
    assert (outcome.code, outcome.stdout) == (2, "")
    told, *rest = outcome.stderr.removeprefix("rankeval: ").splitlines()
    assert told.startswith(first)
    assert len(rest) <= 2
    assert all(line.startswith(("  expected: ", "  to fix:   ")) for line in rest)
    written = Path("results.json")
    if arguments[0] == "gate":  # whose report says that there is no verdict, and why
        assert json.loads(written.read_text())["summary"] == f"cannot be judged: {told}"
        written.unlink()
    assert not written.exists()
    assert run_command(arguments) == outcome
    return outcome.stderr


def test_the_good_files_are_good():
    """A byte order mark does not hide the first topic."""
    for mark in (b"", b"\xef\xbb\xbf"):
        Path("qrels.txt").write_bytes(mark + QRELS)
        Path("run.txt").write_bytes(mark + RUN)

        outcome = run_command(["qrels.txt", "run.txt", "-m", "AP", "-f", "tsv"])

        assert (outcome.code, outcome.stderr) == (0, "")
        assert outcome.stdout.endswith("\tAP\tall\t1.0\n")


@pytest.mark.parametrize(("data", "message"), BAD_RUNS, ids=[one for _, one in BAD_RUNS])
def test_bad_runs_are_refused(data, message):
    Path("run.txt").write_bytes(data)

    assert_refused(f"run.txt{message}")


@pytest.mark.parametrize(("data", "message"), BAD_QRELS, ids=[one for _, one in BAD_QRELS])
def test_bad_qrels_are_refused(data, message):
    Path("qrels.txt").write_bytes(data)

    assert_refused(f"qrels.txt{message}")


@pytest.mark.parametrize(("kind", "data", "message"), BESIDE)
def test_bad_files_beside_runs_are_refused(kind, data, message):
    Path("beside.txt").write_bytes(data)
    words = ["qrels.txt", "run.txt", "-m", "AP TBG", "--with", f"{kind}=beside.txt"]

    assert_command_refuses(f"beside.txt{message}", words)


LINE = re.compile(r"^:(\d+): (?!.*is not JSON|.*quote|the topic)")


@pytest.mark.parametrize(
    ("text", "message"), [case for case in BAD_RUNS[:25] if LINE.match(case[1])]
)
def test_large_files_are_refused_in_the_same_words(text, message):
    """What is bad stands behind more good lines than the plain reader is given."""
    good = b"0 Q0 %06d 1 1 " + b"t" * 500 + b"\n"
    head = b"".join(good % i for i in range(USUAL.plain_bytes // len(good) + 5000 // len(good) + 1))
    n_lines = head.count(b"\n")
    Path("run.txt").write_bytes(head + text)

    with pytest.raises(RankevalError) as refused:
        rankeval.evaluate("qrels.txt", "run.txt", "AP")

    assert len(head) > USUAL.plain_bytes
    expected = LINE.sub(lambda found: f":{int(found[1]) + n_lines}: ", message)
    expected = expected.replace("in line 1 ", f"in line {1 + n_lines} ")
    assert str(refused.value).splitlines()[0] == f"run.txt{expected}"


@pytest.mark.parametrize("which", ["qrels", "run"])
@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("missing/file", "no such file"),
        ("run.txt/file", "cannot be opened: Not a directory"),
        ("directory", "is a folder without any file"),
        ("broken", "no such file"),
        ("circle", "cannot be opened: Too many levels of symbolic links"),
        ("x" * 5000, "cannot be opened: File name too long"),
    ],
)
@pytest.mark.skipif(sys.platform == "win32", reason="the messages of the system are POSIX's")
def test_what_cannot_be_opened_is_refused(which, path, message):
    Path("directory").mkdir()
    Path("broken").symlink_to("nowhere.txt")
    Path("circle").symlink_to("circle")

    assert_refused(f"{path}: {message}", **{which: path})


@pytest.mark.parametrize("which", ["qrels.txt", "run.txt"])
def test_a_file_without_permission_is_refused(which, monkeypatch):
    """Simulated, because root may read every file."""
    open_file = open

    def forbidding(path, *arguments, **options):
        if path == which:
            raise PermissionError(13, "Permission denied")
        return open_file(path, *arguments, **options)

    monkeypatch.setattr("builtins.open", forbidding)

    assert_refused(f"{which}: cannot be opened: Permission denied")


def test_a_disk_that_fails_is_told(monkeypatch):
    def failing(_raw):
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(blocks, "decompressed", failing)

    assert_refused("qrels.txt: cannot be read: Input/output error")


def zstd(data: bytes) -> bytes:
    return compressed(data, "zstd")


def lz4(data: bytes) -> bytes:
    return compressed(data, "lz4")


def compressed(data: bytes, kind: str) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, kind) as stream:
        stream.write(data)
    return sink.getvalue().to_pybytes()


@pytest.mark.parametrize("which", ["qrels.txt", "run.txt"])
@pytest.mark.parametrize(
    ("compress", "damage"),
    [
        *product([gzip.compress, bz2.compress, lzma.compress, zstd, lz4], ["cut off", "damaged"]),
        # bzip2 and Python's xz ignore what follows their data.
        *product([gzip.compress, zstd, lz4], ["followed by rubbish"]),
    ],
)
def test_damaged_compressed_files_are_refused(which, damage, compress):
    lines = [b"%d 0 doc%d %d %d tag" % (i % 7, i, i, i * i % 97) for i in range(3000)]
    width = 4 if which == "qrels.txt" else 6
    data = compress(b"".join(b" ".join(line.split()[:width]) + b"\n" for line in lines))
    middle = len(data) // 2
    damaged = {
        "cut off": data[:middle],
        "damaged": data[:middle] + bytes(40) + data[middle + 40 :],
        "followed by rubbish": data + b"rubbish" * 10,
    }[damage]
    Path(which).write_bytes(damaged)

    with pytest.raises(RankevalError) as refused:
        rankeval.evaluate("qrels.txt", "run.txt", "AP")

    first = str(refused.value).splitlines()[0]
    cut = f"{which}: the compressed data is damaged or cut off: "
    assert first.startswith(cut if damage == "cut off" else f"{which}:")
    assert_command_refuses(first, ["qrels.txt", "run.txt", "-m", "AP"])


def test_a_line_without_end_is_refused(monkeypatch):
    monkeypatch.setattr(blocks, "LONGEST_LINE", 1 << 20)
    Path("run.txt").write_bytes(RUN + b"x" * (9 << 20))

    assert_refused("run.txt:3: the line is longer than 1 MB")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("-l 0", "the lowest relevant grade cannot be 0"),
        ("-M 0", "the depth cannot be 0"),
        (f"-M {10**30}", f"the depth cannot be {10**30}"),
        ("-N -3", "the collection size cannot be -3"),
        ("-c --topics both", "--complete contradicts --topics both"),
    ],
)
def test_impossible_options_are_refused(options, message):
    assert_command_refuses(message, ["qrels.txt", "run.txt", *options.split()])


@pytest.mark.parametrize(
    ("words", "stdin", "first", "last"),
    [
        ("qrels.txt -", RUN + b"301 Q0\n", ':3: found 2 columns: "301 Q0"', ""),
        (
            "- run.txt",
            QRELS.decode().encode("utf-16"),
            ":1: holds a NUL byte, so this is not a text file",
            "lists all wrong lines\n",
        ),
    ],
)
def test_standard_input_is_refused_as_a_file_is(words, stdin, first, last):
    outcome = run_command(words.split(), stdin=stdin)

    assert (outcome.code, outcome.stdout) == (2, "")
    assert outcome.stderr.splitlines()[0] == f"rankeval: standard input{first}"
    assert outcome.stderr.endswith(last)


def test_a_closed_standard_input_is_told(monkeypatch):
    """As the shell's `<&-` leaves it."""
    monkeypatch.setattr(sys, "stdin", None)

    with pytest.raises(RankevalError, match="standard input: is closed"):
        rankeval.evaluate("qrels.txt", "-", "AP")


def test_the_first_run_that_is_bad_is_told_and_no_other_is_printed():
    Path("bad.txt").write_bytes(b"301 Q0\n")

    words = ["qrels.txt", "run.txt", "bad.txt", "run.txt"]
    assert_command_refuses('bad.txt:1: found 2 columns: "301 Q0"', words)


def test_judgments_that_do_not_come_first_are_recognised():
    Path("qrels.csv").write_text("topic,docno,grade\n301,d1,1\n")
    Path("run.csv").write_text("topic,docno,score,tag\n301,d1,2.5,t\n")

    told = assert_command_refuses("qrels.csv: has no column", ["run.csv", "qrels.csv"])

    assert "this looks like qrels: name the qrels first, then the runs" in told

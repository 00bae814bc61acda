"""Lines that are dropped, documents listed twice, and chunks of documents."""

import io
import json
import math
import re

import pyarrow as pa
import pyarrow.feather
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankeval
from rankeval.errors import UsageError
from rankeval.ranking.duplicates import collapse_at, documents_of
from tests.support.commands import run_command
from tests.support.growth import MOST, growth

QRELS = "1 0 a 1\n1 0 b 0\n2 0 c 2\n"


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write(run, qrels=QRELS):
        (tmp_path / "run.txt").write_text(run)
        (tmp_path / "qrels.txt").write_text(qrels)
        return tmp_path

    return write


def value(measure="RR", **how):
    results = rankeval.evaluate("qrels.txt", "run.txt", measure, **how)
    return results.runs[0].scores[0].aggregate


def lines(*rows):
    return "".join(f"{topic} Q0 {docno} 0 {score} t\n" for topic, docno, score in rows)


# --- lines that are wrong -----------------------------------------------------------------

WRONG = "1 Q0 x 0 9 t\n1 Q0 y\n1 Q0 z 0 nan t\n1 Q0 z 0 abc t\n1 Q0 a 0 8 t\n2 Q0 c 0 8 t\n"


def test_lines_that_are_wrong_are_dropped_and_counted(files):
    files(WRONG, QRELS + "2 0 d\n")

    done = run_command(["qrels.txt", "run.txt", "-m", "RR", "-f", "json", "--on-error", "skip"])

    assert done.code == 0
    found = json.loads(done.stdout)
    assert found["runs"][0]["measures"]["RR"]["mean"] == (1 / 2 + 1) / 2
    kinds = {"wrong number of columns": 1, "score that is not a finite number": 2}
    assert found["runs"][0]["dropped"] == kinds
    assert found["qrels"]["dropped"] == {"wrong number of columns": 1}
    assert found["settings"]["on_error"] == "skip"
    assert "|wrong-lines:skipped|" in found["runs"][0]["measures"]["RR"]["signature"]
    assert (
        "run.txt: 3 lines dropped (2 × score that is not a finite number, "
        "1 × wrong number of columns)"
    ) in done.stderr
    assert "qrels.txt: 1 line dropped" in done.stderr


def feather_of(**columns):
    sink = io.BytesIO()
    pa.feather.write_feather(pa.table(columns), sink)
    return sink.getvalue()


TOPICS, DOCNOS, SCORES = (
    ["1", "1", None, "1", "", "1", "2"],
    ["x", "", "y", None, "z", "a", "c"],
    [math.nan, 9.0, 9.0, 9.0, 9.0, 8.0, None],
)


def test_wrong_rows_of_tables_are_dropped_and_counted(files):
    """The document a of topic 1 is all that is left."""
    folder = files("")
    (folder / "run.txt").write_bytes(feather_of(qid=TOPICS, docno=DOCNOS, score=SCORES))
    dropped = {"score that is not a finite number": 2, "empty docno": 2, "empty topic": 2}

    done = run_command(
        ["qrels.txt", "run.txt", "-m", "RR NumRet", "-f", "json", "--on-error", "skip"]
    )

    (run,) = json.loads(done.stdout)["runs"]
    assert run["dropped"] == dropped
    assert run["measures"]["NumRet"]["mean"] == 1
    assert run["measures"]["RR"]["mean"] == 1 / 2
    assert run_command(["qrels.txt", "run.txt"]).code == 2
    report = rankeval.check(["qrels.txt", "run.txt"])[1]
    assert report.wrong == dropped


def test_dropped_lines_of_large_files_are_counted_once(files, usual_sizes):
    """Whatever the blocks, and though a topic that comes back has the file read twice."""
    usual_sizes(plain_bytes=0, block_bytes=64)
    files(WRONG * 1 + lines(*((3, f"d{i}", -i) for i in range(200))) + "1 Q0 late\n1 Q0 l 0 1 t\n")

    for jobs in 1, 2:
        (run,) = rankeval.evaluate(
            "qrels.txt",
            "run.txt",
            "RR",
            on_error="skip",
            jobs=jobs,
        ).runs
        assert run.dropped["wrong number of columns"] == 2
        assert run.dropped["score that is not a finite number"] == 2


# --- documents listed twice -----------------------------------------------------------

RANKED = "1 Q0 a 3 9 t\n1 Q0 b 2 1 t\n1 Q0 a 1 0 t\n"
TWICE = lines((1, "a", 5), (1, "b", 7), (1, "a", 9), (1, "a", 1), (2, "c", 1))


@pytest.mark.parametrize(
    ("run", "how", "expected"),
    [
        (TWICE, {"duplicates": "first"}, 1 / 2),
        (TWICE, {"duplicates": "last"}, 1 / 2),
        (TWICE, {"duplicates": "best"}, 1),
        (lines((1, "a", 9), (1, "b", 7), (1, "a", 5)), {"duplicates": "first"}, 1),
        (lines((1, "a", 9), (1, "b", 7), (1, "a", 5)), {"duplicates": "last"}, 1 / 2),
        (RANKED, {"duplicates": "first", "order": "rank"}, 1 / 2),
        (RANKED, {"duplicates": "best", "order": "rank"}, 1),
    ],
)
def test_one_line_of_a_document_counts(files, run, how, expected):
    """The best one is the best in the order that counts."""
    files(run, "1 0 a 1\n")

    assert value(**how) == expected


@pytest.mark.parametrize(("rule", "grade"), [("first", 1), ("last", 0), ("best", 3)])
def test_one_judgment_of_a_document_counts(files, rule, grade):
    files(TWICE, "1 0 b 0\n1 0 a 1\n2 0 c 1\n1 0 a 3\n1 0 a 0\n")

    qrels = rankeval.Qrels("qrels.txt", duplicates=rule)

    assert dict(zip(qrels.docno.tolist(), qrels.grade.tolist(), strict=True)) == {
        qrels.docnos.plain[b"a"]: grade,
        qrels.docnos.plain[b"b"]: 0,
        qrels.docnos.plain[b"c"]: 1,
    }


# --- chunks -------------------------------------------------------------------------------

CHUNKS = lines((1, "b#1", 9), (1, "b#2", 8), (1, "a#7", 5), (1, "a#2", 5), (2, "c", 1))


@pytest.mark.parametrize("regex", ["#.*", r"#\d+$", r"^(.*)#"])
@pytest.mark.parametrize(
    ("by", "expected"), [("first", (1 / 2 + 1) / 2), ("max", (1 / 2 + 1) / 2), ("sum", 3 / 4)]
)
def test_chunks_count_as_their_document(files, regex, by, expected):
    files(CHUNKS)

    assert value(collapse=f"{by}:{regex}") == expected
    assert value() == 1 / 2  # "c" alone


def dechunked(rows, *, order, ties, by):
    """The documents of one topic's (docno, rank, score) in rank order, by a plain loop."""
    best_first = sorted(range(len(rows)), key=lambda i: rows[i][0].encode(), reverse=True)
    if ties == "input":
        best_first = list(range(len(rows)))
    if ties == "rank":
        best_first.sort(key=lambda i: rows[i][1])
    best_first.sort(key=lambda i: rows[i][1] if order == "rank" else -rows[i][2])
    found = {}
    for i in best_first:
        found.setdefault(rows[i][0].partition("#")[0], []).append(i)
    if by == "first":
        return list(found)
    documents = sorted(found, key=str.encode, reverse=True)
    if ties == "input":
        documents = list(found)
    if ties == "rank":
        documents.sort(key=lambda d: rows[found[d][0]][1])
    if by == "sum":
        return sorted(documents, key=lambda d: -sum(rows[i][2] for i in found[d]))
    if order == "rank":
        return sorted(documents, key=lambda d: rows[found[d][0]][1])
    return sorted(documents, key=lambda d: -rows[found[d][0]][2])


# Among documents a! is greater than a, among their chunks a# than a!#.
CHUNKED_ROWS = st.lists(
    st.tuples(
        st.builds("{}#{}".format, st.sampled_from(("a", "a!", "b")), st.integers(0, 3)),
        st.integers(1, 4),
        st.integers(0, 3),
    ),
    min_size=1,
    max_size=9,
    unique_by=lambda row: row[0],
)


@pytest.mark.slow
@settings(max_examples=40)
@pytest.mark.parametrize("ties", ["docno", "input", "rank"])
@pytest.mark.parametrize(
    ("order", "by"),
    [("score", "first"), ("score", "max"), ("score", "sum"), ("rank", "first"), ("rank", "max")],
)
@given(rows=CHUNKED_ROWS)
def test_chunks_are_collapsed_as_one_by_one(tmp_path_factory, order, ties, by, rows):
    """Whatever orders them: the rank of each document is what a plain loop gives it."""
    folder = tmp_path_factory.mktemp("chunks")
    lines_of_run = (f"1 Q0 {docno} {rank} {score} t\n" for docno, rank, score in rows)
    (folder / "run").write_text("".join(lines_of_run))
    expected = dechunked(rows, order=order, ties=ties, by=by)
    how = {"order": order, "ties": ties, "collapse": f"{by}:#.*"}

    for place, document in enumerate(expected, 1):
        results = rankeval.evaluate({"1": {document: 1}}, folder / "run", "RR NumRet", **how)
        reciprocal, retrieved = (score.aggregate for score in results.runs[0].scores)
        assert (reciprocal, retrieved) == (1 / place, len(expected))


def test_the_chunks_of_two_documents_may_tie(files):
    """By the rank of the best chunk, too: a and b have the same score, whatever the rule."""
    files(lines((1, "a#1", 5), (1, "b#2", 5), (1, "b#1", 3)), "1 0 a 1\n1 0 b 0\n")
    values = {}
    for ties in ("best", "worst", "expected"):
        results = rankeval.evaluate(
            "qrels.txt",
            "run.txt",
            "RR",
            ties=ties,
            collapse="#.*",
        )
        values[ties] = results.runs[0].scores[0].aggregate

    assert values == {"best": 1, "worst": 1 / 2, "expected": 3 / 4}


PIECES = st.sampled_from(
    [
        r"#\d+$",
        "^",
        "$",
        ".*",
        ".*?",
        "a",
        "b+",
        "[ab#]",
        "(a|b)?",
        "(?:ab)*",
        "_",
        r"\w",
        "#",
        "x{2}",
    ]
)
NAMES = st.lists(st.binary(max_size=8) | st.text("ab_#1x", max_size=12).map(str.encode), max_size=9)


@settings(max_examples=200, deadline=None)
@given(st.lists(PIECES, min_size=1, max_size=4).map("".join), NAMES)
def test_a_pattern_finds_what_python_finds(pattern, names):
    """Names with a line end at their end apart: before it, `$` matches in Python."""
    names = [name.replace(b"\n", b"") for name in names]
    compiled = re.compile(pattern.encode())
    expected = []
    for name in names:
        match = compiled.search(name)
        if match is None:
            expected.append(name)
        elif compiled.groups:
            expected.append(match[1] or name)
        else:
            expected.append(name[: match.start()] + name[match.end() :] or name)

    assert documents_of(collapse_at(pattern).regex, names) == expected


@pytest.mark.slow
@pytest.mark.parametrize("pattern", [r"(a+)+$", r"^(a|a)*$", r"(a*)*b", r".*.*.*.*x", r"\d+$"])
def test_no_pattern_backtracks_without_end(pattern):
    """On 40 letters Python tries 2^40 ways; here time grows with the name's length."""
    collapse = collapse_at(pattern)

    def names(n):
        return lambda: documents_of(collapse.regex, [b"a" * n + b"!", b"1" * n + b"!"])

    assert names(40)() == [b"a" * 40 + b"!", b"1" * 40 + b"!"]
    assert growth(names, 20_000) < MOST


WRONG_PATTERNS = ["(", r"(?=a)b", r"(a)\1", r"(?>a)b", r"a++b", r"a{2000}"]
"""Not regular expressions, or such that need backtracking."""


@pytest.mark.parametrize(
    "how",
    [
        *({"collapse": regex} for regex in WRONG_PATTERNS),
        {"duplicates": "all"},
        {"on_error": "ignore"},
    ],
)
def test_impossible_rules_are_refused(how):
    with pytest.raises(UsageError):
        rankeval.options.Settings(**how).rules()

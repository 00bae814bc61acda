"""Odd but well-formed files are known for what they are; what could be either is not guessed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankeval.errors import InputError
from rankeval.io import read
from rankeval.io.blocks import ReadSizes
from rankeval.io.formats import Beginning, Form
from rankeval.io.read import begin, detect, read_columns
from tests.io.test_formats_agree import rows_of

A, B = ("1", "a", 2.0), ("1", "b", 1.0)
RUNS = {
    "numbers in every column": (b"1 0 7 1 9 8\n", [("1", "7", 9.0)]),
    "one line without its end": (b"1 Q0 a 1 2 t", [A]),
    "a carriage return at the end": (b"1 Q0 a 1 2 t\r", [A]),
    "empty lines first": (b"\n \n\t\r\n1 Q0 a 1 2 t\n", [A]),
    "comments first": (b"# one two three four 5 six\n#\n1 Q0 a 1 2 t\n", [A]),
    "nothing but comments": (b"# one\n#two", []),
    "nothing": (b"", []),
    "tabs and blanks": (b"1\tQ0 a\t 1  2 \tt\r\n \t1 Q0  b 2\t1 t\n", [A, B]),
    "names of columns as names": (b"topic Q0 docno 1 2 tag\n", [("topic", "docno", 2.0)]),
    "a header of words": (b"topic Q0 docno rank score tag\n1 Q0 a 1 2 t\n", [A]),
    "a header of three words": (b"topic docno score\n1 a 2\n", [A]),
    "a header and no line": (b"topic\tdocno\tscore\n", []),
    "columns in another order": (b"score\tqid\tpid\n2\t1\ta\n", [A]),
    "names in capitals, with blanks": (b"Topic ID,Doc ID,Score\n1,a,2\n", [A]),
    "quoted names": (b'"qid","docno","score"\r\n"1","a","2"\r\n', [A]),
    "quoted blanks": (b'qid,docno,score\n 1 ," a ", 2 \n', [("1", " a ", 2.0)]),
    "a quoted separator and quote": (b'qid,docno,score\n1,"a,""b",2\n', [("1", 'a,"b', 2.0)]),
    "a quoted hash": (b'qid,docno,score\n"#1",a,2\n#1,a,2\n', [("#1", "a", 2.0)]),
    "a mark and a header": (b"\xef\xbb\xbfqid,docno,score\n1,a,2\n", [A]),
    "a mark and no header": (b"\xef\xbb\xbf1 Q0 a 1 2 t\n", [A]),
    "a mark and JSON": (b'\xef\xbb\xbf{"1": {"a": 2}}', [A]),
    "MS MARCO with carriage returns": (b"1\ta\t1\r\n1\tb\t2", [("1", "a", -1.0), ("1", "b", -2.0)]),
    "MS MARCO of numbers": (b"1\t2\t1\n", [("1", "2", -1.0)]),
    "MS MARCO with blanks": (b"1 2 1\n", [("1", "2", -1.0)]),
    "a list as a topic": (b"[1] Q0 a 1 2 t\n", [("[1]", "a", 2.0)]),
    "Parquet's mark as a topic": (b"PAR1 Q0 a 1 2 t\n", [("PAR1", "a", 2.0)]),
    "Arrow's mark as a topic": (b"ARROW1 Q0 a 1 2 t\n", [("ARROW1", "a", 2.0)]),
    "an empty object": (b"{}", []),
    "an empty list": (b"[]\n", []),
    "an empty topic's object": (b'{"1": {}}', []),
    "JSON before blanks": (b'\n  \n {"1":\n {"a": 2}}', [A]),
}
QRELS = {
    "numbers in every column": (b"1 0 7 1", [("1", "7", 1.0)]),
    "MS MARCO of two numbers": (b"1\t7\r\n", [("1", "7", 1.0)]),
    "MS MARCO of four": (b"1\t0\t7\t1\n", [("1", "7", 1.0)]),
    "two known names": (b"topic docno\n", []),
    "two words": (b"topic seven\n", [("topic", "seven", 1.0)]),
    "names of columns as names": (b"label 0 rel 1\n", [("label", "rel", 1.0)]),
    "a header of four words": (b"topic iteration docno grade\n1 0 a 2\n", [A]),
    "words in another order": (b"qid docno label iter\n1 a 2 0\n", [A]),
    "BEIR with carriage returns": (b"query-id\tcorpus-id\tscore\r\n1\ta\t2\r\n", [A]),
    "a fraction in JSON": (b'{"1": {"a": 2, "b": 1.0}}', [A, B]),
}


@pytest.mark.parametrize(("content", "rows"), RUNS.values(), ids=RUNS)
def test_odd_runs_are_read(tmp_path, content, rows):
    (tmp_path / "run").write_bytes(content)

    assert rows_of(tmp_path / "run", "run") == rows


@pytest.mark.parametrize(("content", "rows"), QRELS.values(), ids=QRELS)
def test_odd_judgments_are_read(tmp_path, content, rows):
    (tmp_path / "qrels").write_bytes(content)

    assert rows_of(tmp_path / "qrels", "qrels") == rows


@pytest.mark.parametrize(
    "content", ["1 Q0 caf\xe9 1 2 t\n", "qid;docno;score\n1;caf\xe9;2\n", "1\tcaf\xe9\t1\n"]
)
def test_names_in_another_encoding_are_bytes_as_good_as_any(tmp_path, content):
    (tmp_path / "run").write_bytes(content.encode("cp1252"))

    form = Form("run")
    begun = begin(str(tmp_path / "run"))
    assert detect(begun, "run", form) in ("trec", "csv", "msmarco")
    with pytest.raises(UnicodeDecodeError, match="0xe9"):
        rows_of(tmp_path / "run", "run")  # which decodes what was read


@pytest.mark.parametrize(
    ("what", "content", "remedy"),
    [
        ("run", b"1\ta\t2.5\n", "name the columns in a first line, such as topic docno score"),
        ("run", b"1,a,2.5\n", "name the columns in a first line, such as topic,docno,score"),
        ("run", b"1;a;2,5\n", "name the columns in a first line, such as topic,docno,score"),
        ("qrels", b"1 a 1\n", "name the columns in a first line, such as topic docno grade"),
        ("run", b"1 Q0 a 1 2\n", "add the missing column"),
        ("run", b"1 0 a 1\n", "this looks like qrels: name the qrels first, then the runs"),
        ("run", b'[{"1": {"a": 2}}]\n{"2": {"a": 1}}\n', "check that the file is complete"),
    ],
)
def test_what_could_be_either_is_refused_with_what_would_tell_it(tmp_path, what, content, remedy):
    (tmp_path / "file").write_bytes(content)

    with pytest.raises(InputError) as error:
        rows_of(tmp_path / "file", what)

    assert error.value.remedy.startswith(remedy)


WORDS = st.text(st.characters(codec="ascii", min_codepoint=33), min_size=1, max_size=5)


@given(
    st.lists(WORDS, min_size=4, max_size=4),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from([" ", "\t", "  "]),
)
def test_a_line_of_six_columns_with_a_score_is_a_run_whatever_its_names(words, score, blank):
    """But for names that begin as a comment or as JSON does."""
    topic, docno, rank, tag = words
    line = blank.join([topic, "Q0", docno, rank, repr(score), tag]).encode()

    if topic[0] not in "#{[":
        assert detect(Beginning([line], line, 0, iter(())), "run", Form("run")) == "trec"


@given(st.lists(WORDS, min_size=2, max_size=2), st.integers(-9, 9))
def test_a_line_of_four_columns_with_a_grade_is_a_judgment_whatever_its_names(words, grade):
    topic, docno = words
    line = f"{topic} 0 {docno} {grade}".encode()

    if topic[0] not in "#{[":
        assert detect(Beginning([line], line, 0, iter(())), "qrels", Form("qrels")) == "trec"


@pytest.mark.parametrize("n_comments", [1023, 1024, 1025, 1400])
def test_the_first_line_is_the_same_however_the_file_is_cut(tmp_path, monkeypatch, n_comments):
    """A header below a megabyte of comments was found in a large block, and not in small ones."""
    monkeypatch.setattr(read, "LOOKED_AT", 1 << 20)
    comment = b"#" + b"x" * 1022 + b"\n"
    path = tmp_path / "run.txt"
    path.write_bytes(comment * n_comments + b"topic docno score\n1 a 2\n")

    found = {
        begin(str(path), ReadSizes(block_bytes=size)).line
        for size in (1 << 12, 100_003, 1 << 20, 5 << 20)
    }

    assert found == {b"topic docno score" if n_comments <= 1024 else b""}


@pytest.mark.parametrize("size", [7, 16, 31, 64, 1 << 20])
def test_a_nul_above_the_first_line_is_told_however_the_file_is_cut(tmp_path, size):
    path = tmp_path / "run"
    path.write_bytes(b"# ARROW1\0\0 run\nq-3\tQ0  d0\t0 6.805 bm25 more words\n")

    with pytest.raises(InputError, match="holds a NUL byte") as refused:
        list(read_columns(str(path), Form("run", "beir"), sizes=ReadSizes(size)))

    assert refused.value.place == f"{path}:1"

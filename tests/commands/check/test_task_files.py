"""`rankeval check` describes files and tells all that is wrong or strange in them."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankeval
from rankeval.commands.check.surveys import Oddities
from tests.support.commands import run_command
from tests.support.files import BM25, QRELS


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write(run, qrels=QRELS):
        for name, content in (("run.txt", run), ("qrels.txt", qrels)):
            data = content if isinstance(content, bytes) else content.encode()
            (tmp_path / name).write_bytes(data)

    write(BM25)
    return write


def found():
    return rankeval.check(["qrels.txt", "run.txt"])


@pytest.mark.usefixtures("files")
def test_good_files_are_described_without_warnings():
    qrels, run = found()

    assert (qrels.what, run.what) == ("qrels", "run")
    assert qrels.facts["grades"] == {"0": 2, "1": 2, "2": 1}
    assert qrels.facts["relevant_per_topic"] == {"min": 1, "median": 1.5, "max": 2}
    assert run.facts["documents_per_topic"] == {"min": 2, "median": 2.5, "max": 3}
    assert run.facts["unjudged_in_the_top"] == {"5": 0, "10": 0, "20": 0, "100": 0}
    assert qrels.warnings == run.warnings == []
    assert run_command(["check", "--strict", "qrels.txt", "run.txt"]).code == 0


def test_all_wrong_lines_are_told_in_one_pass(files):
    files(BM25 + "301\n301 Q0 x 1 nan t\n301 Q0 y\n")

    done = run_command(["check", "qrels.txt", "run.txt", "--max-problems", "2"])

    assert done.code == 1
    assert 'run.txt:6: found 1 column: "301"' in done.stdout
    assert 'run.txt:7: score "nan" is not a finite number' in done.stdout
    assert "run.txt:8" not in done.stdout
    assert "error: wrong number of columns (2 times)" in done.stdout


@pytest.mark.parametrize(
    ("run", "warning"),
    [
        ("301 Q0 a 1 1 t\n301 Q0 b 2 2 t\n", "scores that rise down the file in 1 topic"),
        ("301 Q0 a 2 2 t\n301 Q0 b 1 1 t\n", "ranks that disagree with scores in 1 topic"),
        ("301 Q0 a 1 2 t\n", "1 judged topic missing: 302"),
        ("301 Q0 a 1 2 t\n9 Q0 a 1 2 t\n", "1 topic without judgments: 9"),
        (
            "301 Q0 A 1 2 t\n",
            "no document in the first 100 ranks is judged: docnos differ by case or blanks",
        ),
        ("301 Q0 a x 2 t\n", "ranks that disagree with scores in 1 topic"),
        ("301 Q0 a 1 2 t\n301 Q0 b 2 2 t\n", "100.0% of the documents have equal scores"),
        (b"\xef\xbb\xbf301 Q0 a 1 2 t\n", "a byte order mark in 1 line, first in line 1"),
        (b"301 Q0 a 1 2 t\r\n", "a carriage return in 1 line, first in line 1"),
        ("301 Q0 a 1 3 t\n301 Q0 b\u200b 1 2 t\n", "an invisible character in 1 line"),
        (b"301 Q0 a 1 3 t\n301 Q0 b\xff 1 2 t\n", "bytes that are not UTF-8 in 1 line"),
    ],
)
def test_what_is_strange_is_a_warning_and_fails_with_strict(files, run, warning):
    files(run)

    assert any(warning in text for text in found()[1].warnings)
    assert run_command(["check", "qrels.txt", "run.txt"]).code == 0
    assert run_command(["check", "qrels.txt", "run.txt", "--strict"]).code == 1


def test_unjudged_documents_are_counted_down_to_four_ranks(files):
    """Ten of 30 documents are judged in topic 1, those of even ranks first; one of 2 in topic 2."""
    rows = [("1", f"d{i}", 99 - i) for i in range(1, 31)] + [("2", "a", 2), ("2", "b", 1)]
    judged = [("1", f"d{i}") for i in range(2, 21, 2)] + [("2", "b")]
    files(
        "".join(f"{topic} Q0 {docno} 0 {score} t\n" for topic, docno, score in rows),
        "".join(f"{topic} 0 {docno} 1\n" for topic, docno in judged),
    )

    assert found()[1].facts["unjudged_in_the_top"] == pytest.approx(
        {"5": (3 + 1) / 7, "10": (5 + 1) / 12, "20": (10 + 1) / 22, "100": (20 + 1) / 32}
    )


@pytest.mark.parametrize(
    ("run", "kind"),
    [
        ("", "the file has no data lines"),
        ("# nothing\n\n", "the file has no data lines"),
        ("9 Q0 a 1 2 t\n", "no topic in common with the judgments"),
        ("301 Q0 a 1 2 t\n301 Q0 a 2 1 t\n", "duplicate document"),
        ("301 Q0 a 1 2\n", "wrong number of columns"),
        ("301 Q0 a 1 2e999 t\n", "score that is not a finite number"),
    ],
)
def test_what_eval_refuses_is_an_error(files, run, kind):
    files(run)

    assert found()[1].wrong == {kind: 1}
    assert run_command(["check", "qrels.txt", "run.txt"]).code == 1
    assert run_command(["qrels.txt", "run.txt"]).code == 2


def test_every_file_is_looked_at_though_some_cannot_be_read(files):
    files(b"301 Q0 a 1 2 t\r\n\0\n")

    done = run_command(["check", "missing.txt", "run.txt", "qrels.txt", "-f", "json"])

    missing, nul, qrels = json.loads(done.stdout)["files"]
    assert (done.code, done.stderr) == (2, "")
    assert missing["unreadable"].startswith("missing.txt: no such file")
    assert nul["unreadable"].startswith("run.txt:2: holds a NUL byte, so this is not a text file")
    assert nul["warnings"] == [
        "a carriage return in 1 line, first in line 1",
        "a NUL byte in 1 line, first in line 2",
    ]
    assert qrels["unreadable"] == ""


def test_what_cannot_be_read_is_told_with_its_remedy(files):
    files("301 Q0 a 1 2 t\n".encode("utf-16"))

    said = run_command(["check", "qrels.txt", "run.txt"]).stdout

    assert (
        "\nrun.txt: cannot be read\n"
        "  run.txt:1: holds a NUL byte, so this is not a text file\n"
        "    expected: lines of text in UTF-8, or another encoding that contains ASCII\n"
    ) in said


@pytest.mark.parametrize("size", [1, 2, 3, 7, 50])
def test_oddities_do_not_depend_on_how_the_file_is_cut(size):
    text = b"\xef\xbb\xbfa\r\nb\xc3\xa9\n\xe2\x80\x8bc\n\0\n\xff"
    oddities = Oddities()
    pieces = [text[:3], *(text[i : i + size] for i in range(3, len(text), size))]

    assert b"".join(oddities.passing(iter(pieces), "")) == text
    assert oddities.warnings() == [
        "a byte order mark in 1 line, first in line 1",
        "a carriage return in 1 line, first in line 1",
        "an invisible character in 1 line, first in line 3",
        "a NUL byte in 1 line, first in line 4",
        "bytes that are not UTF-8 in 1 line, first in line 5",
    ]


# --- judgments ---------------------------------------------------------------------------------


def test_judgments_are_described_by_grade(files):
    files(BM25, "1 0 a 2\n1 0 b 0\n1 0 c 0\n2 0 a 0.5\n3 0 a -1\n")

    (report,) = rankeval.check(["qrels.txt"])

    assert report.facts["grades"] == {"-1": 1, "0": 2, "0.5": 1, "2": 1}
    assert report.facts["judged_per_topic"] == {"min": 1, "median": 1, "max": 3}
    # The threshold is that of NumRel, AP and others, whose rel is 1: 0.5 lies below it.
    assert report.facts["relevant_per_topic"] == {"min": 0, "median": 0, "max": 1}
    assert report.warnings == [
        "2 topics without a relevant document",
        "1 grade with a fraction, which trec_eval does not read",
        "1 grade between 0 and 1, relevant only with -l or rel=",
    ]


@given(st.lists(st.sampled_from([-1, 0, 0.25, 0.5, 1, 1.5, 2]), min_size=1, max_size=6))
def test_relevant_documents_are_those_that_eval_counts(tmp_path_factory, grades):
    """`NumRel` counts what AP, P and others take for relevant."""
    path = tmp_path_factory.mktemp("check") / "qrels.txt"
    path.write_text("".join(f"1 0 d{i} {grade:g}\n" for i, grade in enumerate(grades)))
    (report,) = rankeval.check([path])
    n_relevant = rankeval.evaluate(path, {"1": {"d0": 1.0}}, "NumRel").runs[0]["NumRel"].aggregate

    assert report.facts["relevant_per_topic"]["max"] == n_relevant
    assert ("1 topic without a relevant document" in report.warnings) == (n_relevant == 0)


def test_all_distinct_grades_are_counted_and_20_are_shown(files):
    """21 documents of grade 0, k of grade k / 8 for k from 1 to 20, and one of 100."""
    grades = [0.0] * 21 + [k / 8 for k in range(1, 21) for _ in range(k)] + [100.0]
    files(BM25, "".join(f"{1 + i % 2} 0 d{i} {grade}\n" for i, grade in enumerate(grades)))

    (report,) = rankeval.check(["qrels.txt"])

    counts = {"0": 21, **{f"{k / 8:g}": k for k in range(1, 21)}, "100": 1}
    assert list(report.facts["grades"].items()) == list(counts.items())
    out = run_command(["check", "qrels.txt"]).stdout
    assert "grades: 0 (21), 0.125 (1)," in out
    assert " and 2 more" in " ".join(out.split())


SCORES = [12, 7.25, 3.5, 2.75, 1.125, 0.5]


@pytest.mark.parametrize(
    ("name", "run"),
    [
        ("trec", "".join(f"1 Q0 d{i} {i} {score} t\n" for i, score in enumerate(SCORES))),
        ("JSON", json.dumps({"1": {f"d{i}": score for i, score in enumerate(SCORES)}})),
        ("short JSON", json.dumps({"1": {"d1": 0.5}})),
        ("JSON Lines", '{"topic": "1", "docno": "a", "score": 0.5}\n'),
    ],
)
def test_a_run_before_the_judgments_is_told(files, name, run):
    files(run)

    done = run_command(["check", "run.txt", "qrels.txt"])

    assert done.code == 2, name
    assert "qrels.txt: this file holds judgments, which come first" in done.stderr


@pytest.mark.parametrize(
    ("qrels", "what", "facts"),
    [
        ("1 i1 a 1\n1 i2 a 1\n1 i1 b 0\n", "qrels", {"subtopics": 2, "grades": {"0": 1, "1": 1}}),
        ("1 0 a -1 1\n1 0 b 2 0\n", "qrels", {"strata": 2}),
        ("query-id\tcorpus-id\tscore\n1\ta\t1\n", "qrels", {"format": "tsv"}),
        ('{"1": {"a": 1}}', "qrels", {"format": "json"}),
        ("1\ta\n", "qrels", {"format": "msmarco"}),
    ],
)
def test_all_kinds_of_judgments_are_known(files, qrels, what, facts):
    files("1 Q0 a 1 2 t\n", qrels)

    report, _ = found()

    assert (report.what, report.wrong, report.unreadable) == (what, {}, "")
    assert facts.items() <= report.facts.items()


# --- large files, pipes, other formats ---------------------------------------------------------


def test_nothing_from_a_file_takes_effect_on_a_terminal(files):
    files("301 Q0 \x1b[31m 1 2 t\x1b\n301 \x1b]0;x\x07\n301 Q0 \x1b[31m 1 2 t\n")

    assert "\x1b" not in run_command(["check", "qrels.txt", "run.txt"]).stdout


@pytest.mark.usefixtures("files")
def test_documents_named_like_their_topics_are_noted(files):
    files("1 Q0 1 1 3 x\n1 Q0 a 2 2 x\n2 Q0 1 1 2 x\n3 Q0 3 1 1 x\n")  # in topics 1 and 3

    _, run = found()

    assert "a document named like its topic in 2 topics: see --drop-self" in run.warnings

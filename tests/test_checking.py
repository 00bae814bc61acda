"""`rankeval check` describes files and tells all that is wrong or strange in them."""

import json

import pytest

import rankeval
from tests.cli.files import BM25, QRELS
from tests.commands import run_command


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
    low, high = run.facts["ndcg_at_10_over_tie_orders"]
    assert low == high
    assert qrels.warnings == run.warnings == []
    assert run_command(["check", "--strict", "qrels.txt", "run.txt"]).code == 0


def test_all_wrong_lines_are_told_in_one_pass(files):
    files(BM25 + "301\n301 Q0 x 1 nan t\n301 Q0 y\n")

    done = run_command(["check", "qrels.txt", "run.txt", "--max-problems", "2"])

    assert done.code == 1
    assert 'run.txt:6: found 1 column: "301"' in done.stdout
    assert 'run.txt:7: score "nan" is not a finite number' in done.stdout
    assert "run.txt:8" not in done.stdout
    assert "2 × wrong number of columns" in done.stdout


@pytest.mark.parametrize(
    ("run", "warning"),
    [
        ("301 Q0 a 1 1 t\n301 Q0 b 2 2 t\n", "scores that rise down the file in 1 topic"),
        ("301 Q0 a 2 2 t\n301 Q0 b 1 1 t\n", "ranks that disagree with scores in 1 topic"),
        ("301 Q0 a 1 2 t\n301 Q0 A 2 1 t\n", "1 docno in several spellings of case or blanks"),
        ("301 Q0 a#1 1 2 t\n301 Q0 a#2 2 1 t\n", "look like chunks of one document in 1 topic"),
        ("301 Q0 a 1 2 t\n301 Q0 a 2 1 t\n", "1 line of a document that stands before"),
        ("301 Q0 a 1 2 t\n301 Q0 b 2 1 u\n", "2 run tags: t, u"),
        ("301 Q0 a 1 2 t\n", "1 judged topic missing: 302"),
        ("9 Q0 a 1 2 t\n", "1 topic without judgments: 9"),
        ("301 Q0 a 1 2 t\n301 Q0 b 2 2 t\n", "100.0% of the documents have equal scores"),
        (b"\xef\xbb\xbf301 Q0 a 1 2 t\n", "a byte order mark in 1 line, first in line 1"),
        (b"301 Q0 a 1 2 t\r\n", "a carriage return in 1 line, first in line 1"),
        ("301 Q0 a 1 3 t\n301 Q0 b\u200b 1 2 t\n", "an invisible character in 1 line"),
        (b"301 Q0 a 1 3 t\n301 Q0 b\xff 1 2 t\n", "bytes that are no UTF-8 in 1 line"),
        ("", "the file holds no line of data"),
    ],
)
def test_what_is_strange_is_a_warning_and_fails_with_strict(files, run, warning):
    files(run)

    assert any(warning in text for text in found()[1].warnings)
    assert run_command(["check", "qrels.txt", "run.txt"]).code == 0
    assert run_command(["check", "qrels.txt", "run.txt", "--strict"]).code == 1


def test_ties_give_an_interval(files):
    """The relevant documents a and c share their score with x and y."""
    rows = (("a", 5), ("x", 5), ("c", 4), ("y", 4))
    files("".join(f"301 Q0 {d} 1 {s} t\n" for d, s in rows), "301 0 a 1\n301 0 c 1\n")
    ideal = 1 + 1 / 1.584962500721156

    low, high = found()[1].facts["ndcg_at_10_over_tie_orders"]

    assert high == pytest.approx((1 + 1 / 2) / ideal)  # ranks 1 and 3
    assert low == pytest.approx((1 / 1.584962500721156 + 1 / 2.321928094887362) / ideal)  # 2, 4


def test_a_tie_across_a_cutoff_is_counted(files):
    files("".join(f"301 Q0 d{i} 1 {1 if i < 9 else 0} t\n" for i in range(12)))

    assert found()[1].facts["topics_with_a_tie_across"] == {"5": 1, "10": 1, "20": 0, "100": 0}


def test_json_has_everything(files):
    files(BM25 + "301\n")

    done = run_command(["check", "qrels.txt", "run.txt", "-f", "json"])

    run = json.loads(done.stdout)["files"][1]
    assert run["wrong"] == {"wrong number of columns": 1}
    assert run["facts"]["lines"] == 5


@pytest.mark.usefixtures("files")
def test_runs_may_be_checked_without_judgments():
    (report,) = rankeval.check(["run.txt"])

    assert report.what == "run"
    assert "unjudged_in_the_top" not in report.facts


@pytest.mark.usefixtures("files")
def test_a_file_that_cannot_be_read_is_refused():
    done = run_command(["check", "missing.txt"])

    assert (done.code, done.stdout) == (2, "")
    assert done.stderr.startswith("rankeval: missing.txt: no such file")


def test_nothing_from_a_file_takes_effect_on_a_terminal(files):
    files("301 Q0 \x1b[31m 1 2 t\x1b\n301 \x1b]0;x\x07\n301 Q0 \x1b[31m 1 2 t\n")

    assert "\x1b" not in run_command(["check", "qrels.txt", "run.txt"]).stdout

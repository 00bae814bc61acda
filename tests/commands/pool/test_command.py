"""`rankeval pool`: lines for assessors, and tables of what runs share."""

import json

import pytest

from tests.support.files import BM25, DENSE, QRELS
from tests.support.schemas import assert_rows_of_csv, assert_valid


@pytest.fixture
def files(shell):
    return shell.write(qrels=QRELS, bm25=BM25, dense=DENSE)


def test_a_pool_is_lines_of_judgments_that_can_be_read(files):
    outcome = files("pool", "bm25.txt", "dense.txt", "--depth", "1", "-o", "pool.qrels")

    assert (outcome.code, outcome.out, outcome.err) == (0, "", "")
    lines = files.path("pool.qrels").read_text().splitlines()
    assert lines == ["301 0 a -1", "301 0 c -1", "302 0 a -1", "302 0 d -1"]
    assert files("bm25.txt").code == 2  # no judgments
    assert files("pool.qrels", "bm25.txt").code == 0


@pytest.mark.parametrize(
    ("form", "lines"),
    [
        ("tsv", ["301\tb", "302\td"]),
        ("jsonl", ['{"topic": "301", "docno": "b"}', '{"topic": "302", "docno": "d"}']),
        ("trec", ["301 0 b -1", "302 0 d -1"]),
    ],
)
def test_a_pool_has_three_formats(files, form, lines):
    files.write(qrels="301 0 a 1\n301 0 c 1\n302 0 a 0\n")

    outcome = files("pool", "bm25.txt", "--depth", "3", "--judged", "qrels.txt", "-f", form)

    assert outcome.out.splitlines() == lines


def test_names_that_are_no_text_are_written_as_they_are(files):
    files.write(bm25=b"q Q0 d\xff 1 2 x\n")

    assert files("pool", "bm25.txt", "--depth", "1", "-o", "pool.qrels").code == 0

    assert files.path("pool.qrels").read_bytes() == b"q 0 d\xff -1\n"


def test_names_with_blanks_need_json_lines(files):
    files.write(bm25='{"topic": "q", "docno": "a \\n b", "score": 1}\n')

    refused = files("pool", "bm25.txt", "--depth", "1")
    outcome = files("pool", "bm25.txt", "--depth", "1", "-f", "jsonl")

    assert (refused.code, refused.out) == (2, "")
    assert "cannot be written in the format trec" in refused.err
    assert [json.loads(line)["docno"] for line in outcome.out.splitlines()] == ["a \n b"]


def test_a_pool_may_be_empty(files):
    outcome = files("pool", "bm25.txt", "--depth", "3", "--judged", "qrels.txt", "-o", "pool.qrels")

    assert (outcome.code, files.path("pool.qrels").read_bytes()) == (0, b"")


def test_what_runs_share_is_a_table(files):
    words = ["pool", "bm25.txt", "dense.txt", "--depth", "1", "--overlap"]

    assert files(*words, "-f", "tsv").out.splitlines() == [
        "run\tother\tdocuments\tunique\tshared\tjaccard\trbo",
        "bm25\t\t2\t2\t\t\t",
        "dense\t\t2\t2\t\t\t",
        "bm25\tdense\t\t\t0\t0.0\t0.0",
    ]
    rows = [" ".join(line.split()) for line in files(*words).out.splitlines()]
    assert "bm25 2 2" in rows
    assert "bm25 dense 0 0.0000 0.0000" in rows


@pytest.mark.parametrize("option", [["--overlap"], ["--covers", "dense.txt"]])
def test_tables_are_json_that_fits_the_schema(files, option):
    words = ["pool", "bm25.txt", "dense.txt", "--depth", "2", *option]

    found = assert_valid(json.loads(files(*words, "-f", "json").out), "rankeval-pool/1")

    assert [one["run"] for one in found["runs"]] == ["bm25", "dense"]
    assert (found["covered"] is not None) == (option[0] == "--covers")
    assert_rows_of_csv(*(files(*words, "-f", form).out for form in ("jsonl", "csv")))
    assert files(*words, "-o", "found.tex").code == 0
    assert files.path("found.tex").read_text().startswith("% packages: booktabs")


@pytest.mark.parametrize("form", ["table", "latex", "json"])
def test_a_pool_itself_is_lines(files, form):
    outcome = files("pool", "bm25.txt", "--depth", "1", "-f", form)

    assert outcome.code == 2
    assert "expected: one of trec, tsv, jsonl" in outcome.err


def test_what_a_pool_covers_is_a_table(files):
    """Of dense's first documents, c and a, bm25's pool of depth 1 has neither; of all, a and d."""
    outcome = files("pool", "bm25.txt", "--depth", "1", "--covers", "dense.txt", "-f", "tsv")

    assert outcome.out.splitlines()[:3] == ["cutoff\tcovered", "1\t0.0", "5\t0.4"]


def test_one_table_at_a_time(files):
    words = ["--depth", "1", "--overlap", "--covers", "dense.txt"]

    assert files("pool", "bm25.txt", *words).code == 2

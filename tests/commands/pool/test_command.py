"""`rankeval pool`: lines for assessors, and tables of what runs share."""

import json

import pytest

from tests.support.files import BM25, DENSE, QRELS


@pytest.fixture
def files(shell):
    return shell.write(qrels=QRELS, bm25=BM25, dense=DENSE)


def test_a_pool_is_lines_of_judgments_that_can_be_read(files):
    outcome = files("pool", "bm25.txt", "dense.txt", "--depth", "1", "-o", "pool.qrels")

    assert (outcome.code, outcome.out, outcome.err) == (0, "", "")
    lines = files.path("pool.qrels").read_text().splitlines()
    assert lines == ["301 0 a -1", "301 0 c -1", "302 0 a -1", "302 0 d -1"]
    assert files("pool.qrels", "bm25.txt").code == 0
    rest = files("pool", "bm25.txt", "--depth", "3", "--judged", "qrels.txt", "-o", "pool.qrels")
    assert (rest.code, files.path("pool.qrels").read_bytes()) == (0, b"")


@pytest.mark.parametrize(
    ("form", "lines"),
    [
        ("tsv", ["topic\tdocno", "301\tb", "302\td"]),
        ("jsonl", ['{"topic": "301", "docno": "b"}', '{"topic": "302", "docno": "d"}']),
        ("trec", ["301 0 b -1", "302 0 d -1"]),
    ],
)
def test_a_pool_has_three_formats(files, form, lines):
    files.write(qrels="301 0 a 1\n301 0 c 1\n302 0 a 0\n")

    outcome = files("pool", "bm25.txt", "--depth", "3", "--judged", "qrels.txt", "-f", form)

    assert outcome.out.splitlines() == lines


def test_names_with_blanks_need_json_lines(files):
    files.write(bm25='{"topic": "q", "docno": "a \\n b", "score": 1}\n')

    refused = files("pool", "bm25.txt", "--depth", "1")
    outcome = files("pool", "bm25.txt", "--depth", "1", "-f", "jsonl")

    assert (refused.code, refused.out) == (2, "")
    assert "cannot be written in the format trec" in refused.err
    assert [json.loads(line)["docno"] for line in outcome.out.splitlines()] == ["a \n b"]


def test_what_runs_share_is_a_table(files):
    words = ["pool", "bm25.txt", "dense.txt", "--depth", "1", "--overlap"]

    assert json.loads(files(*words, "-f", "json").out)["shared"] == [
        {"first": "bm25", "second": "dense", "shared": 0, "jaccard": 0.0}
    ]
    rows = [" ".join(line.split()) for line in files(*words).out.splitlines()]
    assert {"bm25 2 2", "bm25 dense 0 0.0000"} < {*rows}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("-f", "latex"), "expected: one of tsv, csv, jsonl"),
        (("--queries", "queries.tsv"), "add -f tsv or -f jsonl"),
    ],
)
def test_options_that_do_not_go_together_are_refused(files, words, told):
    outcome = files("pool", "bm25.txt", "--depth", "1", *words)

    assert outcome.code == 2
    assert told in outcome.err

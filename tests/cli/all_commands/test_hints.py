"""What commands say and suggest where something is not as they expect."""

import pytest

from tests.support.files import BM25, DENSE, QRELS


@pytest.fixture
def files(shell):
    return shell.write(
        qrels=QRELS,
        bm25=BM25,
        dense=DENSE,
    )


@pytest.mark.parametrize(
    ("command", "others"),
    [("eval", ["--baseline", "bm25"]), ("plot", ["--baseline", "bm25", "--data", "-"])],
)
def test_a_baseline_may_be_the_name_of_a_run(files, command, others):
    kind = ["topics"] if command == "plot" else []

    told = files(command, *kind, "qrels.txt", "dense.txt", "bm25.txt", "-m", "AP", *others)
    same = [other.replace("bm25", "bm25.txt") for other in others]

    assert told.code == 0, told.err
    assert told == files(command, *kind, "qrels.txt", "dense.txt", "bm25.txt", "-m", "AP", *same)


@pytest.mark.parametrize(
    ("words", "as_in"),
    [
        ("fuse bm25.txt dense.txt --method CombMNZ", "fuse bm25.txt dense.txt --method combmnz"),
        ("qrels.txt bm25.txt -f CSV", "qrels.txt bm25.txt -f csv"),
        ("qrels.txt bm25.txt -f MD", "qrels.txt bm25.txt -f markdown"),
        ("qrels.txt bm25.txt --like TREC_EVAL", "qrels.txt bm25.txt --like trec_eval"),
        ("plot PR qrels.txt bm25.txt", "plot pr qrels.txt bm25.txt"),
        ("measures nDCG -f JSON", "measures nDCG -f json"),
    ],
)
def test_words_of_options_may_be_in_any_case(files, words, as_in):
    told = files(*words.split())

    assert told.code == 0, told.err
    assert told.out == files(*as_in.split()).out

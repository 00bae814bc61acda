"""`rankeval merge` puts parts of the topics together, and a gate accepts what it writes."""

import json

import pytest

from tests.support.files import QRELS

RUN = "".join(
    f"{topic} Q0 {docno} {rank} {10 - rank} bm25\n"
    for topic in sorted({line.split()[0] for line in QRELS.splitlines()})
    for rank, docno in enumerate("cab", 1)
)


def of_topics(text, topics):
    return "".join(line + "\n" for line in text.splitlines() if line.split()[0] in topics)


@pytest.fixture
def files(shell):
    """Judgments and a run, whole and in two parts, and their saved results."""
    topics = sorted({line.split()[0] for line in QRELS.splitlines()})
    parts = {"a": topics[:1], "b": topics[1:]}
    written = shell.write(qrels=QRELS, run=RUN)
    for name, chosen in parts.items():
        shell.path(f"{name}.qrels").write_text(of_topics(QRELS, chosen))
        shell.path(f"{name}.run").write_text(of_topics(RUN, chosen))
        words = [f"{name}.qrels", f"{name}.run", "-m", "AP nDCG@10 GMAP NumRet", "-q"]
        assert written("eval", *words, "-o", f"{name}.json").code == 0
    words = ["qrels.txt", "run.txt", "-m", "AP nDCG@10 GMAP NumRet", "-q"]
    assert written("eval", *words, "-o", "whole.json").code == 0
    return written


def read(shell, name):
    found = json.loads(shell.path(name).read_text())
    for run in found["runs"]:
        del run["warnings"], run["path"]
    del found["qrels"]["path"]
    return found


@pytest.mark.parametrize("order", [["a.json", "b.json"], ["b.json", "a.json"]])
@pytest.mark.parametrize("more", [[], ["--qrels", "qrels.txt"]])
def test_parts_give_the_json_of_one_evaluation(files, order, more):
    done = files("merge", *order, *more, "-o", "merged.json")

    assert (done.code, done.out) == (0, "")
    assert read(files, "merged.json") == read(files, "whole.json")


def test_a_gate_accepts_merged_results(files):
    files("merge", "a.json", "b.json", "-o", "merged.json")

    gated = files("gate", "qrels.txt", "merged.json", "run.txt", "--max-drop", "AP=0")

    assert gated.code == 0, gated.err


def test_a_table_is_printed_as_by_eval(files):
    merged = files("merge", "a.json", "b.json", "--qrels", "qrels.txt").out

    assert merged == files("eval", "qrels.txt", "run.txt", "-m", "AP nDCG@10 GMAP NumRet").out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["a.json", "a.json"], "in more than one part"),
        (["a.json", "other.json"], "a.json has AP, nDCG@10, GMAP, NumRet, and other.json has RR"),
        (["a.json", "deep.json"], "the setting depth is None in a.json and 1 in deep.json"),
        (["a.json", "b.json", "--qrels", "a.qrels"], "of the parts"),
        (["a.json", "missing.json"], "no such file"),
        (["a.json", "qrels.txt"], "is not JSON"),
    ],
)
def test_what_does_not_fit_is_refused(files, words, told):
    files("eval", "b.qrels", "b.run", "-m", "RR", "-q", "-o", "other.json")
    files(
        "eval",
        "b.qrels",
        "b.run",
        "-m",
        "AP nDCG@10 GMAP NumRet",
        "-q",
        "-M",
        "1",
        "-o",
        "deep.json",
    )

    done = files("merge", *words, "-o", "merged.json")

    assert (done.code, done.out) == (2, "")
    assert told in done.err
    assert not files.path("merged.json").exists()


def test_judgments_that_are_gone_are_asked_for(files):
    files.path("b.qrels").unlink()

    done = files("merge", "a.json", "b.json")

    assert done.code == 2
    assert "--qrels QRELS" in done.err

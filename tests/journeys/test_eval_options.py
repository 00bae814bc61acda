"""Options of `rankeval eval` that change rankings or topics, over 300,000 judgments."""

import numpy as np
import pytest

from tests.support.journey_files import peer
from tests.support.journeys import ran

EXACT = 1e-12


@pytest.fixture(scope="module")
def run(collection):
    return collection.run("baseline")


@pytest.fixture(scope="module")
def folder(collection):
    """The collection's folder, with the files that options name."""
    folder = collection.folder
    lines = (folder / "baseline.run").read_text().splitlines()
    with (folder / "chunks.run").open("w") as chunks, (folder / "broken.run").open("w") as broken:
        for i, line in enumerate(lines):
            topic, q0, docno, rank, score, tag = line.split()
            for chunk, less in ((0, 0.0), (1, 0.05)):
                points = f"{float(score) - less:.2f}"
                print(topic, q0, f"{docno}#{chunk}", rank, points, tag, file=chunks)
            broken.write(line + "\n")
            if i % 1_000 == 0:
                broken.write(f"{topic} {q0} {docno} {rank} high {tag}\n" + line + "\n")
    return folder


def evaluated(folder, *words, qrels="qrels.trec", run="baseline.run", measures="AP P@10"):
    done = ran(folder, "eval", qrels, run, "-q", "-f", "json", "-m", measures, *words)
    return done.json["runs"][0]["measures"]


def agree(found, expected, topics, kept=None):
    """The values of the topics, and their mean over those that are kept."""
    for ours, theirs in (("AP", "map"), ("P@10", "P_10")):
        values = found[ours]["per_topic"]
        there = np.array([topic in values for topic in topics])
        assert (there == (np.ones(len(topics), dtype=bool) if kept is None else kept)).all()
        ours_there = [values[topic] for topic in topics if topic in values]
        np.testing.assert_allclose(ours_there, expected[theirs][there], rtol=0, atol=EXACT)
        assert found[ours]["mean"] == pytest.approx(expected[theirs][there].mean(), abs=EXACT)


def first_of(run, depth):
    """The first documents of each topic, as trec_eval orders them."""
    found = {}
    for topic, scores in run.items():
        best = sorted(((score, docno) for docno, score in scores.items()), reverse=True)[:depth]
        found[topic] = {docno: score for score, docno in best}
    return found


def in_file_order(run):
    return {topic: {d: -float(i) for i, d in enumerate(scores)} for topic, scores in run.items()}


def by_grade(run, qrels, sign):
    return {
        topic: {d: s + sign * 1e-3 * qrels.get(topic, {}).get(d, 0) for d, s in scores.items()}
        for topic, scores in run.items()
    }


RANKINGS = {
    "depth": (["-M", "7"], lambda run, _: first_of(run, 7)),
    "judged only": (
        ["-J"],
        lambda run, qrels: {
            t: {d: s for d, s in scores.items() if d in qrels.get(t, {})}
            for t, scores in run.items()
        },
    ),
    "input": (["--ties", "input"], lambda run, _: in_file_order(run)),
    "rank": (["--ties", "rank"], lambda run, _: in_file_order(run)),
    "order": (["--order", "rank"], lambda run, _: in_file_order(run)),
    "best": (["--ties", "best"], lambda run, qrels: by_grade(run, qrels, 1)),
    "worst": (["--ties", "worst"], lambda run, qrels: by_grade(run, qrels, -1)),
    "trec_eval": (["--like", "trec_eval", "-c"], lambda run, _: run),
}
"""Options that change the ranking, and the ranking that trec_eval's code has to be given."""


@pytest.mark.parametrize("name", RANKINGS)
def test_an_option_of_rankings_is_the_ranking_given_to_trec_eval(name, collection, folder, run):
    words, changed = RANKINGS[name]

    found = evaluated(folder, *words)

    expected = peer(collection.qrels, changed(run, collection.qrels), ("map", "P_10"))
    agree(found, expected, list(collection.qrels))


def test_topics_that_count(collection, folder, run):
    topics = list(collection.qrels)
    expected = collection.expected("baseline")

    there = np.array([topic in run for topic in topics])
    agree(evaluated(folder, "--topics", "both"), expected, topics, there)
    (folder / "empty.trec").write_text(
        (folder / "qrels.trec").read_text() + "topic-none 0 pool-0-00000 0\n"
    )
    found = evaluated(folder, "--skip-no-relevant", qrels="empty.trec")
    agree(found, expected, topics, np.array([any(collection.qrels[t].values()) for t in topics]))
    refused = ran(folder, "eval", "qrels.trec", "baseline.run", "--require-coverage", code=2)
    assert "lacks 20" in refused.err


CHUNKS = [["--collapse", "#.*"], ["--collapse", r"sum:#\d+$"]]


@pytest.mark.parametrize("words", CHUNKS, ids=["sep", "sum"])
def test_chunks_count_as_their_document(words, collection, folder):
    found = evaluated(folder, *words, run="chunks.run")

    agree(found, collection.expected("baseline"), list(collection.qrels))


def test_wrong_lines_and_repeated_ones_are_left_out_when_asked(collection, folder):
    refused = ran(folder, "eval", "qrels.trec", "broken.run", code=2)
    assert 'broken.run:2: score "high"' in refused.err

    words = ("--on-error", "skip", "--duplicates", "first", "--jobs", "1")
    found = evaluated(folder, *words, run="broken.run")

    agree(found, collection.expected("baseline"), list(collection.qrels))

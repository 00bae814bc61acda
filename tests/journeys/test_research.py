"""Fusion at the size of real runs, against a plain loop."""

from tests.support.journeys import measured

MEGABYTE = 1 << 20


def ranking(scores):
    """Documents by score, ties by docno, both descending."""
    return sorted(scores, key=lambda docno: (scores[docno], docno), reverse=True)


def test_fusion_of_a_million_lines_is_that_of_a_plain_loop(collection):
    names = ["large", "baseline", "candidate"]
    words = ("fuse", *(f"{name}.run" for name in names), "-o", "fused.run")

    done = measured(collection.folder, *words)

    runs = [collection.run(name) for name in names]
    found = {}
    with (collection.folder / "fused.run").open() as lines:
        for line in lines:
            topic, _, docno, rank, score, _ = line.split()
            found.setdefault(topic, []).append((docno, int(rank), float(score)))
    assert found.keys() == runs[0].keys()
    for topic in [*found][:: len(found) // 50]:
        worth = {}
        for run in runs:
            for rank, docno in enumerate(ranking(run[topic]), 1):
                worth.setdefault(docno, []).append(1 / (60 + rank))
        fused = {docno: sum(sorted(some)) for docno, some in worth.items()}
        expected = [(docno, i, fused[docno]) for i, docno in enumerate(ranking(fused), 1)]
        assert found[topic] == expected
    assert done.memory < 600 * MEGABYTE

"""A week of runs: judgments, thirty runs as several tools write them, and files that are wrong.

Everything depends on the seed alone. A run ranks the pool of a topic by grade and noise: the less
noise, the better the run.
"""

import gzip
import json
from pathlib import Path
from random import Random

from tests.support.files import ANSWERS

SEED = 2024
TOPICS, POOL, JUDGED, DEPTH = 40, 110, 70, 50
SEEDS = {f"seeds/seed{i}.run": (f"seed{i}", 1.1) for i in range(1, 11)}
RUNS = {
    "runs/bm25.run": ("bm25", 1.6),
    "runs/bm25+rm3.run": ("bm25+rm3", 1.5),
    "runs/ql+rm3.run": ("ql+rm3", 1.7),
    "runs/splade-v3.run": ("splade-v3", 0.9),
    "runs/colbertv2.run": ("colbertv2", 1.0),
    "runs/e5-large.dev.run": ("e5-large.dev", 1.0),
    "runs/contriever-ft.run": ("contriever-ft", 1.2),
    "runs/monot5-3b.run": ("monot5-3b", 0.7),
    "runs/rrf(bm25,splade).run": ("rrf(bm25,splade)", 1.1),
    "runs/doc2query-T5.run.gz": ("doc2query-T5", 1.3),
    "pyserini/run.msmarco-v1.bm25-default.dev.txt": ("Anserini", 1.6),
    "pyserini/run.msmarco-v1.bm25-tuned.dev.txt": ("Anserini", 1.4),
    "pyserini/run.msmarco-v1.spladepp-ed.dev.txt": ("Anserini", 0.9),
    **SEEDS,
    "baselines/lucene/output.trec": ("run", 1.6),
    "baselines/terrier/output.trec": ("run", 1.5),
    "baselines/indri/results.trec": ("indri", 1.8),
    "dense/ance.json": ("", 1.2),
    "dense/tct_colbert.tsv": ("", 1.1),
    "dense/llama3-8b rerank.run": ("llama3-rerank", 0.8),
    "exp/2024-03-01/ckpt-40000.run": ("ckpt-40000", 1.0),
}
"""The tag of each run, "" where its format has none, and its noise."""


def grades_by_topic():
    """The grade of each document of each topic's pool; None for one that nobody judged."""
    random = Random(SEED)
    numbers = sorted(random.sample(range(100_000, 1_200_000), TOPICS))
    return {str(number): _pool(random) for number in numbers}


def _pool(random):
    docnos = [f"D{random.randrange(10**6, 10**7)}" for _ in range(POOL)]
    grades = random.choices((0, 1, 2, 3), (66, 20, 9, 5), k=JUDGED)
    return dict.fromkeys(docnos) | dict(zip(docnos, [3, *grades[1:]], strict=False))


def qrels():
    """The judgments, as a mapping."""
    return {
        topic: {docno: grade for docno, grade in pool.items() if grade is not None}
        for topic, pool in grades_by_topic().items()
    }


def rankings(name, noise, depth=DEPTH):
    """The scores of the documents that a run retrieves, by topic."""
    found = {}
    for topic, pool in grades_by_topic().items():
        random = Random(f"{name} {topic}")
        worse = noise * random.choice((0.8, 1.0, 1.2))
        scores = {d: (g or 0) + random.gauss(0, 1) * worse for d, g in pool.items()}
        best = sorted(scores, key=scores.get, reverse=True)[:depth]
        found[topic] = {docno: round(scores[docno] + 8, 4) for docno in best}
    return found


def trec(by_topic, tag):
    """A run in TREC's format."""
    return "".join(
        f"{topic} Q0 {docno} {rank} {score:.4f} {tag}\n"
        for topic, scores in by_topic.items()
        for rank, (docno, score) in enumerate(scores.items(), 1)
    )


def _written(path, tag, by_topic):
    if path.endswith(".json"):
        return json.dumps(by_topic).encode()
    if path.endswith(".tsv"):
        return "".join(
            f"{topic}\t{docno}\t{rank}\n"
            for topic, scores in by_topic.items()
            for rank, docno in enumerate(scores, 1)
        ).encode()
    text = trec(by_topic, tag).encode()
    return gzip.compress(text, mtime=0) if path.endswith(".gz") else text


def _judgments(judged, topics):
    return "".join(
        f"{topic} 0 {docno} {grade}\n" for topic in topics for docno, grade in judged[topic].items()
    )


def write_week(folder: Path):
    """Write all files into a folder."""
    judged = qrels()
    files = {path: _written(path, tag, rankings(path, n)) for path, (tag, n) in RUNS.items()}
    bm25 = rankings("runs/bm25.run", 1.6)
    some = list(bm25)[:28]
    topics = list(judged)
    files |= {
        "qrels.txt": _judgments(judged, topics),
        "halves/first.txt": _judgments(judged, topics[:20]),
        "halves/second.txt": _judgments(judged, topics[20:]),
        "halves.toml": HALVES,
        "model.qrels": "".join(  # a judge that passes over some, and is kinder to others
            f"{topic} 0 {docno} {grade + (i % 5 == 0)}\n"
            for topic, one in judged.items()
            for i, (docno, grade) in enumerate(one.items())
            if i % 7
        ),
        "answers.jsonl": ANSWERS,
        "types.tsv": "topic\ttype\n"
        + "".join(
            f"{t}\t{('keyword', 'question', 'long tail')[i % 3]}\n" for i, t in enumerate(bm25)
        ),
        "costs.tsv": "run\tms per query\n"
        + "".join(
            f"{tag}\t{3 + 40 / noise**3:.1f}\n"
            for tag, noise in RUNS.values()
            if tag not in ("", "Anserini")
        ),
        "topics.txt": "\n".join(some[:5]) + "\n",
        "odd/half.run": trec({topic: bm25[topic] for topic in some}, "half"),
        "odd/lower.run": trec(
            {t: {d.lower(): s for d, s in one.items()} for t, one in bm25.items()}, "lower"
        ),
        "odd/rounded.run": trec(
            {t: {d: round(s) for d, s in one.items()} for t, one in bm25.items()}, "rounded"
        ),
        "odd/broken.run": trec(bm25, "broken").replace(" 3 ", " 3 n/a", 1),
        "odd/empty.run": "",
        "odd/chunks.run": trec(
            {
                t: {f"{d}#{i % 3}": s for i, (d, s) in enumerate(one.items())}
                for t, one in bm25.items()
            },
            "chunks",
        ),
        "rankeval.toml": SUITES,
    }
    for path, content in files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content if isinstance(content, bytes) else content.encode())


HALVES = """\
measures = ["nDCG@10"]
qrels = "halves/{collection}.txt"

[runs]
bm25 = "runs/bm25.run"
rm3 = "runs/bm25+rm3.run"
splade = "runs/splade-v3.run"

[collection.first]
[collection.second]

[suite.halves]
collections = ["first", "second"]
baseline = "runs/bm25.run"
runs = ["runs/bm25+rm3.run"]

[suite.halves.rules]
max-drop = { "nDCG@10" = "2%" }
min = { "nDCG@10" = 0.55 }
"""

SUITES = """\
qrels = "qrels.txt"
baseline = "runs/bm25.run"
runs = ["runs/bm25+rm3.run"]

[suite.nightly.rules]
max-drop = { "nDCG@10" = "2%", AP = 0.01 }
min = { "R@50" = 0.5 }
"""

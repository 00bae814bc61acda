"""Files that the commands of single pages read, beside runs and judgments."""

import json
from pathlib import Path
from random import Random

EXAMPLES = Path(__file__).parents[2] / "examples"
LINES = {
    name: (EXAMPLES / path).read_text(encoding="utf-8").splitlines(keepends=True)
    for name, path in {
        "qrels": "qrels/python-reference.qrels",
        "bm25": "runs/bm25.run",
        "lsa": "runs/lsa.run",
    }.items()
}
TOPICS = list(dict.fromkeys(line.split()[0] for line in LINES["qrels"]))


def of_topics(name, topics):
    """Return the lines of some topics."""
    return "".join(line for line in LINES[name] if line.split()[0] in set(topics))


def answers(run, support):
    """Return a file of nuggets of one topic."""
    nuggets = [{"importance": "vital", "assignment": support}] * 2
    return json.dumps({"qid": "q1", "run_id": run, "nuggets": nuggets}) + "\n"


def shuffled(name, seed):
    """Return the lines of a run whose scores some noise was added to."""
    random = Random(seed)
    rows = (line.split() for line in LINES[name])
    return "".join(
        f"{topic} Q0 {docno} {rank} {float(score) * random.gauss(1, 0.1):.6f} {tag}\n"
        for topic, _, docno, rank, score, tag in rows
    )


def assigned(run, shares, n_topics):
    """Return nuggets of some topics, and how an answer supports them if shares are given."""
    random, lines = Random(run), []
    for number in range(n_topics):
        nuggets = [
            {"text": f"fact {at}", "importance": "okay" if at % 3 == 2 else "vital"}
            | ({"assignment": random.choices([*shares], [*shares.values()])[0]} if shares else {})
            for at in range(6)
        ]
        lines.append(json.dumps({"qid": f"q{number:02}", "run_id": run, "nuggets": nuggets}))
    return "\n".join(lines) + "\n"


HALVES = TOPICS[:25], TOPICS[25:]
DIVERSE = "1 1 d1 1\n1 2 d1 1\n1 1 d2 1\n1 3 d3 2\n"
COLLECTIONS = """\
qrels = "{collection}.qrels"
[runs]
bm25 = "{collection}.run"
dense = "{collection}-dense.run"
[collection.nfcorpus]
[collection.scifact]
"""

PARTS = dict(zip(("nfcorpus", "scifact"), HALVES, strict=True))
BEIR = {
    "beir.toml": COLLECTIONS,
    **{f"{name}.qrels": of_topics("qrels", half) for name, half in PARTS.items()},
    **{f"{name}.run": of_topics("bm25", half) for name, half in PARTS.items()},
    **{f"{name}-dense.run": of_topics("lsa", half) for name, half in PARTS.items()},
}

FILES = {
    "docs/aggregation.md": {
        "weights.tsv": "".join(f"{topic}\t{at % 3 + 1}\n" for at, topic in enumerate(TOPICS)),
        "topic_types.tsv": (EXAMPLES / "topic_types.tsv").read_text(encoding="utf-8"),
        "topics.tsv": "topic\tlength\n"
        + "".join(f"{topic}\t{'short' if at % 2 else 'long'}\n" for at, topic in enumerate(TOPICS)),
    },
    "docs/collections.md": BEIR,
    "docs/compare.md": {
        "topics.tsv": (EXAMPLES / "topics.tsv").read_text(encoding="utf-8"),
        "docs.jsonl": json.dumps({"id": "d1", "contents": "A document that no run has."}) + "\n",
    },
    "docs/data.md": {"diversity.qrels": DIVERSE, "run.txt": "1 Q0 d1 1 2 a\n1 Q0 d3 2 1 a\n"},
    "docs/howto/diversity.md": {
        "diversity.qrels": DIVERSE,
        "run.txt": "1 Q0 d1 1 2 a\n1 Q0 d3 2 1 a\n",
    },
    "docs/formats.md": {
        "run.json": json.dumps({"q1": {"d1": 1.5, "d2": 0.5}}),
        "dev.topics": "".join(f"{topic}\n" for topic in TOPICS),
    },
    "docs/howto/seeds.md": {
        f"runs/seed{seed}/{name}.run": shuffled(name, f"{name}{seed}")
        for name in ("bm25", "lsa")
        for seed in range(3)
    },
    "docs/nuggets.md": {
        f"{name}.jsonl": answers(name, "support")
        for name in ("answers", "gpt", "llama", "a", "b", "nuggets")
    },
    "docs/howto/rag.md": {
        "nuggets.jsonl": assigned("old", {}, 40),
        "old.jsonl": assigned("old", {"support": 4, "partial_support": 2, "not_support": 4}, 40),
        "new.jsonl": assigned("new", {"support": 5, "partial_support": 3, "not_support": 2}, 40),
    },
    "docs/report.md": {
        "ms.tsv": "run\tms\nbm25\t4\nlsa\t31\n",
        "types.tsv": (EXAMPLES / "topic_types.tsv").read_text(encoding="utf-8"),
        "topics.tsv": (EXAMPLES / "topics.tsv").read_text(encoding="utf-8"),
        "docs.tsv": (EXAMPLES / "docs.tsv").read_text(encoding="utf-8"),
    },
    "docs/recommenders.md": {
        "test.tsv": "user_id\titem_id\tgrade\nu1\ti1\t1\nu2\ti2\t1\n",
        "train.tsv": "user_id\titem_id\nu1\ti3\nu2\ti3\nu2\ti1\n",
        "train.csv": "user_id,item_id,grade\nu1,i3,1\nu2,i3,1\nu2,i1,1\n",
        "als.run": "u1 Q0 i1 1 2 als\nu1 Q0 i2 2 1 als\nu2 Q0 i3 1 2 als\nu2 Q0 i2 2 1 als\n",
        "ease.run": "u1 Q0 i2 1 2 ease\nu2 Q0 i2 1 2 ease\n",
        "items.txt": "i1\ni2\ni3\n",
        "items.csv": "item_id,x,y\ni1,1,0\ni2,0,1\ni3,1,1\n",
    },
    "docs/scale.md": {
        "monday.run": of_topics("bm25", HALVES[0]),
        "tuesday.run": of_topics("bm25", HALVES[1]),
    },
    "docs/howto/llm-judgments.md": {"people.qrels": of_topics("qrels", TOPICS[::3])},
    "docs/estimate.md": {
        "people.qrels": of_topics("qrels", TOPICS[::3]),
        "weights.tsv": "".join(f"{topic}\t3\n" for topic in TOPICS[::3]),
    },
    "docs/pools.md": {f"{name}.run": of_topics(name, TOPICS) for name in ("bm25", "lsa")},
    "docs/systems.md": {"teams.txt": "bm25\tx\ndense\ty\n"},
}
"""Texts by page and name."""

CALLS = {
    "docs/howto/rag.md": [
        "nuggets old.jsonl -o old.json",
        "nuggets new.jsonl -o new.json",
    ],
    "docs/recommenders.md": ["convert train.csv train.parquet"],
    "docs/scale.md": [
        f"convert {day}.run {made}"
        for number, day in enumerate(("monday", "tuesday"))
        for made in (f"{day}.run.gz", f"logs/{number}.parquet")
    ],
}
"""Calls of rankeval that make other files, by page."""

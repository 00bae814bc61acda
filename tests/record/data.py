"""The files that the record's commands read: the week's, and small ones with every oddity."""

import gzip
import json
from pathlib import Path

from tests.support.week import write_week

HOSTILE = [
    "\x1b[31mred\x1b[0m",
    "<script>alert(1)</script>",
    r"\input{secret}",
    "=cmd|' /C calc'!A0",
    "::error::gotcha",
    "a|b",
    "é日本",
]


def write_data(folder: Path) -> None:
    """Write all files."""
    write_week(folder)
    small = folder / "small"
    small.mkdir()
    texts = {
        "graded.qrels": "".join(
            f"{topic} 0 {docno} {grade}\n"
            for topic, grades in (
                ("1", "a3 b1 c0 d2 e-1"),
                ("2", "a1 f1 g0 h0"),
                ("10", "i0 j0"),
                ("11", "k2 l1 m0"),
            )
            for docno, grade in ((one[0], one[1:]) for one in grades.split())
        ),
        "ties.run": _run("ties", {"1": "b=a=x=c d", "2": "g=f h a", "11": "m=k=l"}),
        "sharp.run": _run("sharp", {"1": "a d b c", "2": "a f", "10": "i", "11": "k l m"}),
        "extra.run": _run("extra", {"1": "d a x y z", "2": "x a", "99": "a b"}),
        "subtopics.qrels": "1 1 a 1\n1 2 b 1\n1 1 c 0\n1 2 c 1\n2 1 f 2\n2 2 g 1\n2 3 h 1\n",
        "strata.qrels": "1 0 a 1 1\n1 0 b 0 1\n1 0 c 1 2\n1 0 d -1 2\n1 0 e 0 2\n",
        "prefs.txt": "1 0 0 a 1\n1 0 0 b 2\n1 0 0 c 3\n",
        "human.qrels": "1 0 a 3\n1 0 b 1\n1 0 d 0\n2 0 a 1\n2 0 g 1\n11 0 k 0\n11 0 l 1\n",
        "hostile.qrels": "".join(
            f"{topic}\t0\t{docno}\t{place % 2}\n"
            for topic in HOSTILE
            if " " not in topic
            for place, docno in enumerate(HOSTILE)
            if " " not in docno
        ),
        "queries.tsv": "1\tfirst words\n2\tsecond <b>words</b>\n10\tthird\n11\tfourth\n",
        "groups.tsv": "topic\tkind\n1\teasy\n2\thard\n10\thard\n11\teasy\n",
        "weights.tsv": "topic\tweight\n1\t2\n2\t1\n10\t1\n11\t0.5\n",
        "costs.tsv": "run\tlatency_ms\nties\t10\nsharp\t40\nextra\t15\n",
        "items.qrels": "u1 0 i1 1\nu1 0 i2 1\nu2 0 i3 1\n",
        "items.run": _run("items", {"u1": "i1 i4 i2", "u2": "i1 i2 i3"}),
        "train.tsv": "u1 0 i4 1\nu2 0 i1 1\nu2 0 i5 1\nu3 0 i1 1\n",
        "catalog.txt": "i1\ni2\ni3\ni4\ni5\n",
        "features.csv": "item,genre\ni1,x\ni2,y\ni3,x\ni4,z\ni5,z\n",
        "collections.toml": _collections(),
    }
    wrong = {
        "columns.run": "1 Q0 a 1 2.5 t\n1 Q0 b 2\n",
        "score.run": "1 Q0 a 1 nan t\n",
        "grade.qrels": "1 0 a x\n",
        "twice.qrels": "1 0 a 1\n1 0 a 0\n",
        "twice.run": "1 Q0 a 1 2 t\n1 Q0 a 2 1 t\n",
        "no_match.run": "7 Q0 a 1 2 t\n",
        "broken.json": '{"1": {"a": 1',
        "gzip.run.gz": "",
    }
    for name, text in {**texts, **{f"wrong_{name}": text for name, text in wrong.items()}}.items():
        small.joinpath(name).write_bytes(text.encode())
    small.joinpath("latin.run").write_bytes(b"1 Q0 \xe9 1 2 t\n")
    small.joinpath("bom.run").write_bytes(b"\xef\xbb\xbf1 Q0 a 1 2 t\r\n")
    small.joinpath("nested.json").write_text(json.dumps({"1": {"a": 2.0, "b": 1.0}}))
    small.joinpath("sharp.run.gz").write_bytes(gzip.compress(texts["sharp.run"].encode(), mtime=0))
    hostile = [one for one in HOSTILE if " " not in one]
    small.joinpath("hostile.run").write_text(
        "".join(
            f"{topic}\tQ0\t{docno}\t{rank}\t{-rank}\t{hostile[0]}\n"
            for topic in hostile
            for rank, docno in enumerate(hostile)
        ),
        "utf-8",
    )


def _run(tag: str, rankings: dict[str, str]) -> str:
    """A run of one topic per key; documents joined by = have the same score."""
    return "".join(
        f"{topic} Q0 {docno} {rank} {-rank} {tag}\n"
        for topic, ranking in rankings.items()
        for rank, group in enumerate(ranking.split())
        for docno in group.split("=")
    )


def _collections() -> str:
    return "".join(
        f"""
[[collection]]
name = "{name}"
qrels = "{name}.qrels"
runs = "sharp.run"
"""
        for name in ("graded", "human")
    )

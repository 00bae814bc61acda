"""A collection as large as real ones: 300,000 judgments from a pool whose documents come back.

Everything is drawn from one seed with numpy and written by pyarrow and json, so that no reader
is tested on what its own writer wrote.
"""

import gzip
import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import csv, ipc, parquet

N_TOPICS, N_POOL = 4_200, 60_013  # a prime: steps through the pool never meet early
JUDGED, FOUND = 72, 36
"""Judgments of a topic, and how many of their documents a run may find."""

UNRUN, UNJUDGED = 20, 20
"""Judged topics that the runs lack, and topics of runs that nobody judged."""

DEPTHS = {"large": 240, "baseline": 25, "candidate": 25, **{f"many{i:02}": 5 for i in range(28)}}
"""The runs, and how many documents they have for a topic."""

EXPECTED = ("map", "ndcg_cut_10", "recip_rank", "P_10", "recall_100", "Rprec", "bpref", "num_ret")
MEASURES = "AP nDCG@10 RR P@10 R@100 Rprec Bpref NumRet"
"""The same measures in trec_eval's words and in ours."""

Scores = Mapping[str, Mapping[str, float]]
PATIENCE = 600


@dataclass(frozen=True)
class Collection:
    """Files of judgments and runs in a folder, and what they hold."""

    folder: Path
    qrels: Mapping[str, Mapping[str, int]]

    def run(self, name: str) -> Scores:
        """A run by topic and docno."""
        return by_topic(drawn_run(name))

    def expected(self, name: str) -> Mapping[str, np.ndarray]:
        """pytrec_eval's values of a run by measure, in the order of the judged topics.

        Topics that the run lacks count 0.
        """
        kept = self.folder / f"{name}.npz"
        if not kept.exists():
            values = peer(self.qrels, self.run(name), EXPECTED)
            partial = kept.with_suffix(f".{time.monotonic_ns()}.npz")
            np.savez(partial, **values)
            partial.rename(kept)
        with np.load(kept) as values:
            return dict(values)


def peer(
    qrels: Mapping[str, Mapping[str, int]], run: Scores, measures: tuple[str, ...], rel: int = 1
) -> dict[str, np.ndarray]:
    """pytrec_eval's values by measure, one for each judged topic."""
    asked = {name.replace("_cut_", "_cut.").replace("P_", "P.") for name in measures}
    asked = {name.replace("recall_", "recall.") for name in asked}
    pytrec_eval = pytest.importorskip("pytrec_eval")
    found = pytrec_eval.RelevanceEvaluator(qrels, asked, relevance_level=rel).evaluate(run)
    return {
        name: np.array([found.get(topic, {}).get(name, 0.0) for topic in qrels])
        for name in measures
    }


def _docnos(topics: np.ndarray, start: int, stop: int) -> np.ndarray:
    """Numbers of documents of the pool, of which no topic has one twice."""
    places = np.arange(start, stop)
    return (topics[:, None] * 7_919 + (topics[:, None] % 997 + 1) * places) % N_POOL


def _named(topics: np.ndarray, docnos: np.ndarray) -> dict[str, pa.Array]:
    words = pa.array([f"topic-{i}" for i in range(N_TOPICS + UNJUDGED)])
    names = pa.array([f"pool-{i % 7}-{i:05}" for i in range(N_POOL)])
    repeated = np.repeat(topics, docnos.shape[1])
    return {"topic": words.take(pa.array(repeated)), "docno": names.take(pa.array(docnos.ravel()))}


def drawn_qrels() -> pa.Table:
    """The judgments: topic, docno, grade."""
    grades = np.random.default_rng(1).choice(4, N_TOPICS * JUDGED, p=(0.7, 0.15, 0.1, 0.05))
    topics = np.arange(N_TOPICS)
    return pa.table({**_named(topics, _docnos(topics, 0, JUDGED)), "grade": grades})


def drawn_run(name: str) -> pa.Table:
    """A run: topic, docno, score; scores fall and many are equal."""
    random = np.random.default_rng([2, *name.encode()])
    topics, depth = np.arange(UNRUN, N_TOPICS + UNJUDGED), DEPTHS[name]
    docnos = _docnos(topics, JUDGED - FOUND, JUDGED - FOUND + depth)
    scores = np.round(random.gumbel(size=docnos.shape), 1) + 10
    scores[:, :FOUND] += np.round(random.random((len(topics), min(FOUND, depth))), 1)
    order = np.argsort(-scores, axis=1)
    docnos, scores = (np.take_along_axis(part, order, axis=1) for part in (docnos, scores))
    return pa.table({**_named(topics, docnos), "score": np.round(scores.ravel(), 1)})


def by_topic(table: pa.Table) -> dict[str, dict[str, float]]:
    """A table as pytrec_eval takes it."""
    found: dict[str, dict[str, float]] = {}
    for topic, docno, number in zip(*(column.to_pylist() for column in table), strict=True):
        found.setdefault(topic, {})[docno] = number
    return found


def write_trec(path: Path, table: pa.Table, tag: str | None = None) -> None:
    """Lines of TREC: of judgments, or of a run when there is a tag."""
    n = len(table)
    columns = [table["topic"], pa.repeat("Q0" if tag else "0", n), table["docno"]]
    if tag:
        ranks = np.arange(n) % (n // (N_TOPICS + UNJUDGED - UNRUN)) + 1
        columns += [pa.array(ranks), table["score"], pa.repeat(tag, n)]
    else:
        columns += [table["grade"]]
    lines = pa.table(columns, names=[str(i) for i in range(len(columns))])
    how = csv.WriteOptions(include_header=False, delimiter=" ", quoting_style="none")
    csv.write_csv(lines, path, how)


def write_all(folder: Path, name: str, table: pa.Table) -> None:
    """A table as Parquet, Arrow and JSON Lines."""
    parquet.write_table(table, folder / f"{name}.parquet", row_group_size=65_537)
    with ipc.new_file(folder / f"{name}.arrow", table.schema) as out:
        out.write_table(table, max_chunksize=65_537)
    keys = table.column_names
    rows = zip(*(column.to_pylist() for column in table), strict=True)
    with (folder / f"{name}.jsonl").open("w") as lines:
        lines.writelines(json.dumps(dict(zip(keys, row, strict=True))) + "\n" for row in rows)


def write_collection(folder: Path) -> None:
    """All files of the collection."""
    qrels = drawn_qrels()
    write_trec(folder / "qrels.trec", qrels)
    write_all(folder, "qrels", qrels)
    for name in DEPTHS:
        write_trec(folder / f"{name}.run", drawn_run(name), tag=name)
    write_all(folder, "baseline", drawn_run("baseline"))
    large = drawn_run("large")
    parquet.write_table(large, folder / "large.parquet")
    text = (folder / "large.run").read_bytes()
    (folder / "large.run.gz").write_bytes(gzip.compress(text, 1, mtime=0))
    with pa.output_stream(str(folder / "large.run.zst"), compression="zstd") as out:
        out.write(text)


def made_once(folder: Path) -> Path:
    """Write the collection, or wait until the process that began has written it."""
    ready = folder / "ready"
    try:
        folder.mkdir()
    except FileExistsError:
        for _ in _waiting():
            if ready.exists():
                return folder
        raise
    try:
        write_collection(folder)
    finally:
        ready.touch()
    return folder


def _waiting() -> Iterator[None]:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        yield
        time.sleep(0.2)

"""Make the data of the benchmarks: python -m benchmarks.make_data KIND FOLDER."""

import gzip
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
from pyarrow import parquet as pq

TOPICS, DEPTH = 6_980, 1_000


def passages(folder: Path, *, topics: int = TOPICS, name: str = "passages") -> None:
    """A run of MS MARCO's shape, scores strictly descending, and its sparse judgments."""
    random = np.random.default_rng(1)
    numbers = np.sort(random.choice(1_100_000, topics, replace=False))
    with (
        (folder / f"{name}.run").open("w") as run,
        (folder / f"{name}.qrels").open("w") as qrels,
    ):
        for topic in numbers.tolist():
            docnos = random.choice(8_800_000, DEPTH, replace=False).tolist()
            steps = random.integers(1, 40_000, DEPTH)
            scores = (5_000_000 + np.cumsum(steps)[::-1]).tolist()
            run.writelines(
                f"{topic} Q0 {docno} {rank} {score / 1e6:.6f} bm25\n"
                for rank, (docno, score) in enumerate(zip(docnos, scores, strict=True), 1)
            )
            place = min(int(random.geometric(0.02)) - 1, 4 * DEPTH)
            relevant = docnos[place] if place < DEPTH else 8_800_000 + topic
            qrels.write(f"{topic} 0 {relevant} 1\n")


def variants(folder: Path) -> None:
    """The same run unsorted, with heavily tied scores, and with its topics interleaved."""
    lines = (folder / "passages.run").read_text().splitlines(keepends=True)
    random = np.random.default_rng(2)
    with (folder / "unsorted.run").open("w") as out:
        for start in range(0, len(lines), DEPTH):
            out.writelines(lines[start + i] for i in random.permutation(DEPTH).tolist())
    with (folder / "tied.run").open("w") as out:
        for line in lines:
            topic, q0, docno, rank, score, tag = line.split()
            out.write(f"{topic} {q0} {docno} {rank} {float(score):.0f} {tag}\n")
    with (folder / "interleaved.run").open("w") as out:
        for rank in range(DEPTH):
            out.writelines(lines[rank::DEPTH])


def measures(folder: Path) -> None:
    """The measures of judged documents alone, each with the parameters that it needs."""
    from rankeval import describe
    from rankeval.measures import definitions
    from rankeval.measures.facts import CATALOG, FEATURES, LISTS, STRATA, SUBTOPICS, TRAIN

    others = {STRATA, SUBTOPICS, CATALOG, FEATURES, LISTS, TRAIN}
    names = [
        describe(name).example
        for name, definition in definitions().items()
        if not others & set(definition.needs)
    ]
    (folder / "measures.txt").write_text("\n".join(names))


def compressed(folder: Path) -> None:
    """The same run in gzip and in zstd."""
    text = (folder / "passages.run").read_bytes()
    (folder / "passages.run.gz").write_bytes(gzip.compress(text, 6, mtime=0))
    with pa.output_stream(str(folder / "passages.run.zst"), compression="zstd") as out:
        out.write(text)


def objects(folder: Path) -> None:
    """The same run and its judgments in JSON Lines."""
    with (folder / "passages.run").open() as run, (folder / "passages.jsonl").open("w") as out:
        for line in run:
            topic, _, docno, _, score, _ = line.split()
            out.write(f'{{"query_id": "{topic}", "doc_id": "{docno}", "score": {score}}}\n')
    qrels = folder / "passages.qrels"
    with qrels.open() as lines, (folder / "passages.qrels.jsonl").open("w") as out:
        for line in lines:
            topic, _, docno, grade = line.split()
            out.write(f'{{"query_id": "{topic}", "doc_id": "{docno}", "relevance": {grade}}}\n')


def track(
    folder: Path,
    *,
    runs: int = 100,
    topics: int = 50,
    judged: int = 1_700,
    name: str = "track",
) -> None:
    """Many runs of one track, with deep graded judgments."""
    random = np.random.default_rng(3)
    pools = [
        random.choice(500_000, judged + 4 * DEPTH, replace=False).tolist() for _ in range(topics)
    ]
    grades = [random.choice(4, judged, p=(0.85, 0.09, 0.04, 0.02)).tolist() for _ in range(topics)]
    with (folder / f"{name}.qrels").open("w") as qrels:
        for topic in range(topics):
            qrels.writelines(
                f"{301 + topic} 0 FT{docno:06d} {grade}\n"
                for docno, grade in zip(pools[topic], grades[topic], strict=False)
            )
    for number in range(runs):
        with (folder / f"{name}.{number:03d}.run").open("w") as run:
            for topic in range(topics):
                favour = np.zeros(len(pools[topic]))
                favour[:judged] = np.array(grades[topic]) + 1
                scores = favour + random.gumbel(size=len(favour)) * 2
                best = np.argsort(-scores)[:DEPTH].tolist()
                run.writelines(
                    f"{301 + topic} Q0 FT{pools[topic][i]:06d} {rank} {scores[i]:.6f} run{number}\n"
                    for rank, i in enumerate(best, 1)
                )


def pooled(folder: Path, *, topics: int = 1_000, pool: int = 150) -> None:
    """A run and 300,000 judgments of a pooled collection, and the run's lines in other orders.

    And 30 runs of 50 topics, with 15,000 judgments.
    """
    random = np.random.default_rng(9)
    numbers = random.choice(134 * 100 * 100_000, 500_000, replace=False).tolist()
    names = [f"clueweb09-en{n // 10**7:04}-{n // 10**5 % 100:02}-{n % 10**5:05}" for n in numbers]
    ranked: list[list[str]] = []
    with (folder / "pooled.qrels").open("w") as qrels:
        for topic in range(1, topics + 1):
            found = random.choice(len(names), DEPTH, replace=False)
            scores = np.sort(random.random(DEPTH) * 30)[::-1].tolist()
            ranked.append(
                [
                    f"{topic} Q0 {names[i]} {rank} {score:.6f} bm25\n"
                    for rank, (i, score) in enumerate(zip(found.tolist(), scores, strict=True), 1)
                ]
            )
            elsewhere = random.choice(len(names), pool, replace=False)
            judged = np.union1d(random.choice(found, pool, replace=False), elsewhere).tolist()
            grades = random.choice([0, 0, 0, 1, 1, 2], len(judged)).tolist()
            qrels.writelines(
                f"{topic} 0 {names[i]} {grade}\n" for i, grade in zip(judged, grades, strict=True)
            )
    track(folder, runs=30, judged=300, name="thirty")
    quarter = DEPTH // 4
    orders = {
        "pooled": (lines for lines in ranked),
        "pooled.interleaved": ([lines[i] for lines in ranked] for i in range(DEPTH)),
        "pooled.shards": (
            lines[i : i + quarter] for i in range(0, DEPTH, quarter) for lines in ranked
        ),
    }
    for name, pieces in orders.items():
        with (folder / f"{name}.run").open("w") as run:
            for lines in pieces:
                run.writelines(lines)


def parts(folder: Path, *, users: int = 200_000, depth: int = 100, n_parts: int = 16) -> None:
    """A log of 20 million rows in parts of Parquet, and 2 million judgments in 4 parts.

    Rows are sorted by user, and every part but the last ends within a user's rows.
    """
    random = np.random.default_rng(6)
    for kind, count, per_user in ("log", n_parts, depth), ("log.qrels", 4, 10):
        (folder / kind).mkdir(exist_ok=True)
        size = users * per_user // count + 7
        for number in range(count):
            first = number * size
            last = min(first + size, users * per_user)
            user = np.arange(first, last) // per_user
            place = np.arange(first, last) % per_user
            # A user's items differ: each is some steps behind the one before it.
            item = (user * 7919 + place * 9973 * (depth // per_user)) % 999_983
            columns = {
                "user_id": pa.array([f"u{one:07}" for one in range(user[0], user[-1] + 1)]).take(
                    pa.array(user - user[0])
                ),
                "item_id": pa.array(item).cast(pa.string()),
            }
            if kind == "log":
                columns["score"] = pa.array(random.random(last - first))
            else:
                columns["grade"] = pa.array(random.integers(0, 3, last - first))
            pq.write_table(pa.table(columns), folder / kind / f"part-{number:05}.parquet")


def parts_as_lines(folder: Path) -> None:
    """The same log and judgments as one file of TREC's lines each, which trec_eval reads."""
    from rankeval import convert

    convert(folder / "log", folder / "log.run", tag="log", renumber=True)
    convert(folder / "log.qrels", folder / "log.qrels.txt", what="qrels")


def small(folder: Path) -> None:
    """One small run, 50 topics of 100 documents, and judgments to suit."""
    random = np.random.default_rng(4)
    with (folder / "small.run").open("w") as run, (folder / "small.qrels").open("w") as qrels:
        for topic in range(1, 51):
            docnos = random.choice(5_000, 100, replace=False).tolist()
            run.writelines(
                f"{topic} Q0 d{docno} {rank} {100 - rank / 10:.1f} small\n"
                for rank, docno in enumerate(docnos, 1)
            )
            qrels.writelines(f"{topic} 0 d{d} {d % 4}\n" for d in docnos[::5])


def growing(folder: Path) -> None:
    """Runs of 1, 4, 16 and 64 million lines with the same judgments."""
    for millions in (1, 4, 16, 64):
        passages(folder, topics=millions * 1_000, name=f"growth.{millions}")


def fusion(folder: Path, *, runs: int = 6, topics: int = 1_000, pool: int = 2_000) -> None:
    """Six runs of a million lines, whose documents come from the same pool of each topic."""
    random = np.random.default_rng(7)
    with (folder / "fusion.qrels").open("w") as qrels:
        qrels.writelines(f"{t} 0 d{t * pool + i} 1\n" for t in range(topics) for i in range(10))
    for number in range(runs):
        with (folder / f"fusion.{number}.run").open("w") as run:
            for topic in range(topics):
                docnos = topic * pool + random.choice(pool, DEPTH, replace=False)
                run.writelines(
                    f"{topic} Q0 d{docno} {rank} {1_000 - rank / 2} r{number}\n"
                    for rank, docno in enumerate(docnos.tolist(), 1)
                )


def fusion_orders(folder: Path) -> None:
    """Write the runs of `fusion` with their topics in other orders, and with scattered topics."""
    for run in sorted(folder.glob("fusion.[0-9].run")):
        lines = run.read_text().splitlines(keepends=True)
        random = np.random.default_rng(int(run.name.split(".")[1]))
        topics = random.permutation(len(lines) // DEPTH).tolist()
        for name, order in (
            ("ordered", [i for t in topics for i in range(t * DEPTH, (t + 1) * DEPTH)]),
            ("scattered", random.permutation(len(lines)).tolist()),
        ):
            run.with_suffix(f".{name}").write_text("".join(map(lines.__getitem__, order)))


KINDS = {
    "passages": passages,
    "variants": variants,
    "compressed": compressed,
    "objects": objects,
    "measures": measures,
    "track": track,
    "small": small,
    "growing": growing,
    "pooled": pooled,
    "parts": parts,
    "parts_as_lines": parts_as_lines,
    "fusion": fusion,
    "fusion_orders": fusion_orders,
}

if __name__ == "__main__":
    KINDS[sys.argv[1]](Path(sys.argv[2]))

"""Time and memory of --docs on a collection as large as MS MARCO's passages, in TSV and in gzip.

    python -m benchmarks.passage_texts [PASSAGES] [FOLDER]

makes PASSAGES passages (8,841,823 by default, 3 GB) in FOLDER, or a temporary one, and removes
them. `rankeval diff` shows those that made 20 of 50 topics differ. It is compared with itself
without texts, and with pyarrow reading the file in batches.
"""

import gzip
import shutil
import sys
import tempfile
from pathlib import Path
from random import Random

from benchmarks.processes import run

PASSAGES = 8_841_823
TOPICS, DEPTH = 50, 100
STEMS = ("read", "writ", "cook", "build", "rank", "measur")
ENDINGS = ("", "e", "er", "ers", "ing", "ed", "able", "ably", "s", "ment")
WORDS = [f"{stem}{ending}" for stem in STEMS for ending in ENDINGS]
LENGTH = 330
"""Characters of a passage; MS MARCO's have 337 on average."""

BY_ARROW = """
import sys
import pyarrow.csv as csv
from pyarrow import CompressedInputStream
path = sys.argv[1]
read = csv.ReadOptions(column_names=["name", "text"], block_size=4 << 20)
parse = csv.ParseOptions(delimiter="\\t", quote_char=False)
source = CompressedInputStream(path, "gzip") if path.endswith(".gz") else path
batches = csv.open_csv(source, read_options=read, parse_options=parse)
print(sum(batch.num_rows for batch in batches))
"""


def make_passages(path: Path, number: int) -> None:
    """Write passages, each beginning with its number, and with words of its own."""
    random = Random(33)
    texts = [" ".join(random.choices(WORDS, k=80))[:LENGTH] for _ in range(10_000)]
    with path.open("w", encoding="utf-8") as file:
        for start in range(0, number, 10_000):
            some = range(start, min(number, start + 10_000))
            file.writelines(f"{name}\t{texts[name * 7919 % 10_000]}\n" for name in some)


def make_runs(folder: Path, number: int) -> None:
    """Write judgments, queries and two runs of passages from all over the collection."""
    random = Random(34)
    lines: dict[str, list[str]] = {"qrels": [], "a.run": [], "b.run": [], "queries.tsv": []}
    for topic in range(TOPICS):
        lines["queries.tsv"].append(f"{topic}\t{' '.join(random.choices(WORDS, k=5))}\n")
        for name in ("a.run", "b.run"):
            for rank, passage in enumerate(random.sample(range(number), DEPTH), 1):
                lines[name].append(f"{topic} Q0 {passage} {rank} {DEPTH - rank} {name[0]}\n")
                if rank <= 10:
                    lines["qrels"].append(f"{topic} 0 {passage} {random.randrange(3)}\n")
    for name, content in lines.items():
        (folder / name).write_text("".join(content))


def measure(folder: Path, passages: str, repeat: int = 3) -> None:
    """Print a row for each way of reading the passages."""
    files = [str(folder / name) for name in ("qrels", "a.run", "b.run")]
    plain = [sys.executable, "-m", "rankeval", "diff", *files, "--top", "20", "--queries",
             str(folder / "queries.tsv")]  # fmt: skip
    texts = [*plain, "--docs", str(folder / passages)]
    without = min((run(plain) for _ in range(repeat)), key=lambda used: used.wall)
    arrow = [sys.executable, "-c", BY_ARROW, str(folder / passages)]
    by_arrow = min((run(arrow) for _ in range(repeat)), key=lambda used: used.wall)
    scanned = min((run(texts) for _ in range(repeat)), key=lambda used: used.wall)
    rows = {"without texts": without, "pyarrow reads it": by_arrow, "with texts": scanned}
    for name, used in rows.items():
        more, ratio = used.peak - without.peak, used.wall / by_arrow.wall
        row = [
            passages,
            name,
            f"{used.wall:.2f}",
            f"{used.cpu - without.cpu:+.2f}",
            f"{ratio:.2f}",
            f"{used.peak:.0f}",
            f"{more:+.0f}",
        ]
        print(f"| {' | '.join(row)} |", flush=True)


def main(number: int, folder: str | None) -> None:
    """Make the passages, print a table in Markdown, and remove them."""
    with tempfile.TemporaryDirectory(dir=folder) as made:
        here = Path(made)
        make_passages(here / "passages.tsv", number)
        make_runs(here, number)
        print("| file | call | s | CPU s more | pyarrow = 1 | MB | MB more |")
        print("| --- | --- | ---: | ---: | ---: | ---: | ---: |")
        measure(here, "passages.tsv")
        plain, packed = here / "passages.tsv", here / "passages.tsv.gz"
        with plain.open("rb") as read, gzip.open(packed, "wb", compresslevel=1) as written:
            shutil.copyfileobj(read, written, 1 << 22)
        plain.unlink()
        measure(here, "passages.tsv.gz")


if __name__ == "__main__":
    main(
        int(sys.argv[1]) if len(sys.argv) > 1 else PASSAGES,
        sys.argv[2] if len(sys.argv) > 2 else None,
    )

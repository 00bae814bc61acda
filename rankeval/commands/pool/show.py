"""The report on a pool in every format, and its schema."""

from collections.abc import Callable, Iterator

from rankeval.base.numbers import number
from rankeval.base.wording import count
from rankeval.commands.pool.task import Pool
from rankeval.output.document_form import Document, headed, plain
from rankeval.output.drawings import drawings
from rankeval.output.printer import Printer
from rankeval.output.style import Style
from rankeval.output.tables import NAME, Block, Column, Table, numbers

SCHEMA = "rankeval-pool/1"


def document(found: Pool) -> Document:
    """Return what the pool has of each run, what each two share, and what it covers."""
    facts: Document = {
        "documents": len(found),
        "runs": [*_runs(found)],
        "pairs": [*_pairs_document(found)],
    }
    if found.covered is not None:
        facts["covered"] = found.covered
    return headed(SCHEMA, plain(facts))


def records(found: Pool) -> Iterator[Document]:
    """Yield the runs and their pairs, or what the pool covers of another run."""
    if found.covered is None:
        yield from _runs(found)
        yield from _pairs_document(found)
    else:
        for cutoff, share in found.covered.items():
            yield plain({"cutoff": cutoff, "covered": share})


def _runs(found: Pool) -> Iterator[Document]:
    for name, documents, unique in zip(
        found.runs, found.documents.tolist(), found.unique.tolist(), strict=True
    ):
        yield {"run": name, "documents": documents, "unique": unique}


def _pairs_document(found: Pool) -> Iterator[Document]:
    for i, name in enumerate(found.runs):
        for j in range(i + 1, len(found.runs)):
            yield {
                "first": name,
                "second": found.runs[j],
                "shared": int(found.shared[i, j]),
                "jaccard": found.jaccard(i, j),
                "rbo": None if found.rbo is None else float(found.rbo[i, j]),
            }


def _overlap(found: Pool, style: Style) -> Iterator[Block]:
    rows = [
        [name, f"{documents:,}", f"{unique:,}"]
        for name, documents, unique in zip(
            found.runs, found.documents.tolist(), found.unique.tolist(), strict=True
        )
    ]
    heads = ["documents", "in no other run"]
    yield Table(
        f"Pool of {count(len(found), 'document')}: what it has of each run",
        [Column("run", NAME), *numbers(heads)],
        rows,
    )
    if len(found.runs) > 1:
        yield Table("What each two runs share", _COLUMNS, [*_pairs(found, style)], long=True)
        yield "RBO is extrapolated, p = 0.9, mean over topics."


_COLUMNS = [
    Column("run", NAME // 2),
    Column("other", NAME // 2),
    *numbers(["shared", "Jaccard", "RBO"]),
]


def _pairs(found: Pool, style: Style) -> Iterator[list[str]]:
    for i, name in enumerate(found.runs):
        for j in range(i + 1, len(found.runs)):
            yield [
                name,
                found.runs[j],
                f"{found.shared[i, j]:,}",
                number(found.jaccard(i, j), style.decimals),
                number(None if found.rbo is None else float(found.rbo[i, j]), style.decimals),
            ]


def _overlap_rows(found: Pool, style: Style, safe: Callable[[str], str]) -> Iterator[list[str]]:
    yield ["run", "other", "documents", "unique", "shared", "jaccard", "rbo"]
    for name, documents, unique in zip(
        found.runs, found.documents.tolist(), found.unique.tolist(), strict=True
    ):
        yield [safe(name), "", str(documents), str(unique), "", "", ""]
    for i, name in enumerate(found.runs):
        for j in range(i + 1, len(found.runs)):
            rbo = None if found.rbo is None else float(found.rbo[i, j])
            shared = str(found.shared[i, j])
            values = map(style.number, (found.jaccard(i, j), rbo))
            yield [safe(name), safe(found.runs[j]), "", "", shared, *values]


def _coverage(found: Pool, style: Style) -> Iterator[Block]:
    rows = [[str(k), number(share, style.decimals)] for k, share in (found.covered or {}).items()]
    title = "Share of the run's first documents that are in the pool or judged"
    yield Table(title, numbers(["cutoff", "covered"]), rows)


def _coverage_rows(found: Pool, style: Style, _safe: Callable[[str], str]) -> Iterator[list[str]]:
    yield ["cutoff", "covered"]
    for cutoff, share in (found.covered or {}).items():
        yield [str(cutoff), style.number(share)]


OVERLAP, COVERAGE = (
    Printer[Pool](
        document=lambda found, _: document(found),
        records=lambda found, _: records(found),
        drawings=drawings(blocks, rows),
    )
    for blocks, rows in ((_overlap, _overlap_rows), (_coverage, _coverage_rows))
)

"""The share of runs in a pool, and its coverage of another run, in every format."""

from collections.abc import Callable, Iterator

from rankeval.documents.pool import document, records
from rankeval.render.drawings import drawings
from rankeval.render.printer import Printer
from rankeval.render.style import Style
from rankeval.render.tables import NAME, Block, Column, Table, numbers
from rankeval.support.numbers import number
from rankeval.support.wording import count
from rankeval.tasks.pool import Pool


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

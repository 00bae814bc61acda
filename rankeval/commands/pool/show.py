"""The report on a pool in every format, and its schema."""

from collections.abc import Iterator

from rankeval.base.wording import count, number
from rankeval.choices import Format
from rankeval.commands.pool.task import Pool
from rankeval.evaluation.text_cells import heads_of_texts, values_of_texts
from rankeval.output import escape
from rankeval.output.data_rows import Row
from rankeval.output.document_form import Document, headed, plain
from rankeval.output.json_text import line
from rankeval.output.printer import Printer
from rankeval.output.style import Style
from rankeval.output.tables import NAME, Block, Column, Table, numbers
from rankeval.output.writing import write_pieces

SCHEMA = "rankeval-pool/1"


def document(found: Pool) -> Document:
    """Return the pool's share of each run, the overlap of each two, and the coverage."""
    facts: Document = {
        "documents": len(found),
        "runs": [*_runs(found)],
        "pairs": [*_pairs_document(found)],
    }
    if found.covered is not None:
        facts["covered"] = found.covered
    return headed(SCHEMA, plain(facts))


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


def write_with_texts(found: Pool, output: str | None, style: Style, form: str) -> None:
    """Write the documents to judge with their texts, whole or not at all."""
    write_pieces(lambda _: _lines_with_texts(found, form), output, style, form=form)


def _lines_with_texts(found: Pool, form: str) -> Iterator[str]:
    """Yield the documents to judge with query, title and text: "tsv", with a header, or "jsonl"."""
    texts = found.texts
    heads = ["topic", "docno", *heads_of_texts(texts)]
    if form == Format.TSV:
        yield "\t".join(heads) + "\n"
    for topic, docno in found.pairs():
        values = [topic, docno, *values_of_texts(texts, topic, docno)]
        if form == Format.TSV:
            yield "\t".join(escape.tsv(str(value or "")) for value in values) + "\n"
        else:
            yield line(plain(dict(zip(heads, values, strict=True))))


def _overlap(found: Pool, style: Style) -> Iterator[Block]:
    rows = [[one["run"], f"{one['documents']:,}", f"{one['unique']:,}"] for one in _runs(found)]
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
    for pair in _pairs_document(found):
        shares = [number(pair[name], style.decimals) for name in ("jaccard", "rbo")]
        yield [pair["first"], pair["second"], f"{pair['shared']:,}", *shares]


def _overlap_rows(found: Pool, _style: Style) -> Iterator[Row]:
    yield ["run", "other", "documents", "unique", "shared", "jaccard", "rbo"]
    for run in _runs(found):
        yield [run["run"], None, run["documents"], run["unique"], None, None, None]
    for pair in _pairs_document(found):
        shared = pair["shared"], pair["jaccard"], pair["rbo"]
        yield [pair["first"], pair["second"], None, None, *shared]


def _coverage(found: Pool, style: Style) -> Iterator[Block]:
    rows = [[str(k), number(share, style.decimals)] for k, share in (found.covered or {}).items()]
    title = "Share of the run's first documents that are in the pool or judged"
    yield Table(title, numbers(["cutoff", "covered"]), rows)


def _coverage_rows(found: Pool, _style: Style) -> Iterator[Row]:
    yield ["cutoff", "covered"]
    yield from (found.covered or {}).items()


OVERLAP, COVERAGE = (
    Printer[Pool](
        document=lambda found, _: document(found),
        rows=rows,
        blocks=blocks,
    )
    for blocks, rows in ((_overlap, _overlap_rows), (_coverage, _coverage_rows))
)


def _listed_rows(found: Pool, _style: Style) -> Iterator[Row]:
    yield ["topic", "docno"]
    yield from found.pairs()


PRINTER = Printer[Pool](
    document=lambda found, _: document(found),
    rows=_listed_rows,
    blocks=_overlap,
)

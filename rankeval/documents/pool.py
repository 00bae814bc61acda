"""The document on a pool, the schema rankeval-pool/1, and its records."""

from collections.abc import Iterator

from rankeval.documents.plain import Document, headed, plain
from rankeval.tasks.pool import Pool

SCHEMA = "rankeval-pool/1"


def document(found: Pool) -> Document:
    """Return what the pool has of each run, what each two share, and what it covers."""
    facts: Document = {"documents": len(found), "runs": [*_runs(found)], "pairs": [*_pairs(found)]}
    if found.covered is not None:
        facts["covered"] = found.covered
    return headed(SCHEMA, plain(facts))


def records(found: Pool) -> Iterator[Document]:
    """Yield the runs and their pairs, or what the pool covers of another run."""
    if found.covered is None:
        yield from _runs(found)
        yield from _pairs(found)
    else:
        for cutoff, share in found.covered.items():
            yield plain({"cutoff": cutoff, "covered": share})


def _runs(found: Pool) -> Iterator[Document]:
    for name, documents, unique in zip(
        found.runs, found.documents.tolist(), found.unique.tolist(), strict=True
    ):
        yield {"run": name, "documents": documents, "unique": unique}


def _pairs(found: Pool) -> Iterator[Document]:
    for i, name in enumerate(found.runs):
        for j in range(i + 1, len(found.runs)):
            yield {
                "first": name,
                "second": found.runs[j],
                "shared": int(found.shared[i, j]),
                "jaccard": found.jaccard(i, j),
                "rbo": None if found.rbo is None else float(found.rbo[i, j]),
            }

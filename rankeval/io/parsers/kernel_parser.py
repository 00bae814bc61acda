"""Parse lines by the compiled reader, as the plain parser does; docnos are not copied."""

import numpy as np

from rankeval.base.arrays import Integers
from rankeval.io import kernel
from rankeval.io.parsers.columns import Columns, Layout
from rankeval.io.parsers.names import SEEDS, Names, Texts, topics_of


def can_part(layout: Layout) -> bool:
    """Return True for lines that the compiled reader can part."""
    is_cut = layout.split is None or len(layout.separator) == 1
    is_small = len(layout.fields) <= kernel.MOST_FIELDS and len(layout.kept) <= kernel.MOST_KEPT
    return is_cut and is_small and layout.decimal and layout.finite and not layout.objects


def _shape_of(layout: Layout) -> list[int]:
    """Return the layout as kernel.c has it."""
    kept = [place for _, place in layout.kept]
    places = (layout.topic, layout.docno, layout.value, layout.rank, layout.tag)
    return [
        len(layout.fields),
        *(-1 if place is None else place for place in places),
        layout.more,
        layout.comments,
        -1 if layout.split is None else layout.separator[0],
        len(kept),
        *kept,
        *[-1] * (kernel.MOST_KEPT - len(kept)),
    ]


def _cut(text: bytes, starts: Integers, ends: Integers) -> list[bytes]:
    return [text[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]


def parse(block: bytes, layout: Layout, first_line: int) -> Columns | None:
    """Parse whole lines as the plain parser does; None where another parser must read them."""
    if layout.integers:
        return None
    ranked = layout.rank is not None
    found = kernel.parse(block, _shape_of(layout), len(layout.kept), SEEDS, ranked=ranked)
    if found is None:
        return None
    n_lines = len(found.values)
    tags = set(_cut(block, found.tag[0], found.tag.sum(axis=0)))
    last = found.tag[:, -1:]
    return Columns(
        topics=topics_of(Names(_texts(block, found.topic))),
        starts=np.append(found.first, n_lines),
        docnos=Names(_texts(block, found.docno), found.hashes),
        values=0.0 - found.values if layout.ranked else found.values,
        lines=range(first_line, first_line + n_lines),
        tags=frozenset(tags),
        last_tag=b"".join(_cut(block, last[0], last.sum(axis=0))),
        kept={
            role: Names(_texts(block, place))
            for (role, _), place in zip(layout.kept, found.kept, strict=True)
        },
        ranks=found.ranks,
        stated=layout.stated,
    )


def _texts(text: bytes, places: Integers) -> Texts:
    """Return names by their places in a text."""
    return Texts(text, places[0], places[1], adjacent=False)

"""Parse lines by the compiled reader, as the plain parser does; docnos are not copied."""

import struct

import numpy as np

from rankeval.base.arrays import Integers
from rankeval.io.kernel import at, enough, structure
from rankeval.io.kernel_library import library
from rankeval.io.parsers.columns import Columns, Layout
from rankeval.io.parsers.names import SEEDS, Names, Texts, topics_of

MOST_FIELDS, MOST_KEPT = 16, 4
"""As in kernel.c."""


def can_part(layout: Layout) -> bool:
    """Return True for lines that the compiled reader can part."""
    is_cut = layout.split is None or len(layout.separator) == 1
    is_small = len(layout.fields) <= MOST_FIELDS and len(layout.kept) <= MOST_KEPT
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
        *[-1] * (MOST_KEPT - len(kept)),
    ]


def parse(block: bytes, layout: Layout, first_line: int) -> Columns | None:
    """Parse whole lines as the plain parser does; None where another parser must read them."""
    if layout.integers:
        return None
    n_lines = library().rankeval_lines(block, len(block))
    places = np.empty((7, n_lines), dtype=np.int64)
    hashes, values = np.empty(n_lines, dtype=np.uint64), np.empty(n_lines)
    ranks = None if layout.rank is None else np.empty(n_lines)
    kept = np.empty((len(layout.kept), 2, n_lines), dtype=np.int64)
    start, size, *others = map(at, places)
    arrays = (start, size, at(hashes), at(values), at(ranks), *others, at(kept))
    columns = structure("11P3q", *arrays, n_lines, 0, 0)
    shape, seeds = np.array(_shape_of(layout), np.int32), np.array(SEEDS, np.uint64)
    if enough(library().rankeval_parse(block, len(block), at(shape), at(seeds), columns)):
        return None
    n_stretches, n_tags = struct.unpack("11P3q", columns.raw)[-2:]
    tags = [block[i : i + size] for i, size in places[5:, :n_tags].T.tolist()]
    return Columns(
        topics=topics_of(_names(block, places[3:5, :n_stretches].copy())),
        starts=np.append(places[2, :n_stretches], n_lines),
        docnos=Names(Texts(block, places[0], places[1], adjacent=False), hashes),
        values=0.0 - values if layout.ranked else values,
        lines=range(first_line, first_line + n_lines),
        tags=frozenset(tags),
        last_tag=tags[-1] if tags else b"",
        kept={role: _names(block, own) for (role, _), own in zip(layout.kept, kept, strict=True)},
        ranks=ranks,
    )


def _names(text: bytes, places: Integers) -> Names:
    """Return names by their places in a text."""
    return Names(Texts(text, places[0], places[1], adjacent=False))

"""Parse lines by the compiled reader, as the plain parser does; docnos are not copied."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, Self

import numpy as np

from rankeval.base.arrays import Integers, Words, offsets_of
from rankeval.base.frozen import frozen
from rankeval.io import kernel
from rankeval.io.parsers.columns import Columns, Docnos, Layout, Repeating
from rankeval.io.parsers.hashing import SEEDS, Texts, hashes
from rankeval.io.parsers.numbered_docnos import HashedDocnos
from rankeval.io.parsers.plain_parser import PlainDocnos

Rows = Integers | slice

MANY = 1 << 12
"""Stretches from which on their topics are likely to be a few that come again."""


@frozen(eq=False)
class PlacedDocnos(HashedDocnos):
    """Docnos, or other names, by their places in a text; `marks` are their hashes, if known."""

    places: Texts
    marks: Words | None = None

    @classmethod
    def one_after_the_other(cls, text: bytes, sizes: Integers, marks: Words | None) -> Self:
        """Take names of which each begins where the one before ends."""
        return cls(Texts.from_bounds(offsets_of(sizes), text), marks)

    @property
    def texts(self) -> Texts:
        """The place of the docnos in the text."""
        return self.places

    @cached_property
    def hashes(self) -> Words:
        """A hash of each docno."""
        return hashes(self.places) if self.marks is None else self.marks

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the docnos, of which another process has other hashes."""
        return PlainDocnos, (self.tolist(),)

    def __len__(self) -> int:
        return len(self.texts.starts)

    def __getitem__(self, row: int) -> bytes:
        return self.names_at(np.array([row]))[0]

    def tolist(self) -> list[bytes]:
        return self.names_at(slice(None))

    def distinct(self) -> tuple[Self, Integers]:
        """Return the docnos in order, each once, and the number of each row's."""
        first, which = kernel.number(self.texts, self.hashes)
        return self.take(first), which

    def number(self, known: dict[bytes, int]) -> Integers:
        first, which = kernel.number(self.texts, self.hashes)
        return PlainDocnos(self.names_at(first)).number(known)[which]

    def order(self, rows: Integers) -> Integers:
        return PlainDocnos(self.names_at(rows)).order(np.arange(len(rows)))

    def take(self, rows: Integers) -> Self:
        """Copy some docnos, so that the others need not stay in memory."""
        text, sizes = kernel.copied([self.places], rows)
        return self.one_after_the_other(text, sizes, self._marks_of(rows))

    def slice(self, start: int, stop: int) -> Self:
        return self.view(slice(start, stop))

    def view(self, rows: Rows) -> Self:
        """Return some docnos without copying them."""
        return replace(self, places=self.places.part(rows), marks=self._marks_of(rows))

    def _marks_of(self, rows: Rows) -> Words | None:
        return None if self.marks is None else self.marks[rows]

    def followed_by(self, others: Sequence[Docnos]) -> Docnos:
        if not others:
            return self
        placed = [names for names in (self, *others) if isinstance(names, PlacedDocnos)]
        if len(placed) <= len(others):
            return PlainDocnos(self.tolist()).followed_by(others)
        text, sizes = kernel.copied([names.places for names in placed])
        marks = [names.marks for names in placed if names.marks is not None]
        return self.one_after_the_other(
            text,
            sizes,
            np.concatenate(marks) if len(marks) == len(placed) else None,
        )

    def sorted_lines(
        self,
        topics: Sequence[bytes],
        grades: Sequence[bytes],
        offsets: Integers,
        docno: Integers,
        grade: Integers,
    ) -> tuple[memoryview, Integers]:
        """Return judgments of these docnos as sorted lines, and where topics begin and end.

        Topic t has the judgments `offsets[t]` to `offsets[t + 1]`; `docno` and `grade` number the
        document and the text of the grade of each.
        """
        texts = Texts.from_names(topics), Texts.from_names(grades)
        return kernel.sorted_lines(texts[0], self.places, texts[1], offsets, docno, grade)

    def as_arrow(self) -> Any:
        """Return the docnos as a column of Arrow."""
        from rankeval.io.parsers.arrow_parser import column_of

        text, sizes = kernel.copied([self.places])
        return column_of(text, offsets_of(sizes))

    def names_at(self, rows: Rows) -> list[bytes]:
        starts = self.texts.starts[rows]
        ends = starts + self.texts.lengths[rows]
        return _cut(self.texts.text, starts, ends)


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
        topics=_topics(block, found.topic),
        starts=np.append(found.first, n_lines),
        docnos=PlacedDocnos(_texts(block, found.docno), found.hashes),
        values=0.0 - found.values if layout.ranked else found.values,
        lines=range(first_line, first_line + n_lines),
        tags=frozenset(tags),
        last_tag=b"".join(_cut(block, last[0], last.sum(axis=0))),
        kept={
            role: PlacedDocnos(_texts(block, place))
            for (role, _), place in zip(layout.kept, found.kept, strict=True)
        },
        ranks=found.ranks,
        stated=layout.stated,
    )


def _texts(text: bytes, places: Integers) -> Texts:
    """Return names by their places in a text."""
    return Texts(text, places[0], places[1], adjacent=False)


def _topics(block: bytes, places: Integers) -> Sequence[bytes]:
    """Return the topics of stretches; where they are many, they are a few that come again."""
    starts, sizes = places
    if len(starts) < MANY:
        return tuple(_cut(block, starts, starts + sizes))
    text, _ = kernel.copied([_texts(block, places)])
    texts = Texts.from_bounds(offsets_of(sizes), text)
    first, which = kernel.number(texts, hashes(texts))
    return Repeating(tuple(_cut(block, starts[first], (starts + sizes)[first])), which)

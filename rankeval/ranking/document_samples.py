"""A sample of the documents of a pool: what was drawn, with which probability, and its grades."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import cached_property

import numpy as np

from rankeval.base.arrays import Booleans, Floats, Integers, offsets_of
from rankeval.base.frozen import frozen
from rankeval.base.wording import count, quoted
from rankeval.errors import InputError, UsageError
from rankeval.io.formats import trec
from rankeval.io.formats.file_format import Form
from rankeval.io.parsers.column_names import UNJUDGED
from rankeval.io.parsers.columns import Columns, is_number
from rankeval.io.parsers.plain_parser import PlainDocnos
from rankeval.io.read import map_blocks, read_columns
from rankeval.io.read_sizes import ReadSizes
from rankeval.io.sources.blocks import display_name
from rankeval.io.topic_order import itself
from rankeval.ranking.in_memory import file_to_read, parts_in_memory
from rankeval.ranking.qrels import Qrels, QrelsLike, from_columns

NEW = 0
"""The line of a document that is new in a sample."""

AT_FIRST = 1 << 16
"""Bytes of a file that are read to see whether it is a sample."""

SHOWN = 1e-9
"""Relative difference of sums of probabilities that rounding can make."""


@frozen(eq=False)
class DocumentSample:
    """D documents of the pools of T topics, drawn or not.

    =========== ============ ==============================================================
    path        text         where they come from, for messages
    topics      T bytes      in increasing byte order
    offsets     (T+1,) int64 topic t has the documents offsets[t] to offsets[t+1]
    docnos      D bytes      their names
    stratum     (D,) int64   number of the stratum, from 0; strata of two topics differ
    probability (D,) float64 probability of having been drawn, above 0 and at most 1
    grade       (D,) float64 NaN where nobody has judged a drawn document, negative where it
                             was not drawn
    lines       (D,) int64   lines of the file; NEW where a draw is not in it yet
    =========== ============ ==============================================================
    """

    path: str
    topics: tuple[bytes, ...]
    offsets: Integers
    docnos: tuple[bytes, ...]
    stratum: Integers
    probability: Floats
    grade: Floats
    lines: Integers

    @property
    def topic(self) -> Integers:
        """The index of each document's topic, shape (D,)."""
        return np.repeat(np.arange(len(self.topics)), np.diff(self.offsets))

    @property
    def drawn(self) -> Booleans:
        """True for documents that were drawn, shape (D,)."""
        drawn: Booleans = ~(self.grade < 0.0)
        return drawn

    def place(self, row: int) -> str:
        """Return the file and the line of a document."""
        return f"{self.path}:{self.lines[row]}"

    def columns(self) -> Iterator[Columns]:
        """Yield the documents as lines of judgments: in each topic, those to judge come first."""
        names = PlainDocnos(list(self.docnos)).order(np.arange(len(self.docnos)))
        order = np.lexsort((names, ~self.drawn, ~np.isnan(self.grade), self.topic))
        # Strata of a topic are numbered from 1.
        first = np.minimum.reduceat(self.stratum, self.offsets[:-1]) if len(self.docnos) else ()
        number = self.stratum - np.asarray(first, dtype=np.int64)[self.topic] + 1
        yield Columns(
            self.topics,
            self.offsets,
            PlainDocnos([self.docnos[row] for row in order.tolist()]),
            self.grade[order],
            range(1, len(order) + 1),
            kept={
                "stratum": PlainDocnos([b"%d" % name for name in number[order].tolist()]),
                "probability": PlainDocnos([b"%a" % p for p in self.probability[order].tolist()]),
            },
        )

    def to_judge(self, rows: Booleans) -> Iterator[Columns]:
        """Yield some of the documents as lines for assessors, unjudged."""
        sizes = np.bincount(self.topic[rows], minlength=len(self.topics))
        there = np.flatnonzero(sizes)
        docnos = [self.docnos[row] for row in np.flatnonzero(rows).tolist()]
        yield Columns(
            tuple(self.topics[topic] for topic in there.tolist()),
            offsets_of(sizes[there]),
            PlainDocnos(docnos),
            np.full(len(docnos), UNJUDGED),
            range(1, len(docnos) + 1),
        )

    @cached_property
    def digest(self) -> str:
        """Twelve hexadecimal digits of the judgments, unjudged documents with -1."""
        numbered = self.numbered
        grades = np.where(np.isnan(self.grade), UNJUDGED, self.grade)
        return numbered.changed(grade=grades[numbered.grade.astype(np.int64)]).digest

    @cached_property
    def numbered(self) -> Qrels:
        """All documents as judgments whose grades are the documents' numbers, from 0."""
        numbers = np.arange(len(self.docnos), dtype=np.float64)
        docnos = PlainDocnos(list(self.docnos))
        columns = Columns(self.topics, self.offsets, docnos, numbers, self.lines)
        return from_columns([columns], self.path, trec.QRELS)


def parts_of_sample(given: QrelsLike, form: Form) -> tuple[str, Sequence[Columns]] | None:
    """Return the lines of a sample and where they come from; None for other judgments.

    A sample is a file, or a table in memory, with a column of probabilities.
    """
    if isinstance(given, Qrels):
        return None
    form = replace(form, keep=True, blanks=True)
    file = file_to_read(given, form)
    if file is None:
        parts = parts_in_memory(given, form)
        path = "the sample"
    elif _has_probabilities(*file):
        parts, path = tuple(read_columns(*file)), display_name(file[0])
    else:
        return None
    if parts is None or not all("probability" in part.kept for part in parts):
        return None
    return path, parts


def _has_probabilities(path: str, form: Form) -> bool:
    """Return True if the first lines of a file have probabilities; a pipe can be read once."""
    if path == "-":
        return False
    with closing(map_blocks(path, form, itself, sizes=ReadSizes(block_bytes=AT_FIRST))) as blocks:
        first = next(blocks, None)
    return first is not None and "probability" in first.kept


def sample_of(path: str, parts: Sequence[Columns]) -> DocumentSample:
    """Put the lines of a sample together.

    InputError names the line with a probability that is none, or with a document that is listed
    twice, and an empty sample.
    """
    parts = [part for part in parts if len(part)]
    probability = np.concatenate([_probabilities(part, path) for part in parts] or [np.zeros(0)])
    bounds = offsets_of(np.array([len(part) for part in parts], dtype=np.int64))
    numbered = [
        replace(part, values=np.arange(start, start + len(part), dtype=np.float64))
        for part, start in zip(parts, bounds.tolist(), strict=False)
    ]
    qrels = from_columns(numbered, path, trec.QRELS)
    order = qrels.grade.astype(np.int64)
    grade = np.concatenate([part.values for part in parts])
    names: dict[bytes, int] = {}
    stratum = np.concatenate(
        [
            part.kept["stratum"].number(names)
            if "stratum" in part.kept
            else np.zeros(len(part), dtype=np.int64)
            for part in parts
        ]
    )
    by_name = sorted(names, key=_by_number)
    place = np.zeros(max(len(names), 1), dtype=np.int64)
    place[[names[name] for name in by_name]] = np.arange(len(names))
    of_topic = qrels.topic * len(place) + place[stratum[order]]
    _, number = np.unique(of_topic, return_inverse=True)
    docnos = qrels.docnos.names
    return DocumentSample(
        path,
        qrels.topics,
        qrels.offsets,
        tuple(docnos[docno] for docno in qrels.docno.tolist()),
        number,
        probability[order],
        grade[order],
        np.concatenate([np.asarray(part.lines) for part in parts])[order],
    )


def _by_number(stratum: bytes) -> tuple[bool, int, bytes]:
    return (not stratum.isdigit(), int(stratum) if stratum.isdigit() else 0, stratum)


def _probabilities(part: Columns, path: str) -> Floats:
    """Return the probabilities of lines; InputError for the first one that is none."""
    texts = part.kept["probability"].tolist()
    try:
        found = np.fromiter(map(float, texts), np.float64, len(texts))
    except ValueError:
        found = np.array([float(text) if is_number(text) else np.nan for text in texts])
    wrong = ~((found > 0.0) & (found <= 1.0))
    if wrong.any():
        row = int(np.flatnonzero(wrong)[0])
        raise InputError(
            f"the probability {quoted(texts[row])} is not above 0 and at most 1",
            place=f"{path}:{part.lines[row]}",
            expected="the probability with which the document was drawn, or could have been",
            remedy="write the share of the stratum's documents that were drawn",
        )
    return found


def require_judged(sample: DocumentSample) -> None:
    """Raise InputError for documents that were drawn and that nobody has judged yet."""
    missing = np.flatnonzero(np.isnan(sample.grade))
    if len(missing):
        row = int(missing[np.argmin(sample.lines[missing])])
        raise InputError(
            f"{count(len(missing), 'document')} of {int(sample.drawn.sum()):,} that were drawn "
            f"without a grade, the first one {quoted(sample.docnos[row])} of topic "
            f"{quoted(sample.topics[int(sample.topic[row])])}",
            place=sample.place(row),
            expected="a grade for every document that was drawn; -1 is for those that were not",
            remedy="have people judge it, and write the grade into the last column",
        )
    _require_draws(sample)


def _require_draws(sample: DocumentSample) -> None:
    """Raise InputError for a stratum whose probabilities and draws do not agree."""
    size = np.bincount(sample.stratum)
    drawn = np.bincount(sample.stratum[sample.drawn], minlength=len(size))
    expected = np.bincount(sample.stratum, sample.probability)
    least = np.full(len(size), np.inf)
    np.minimum.at(least, sample.stratum, sample.probability)
    most = np.zeros(len(size))
    np.maximum.at(most, sample.stratum, sample.probability)
    listed = drawn < size  # a file may have no more than what was drawn
    # With unequal probabilities, the number of draws may be random.
    wrong = listed & (most - least <= SHOWN) & (np.abs(expected - drawn) > SHOWN * size)
    if wrong.any():
        stratum = int(np.flatnonzero(wrong)[0])
        rows = np.flatnonzero(sample.stratum == stratum)
        row = int(rows[np.argmin(sample.lines[rows])])
        raise InputError(
            f"a stratum of topic {quoted(sample.topics[int(sample.topic[row])])} has "
            f"{count(int(size[stratum]), 'document')}, {drawn[stratum]} of them with a grade, and "
            f"the probability {least[stratum]:g}",
            place=sample.place(row),
            expected=f"the probability {drawn[stratum] / size[stratum]:g} for each: the share "
            "that was drawn",
            remedy="grade exactly the documents that were drawn; those that were not keep -1",
        )


def shown_path(judgments: QrelsLike) -> str:
    """Return judgments as messages name them."""
    if isinstance(judgments, str | os.PathLike):
        return display_name(os.fspath(judgments))
    return "the judgments"


def require_sample(path: str) -> UsageError:
    """Return the error for judgments that are no sample."""
    return UsageError(
        f"{path} has no probabilities of documents",
        expected="topic, docno, stratum, probability, grade, as 'rankeval pool --sample' writes "
        "them",
        remedy="draw a sample with 'rankeval pool RUN... --sample stratified --budget N "
        "-o sample.tsv'",
    )

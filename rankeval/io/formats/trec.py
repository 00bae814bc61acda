"""TREC's own formats: runs of six columns, judgments of four, of five with strata, preferences."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import cast

from rankeval.base.wording import quoted
from rankeval.errors import InputError, RankevalError
from rankeval.io.formats.file_format import (
    Beginning,
    FileFormat,
    Form,
    LaidOutLines,
    Limits,
    NameRule,
)
from rankeval.io.parsers.column_names import ContentGuess, is_integer
from rankeval.io.parsers.columns import Columns, Layout, is_number
from rankeval.io.sources.blocks import display_name, opened, whole_lines

RUN = Layout(
    what="run",
    fields=("topic", "Q0", "docno", "rank", "score", "tag"),
    value=4,
    value_name="score",
    tag=5,
)

QRELS = Layout(
    what="qrels",
    fields=("topic", "iteration", "docno", "grade"),
    value=3,
    value_name="grade",
)

PREFS = Layout(
    what="prefs",
    fields=("topic", "group", "subgroup", "docno", "level"),
    value=4,
    value_name="level",
    docno=3,
    kept=(("group", 1), ("subgroup", 2)),
)

LAYOUTS = {"run": RUN, "qrels": QRELS, "prefs": PREFS}

SUBTOPIC = "iteration"
"""The role of the column that holds subtopics in judgments for diversity."""

PLACEHOLDERS = frozenset({b"0", b"Q0", b"q0"})
"""The second column of judgments if it holds no subtopics."""

STRATUM = "stratum"
"""The role of the column that says from where in the pool a judgment was sampled."""

LABELLED = {
    SUBTOPIC: replace(QRELS, fields=("topic", "subtopic", "docno", "grade"), kept=((SUBTOPIC, 1),)),
    STRATUM: replace(
        QRELS,
        fields=("topic", "0", "docno", "stratum", "grade"),
        value=4,
        integers=(3,),
        kept=((STRATUM, 3),),
    ),
}
"""Judgments with a further column that is read, by its role."""

UNNEEDED = {"run": (("rank", 3), ("tag", 5)), "qrels": (("iteration", 1),)}
"""Columns that an evaluation does not need, and does not wait for."""

CONSTANTS = {"Q0": b"Q0", "0": b"0", "iteration": b"0"}
"""Fields that are written in every line where no column has them."""


def read(path: str, begun: Beginning, form: Form) -> LaidOutLines:
    """Lay out the lines of a file."""
    refuse_features(begun.line, path)
    return LaidOutLines(layout(begun.line, form), whole_lines(begun.whole, path))


_FEATURES = re.compile(rb"\s*[-+.\d]+\s+qid:\S+\s+\d+:")


def refuse_features(line: bytes, path: str) -> None:
    """Raise InputError for a line of a grade, a topic and features, for learning to rank."""
    if _FEATURES.match(line):
        raise InputError(
            f"is a file of features in the format of LETOR and SVMlight: {quoted(line.strip())}",
            place=display_name(path),
            expected="judgments as topic 0 docno grade, or a run as topic Q0 docno rank score tag",
            remedy="write each document's name with its topic and its grade, or its score",
        )


def layout(line: bytes, form: Form) -> Layout:
    """Return the layout of lines whose first one is given."""
    if form.what == "prefs":
        return PREFS
    if form.what == "run":
        rank = RUN.fields.index("rank") if form.ranks else None
        found = RUN.with_ranks(rank, alone=form.by_rank)
    else:
        fields = line.split()
        strata = form.keep and len(fields) == 5 and is_integer(fields[3].decode(errors="replace"))
        label = form.label or (STRATUM if strata else None)
        found = LABELLED[label] if label else QRELS
    if form.keep:
        found = replace(found, kept=tuple(dict((*UNNEEDED[form.what], *found.kept)).items()))
    return found


def write(what: str, parts: Iterator[Columns]) -> Iterator[bytes]:
    """Yield the lines of a run, of judgments or of preferences."""
    from rankeval.io.formats.text_rows import arrow_lines, lines_of_fields, rows_of

    for part in parts:
        text = arrow_lines(part, CONSTANTS["Q0"]) if what == "run" else None
        if text is not None:
            yield text
            continue
        rows = rows_of(what, part)
        fields = LABELLED[STRATUM].fields if "stratum" in rows else LAYOUTS[what].fields
        if "iteration" in rows:
            fields = tuple("iteration" if name == "0" else name for name in fields)
        yield lines_of_fields(fields, b" ", rows, CONSTANTS)


def recognises(line: bytes, form: Form) -> bool:
    """Return True if a line has as many columns as TREC's lines have."""
    return _is_whole(line.split(), form.what)


def has_number(line: bytes, what: str) -> bool:
    """Return True if a line has TREC's columns, and a number where the score or grade belongs."""
    fields = line.split()
    return _is_whole(fields, what) and is_number(fields[cast("int", LAYOUTS[what].value)])


def _is_whole(fields: Sequence[bytes], what: str) -> bool:
    return len(fields) == len(LAYOUTS[what].fields)


def guess(begun: Beginning, _path: str, _given: Mapping[str, str]) -> ContentGuess:
    """Guess the content of lines without a header from the number of columns."""
    fields = begun.line.split()
    width = len(fields)
    if width == len(PREFS.fields):
        return _guess_of_five(fields)
    if width == len(QRELS.fields):
        return ContentGuess("qrels", certain=True)
    return ContentGuess("run", certain=width == len(RUN.fields))


def _guess_of_five(fields: Sequence[bytes]) -> ContentGuess:
    """Tell preferences, judgments with strata, and runs without tags apart.

    The fourth column is a docno, the number of a stratum, or a rank.
    """
    _, second, third, fourth, number = fields
    if not is_number(number):
        return ContentGuess("run", certain=False)
    if not is_number(fourth):  # a docno; or the second word of one, where there is no group
        return ContentGuess("qrels" if second in PLACEHOLDERS else "prefs", certain=True)
    if second.lower() == b"q0" or not is_integer(number.decode()):
        return ContentGuess("run", certain=False)
    if is_number(third) and second != b"0":
        return ContentGuess("prefs", certain=False)
    return ContentGuess("qrels", certain=not is_number(third))


TREC = FileFormat(
    "trec",
    Limits(
        NameRule.WORDS,
        required=frozenset({"rank", "tag", "iteration"}),
        whole_grades=True,
        comments=True,
    ),
    read,
    write,
    suffixes=(".run", ".trec", ".txt", ".res", ".qrels", ".qrel", ".prefs"),
    recognises=recognises,
    guess=guess,
)


def first_tag(path: str) -> str:
    """Return the tag in the first line of a run in TREC's format; "" if there is none."""
    with suppress(RankevalError):
        with opened(path) as (_, lines):
            fields = lines.readline().split()
        if len(fields) == 6 and fields[3].isdigit():
            return fields[5].decode(errors="replace")
    return ""

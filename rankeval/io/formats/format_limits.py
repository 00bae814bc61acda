"""Reduce a run or judgments to the limits of a format, and count the losses."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from operator import ne

import numpy as np

from rankeval.base.arrays import Integers
from rankeval.base.wording import quoted
from rankeval.errors import InputError
from rankeval.io.formats.formats import ALL_ROLES, FORMATS, FileFormat, NameRule
from rankeval.io.formats.layouts import PLACEHOLDERS
from rankeval.io.parsers.columns import Columns, Docnos, PlainDocnos, ranks_of, stretches

DEFAULT_TAG, NO_ITERATION = b"run", b"0"
AT_ONCE = 1 << 16
"""Names that are checked at once, and are separate objects in memory meanwhile."""

NOTES = {
    "tag": "{} has no run tags",
    "rank": "{} has no ranks other than those of the scores",
    "score": "{} has ranks instead of scores",
    "iteration": "{} has no iterations or subtopics",
    "stratum": "{} has no strata",
    "fraction": "trec_eval reads whole numbers in {}, and there are fractions of grades",
    "formula": "a spreadsheet would take names in {} for formulas",
}
"""Warnings for losses and changes in a format."""

_FORMULA = re.compile(rb"^(?:[=@]|[+-](?![0-9.]+$))", re.MULTILINE)
"""The beginning of a formula; a signed number is none."""

_WHITE, _LINE_END = re.compile(rb"[\s\0]"), re.compile(rb"[\n\0]")
_WHOLE = re.compile(rb"-?(?:0|[1-9][0-9]{0,17})")


def ranks_by_score(columns: Columns) -> Integers:
    """Return the rank of each row in its topic: scores descending, ties by docno descending."""
    stretch = stretches(columns)
    order = np.lexsort((-columns.values, stretch))
    ordered, topic = columns.values[order], stretch[order]
    if ((ordered[1:] == ordered[:-1]) & (topic[1:] == topic[:-1])).any():
        name = columns.docnos.order(np.arange(len(columns)))
        order = np.lexsort((-name, -columns.values, stretch))
    return ranks_of(columns, order)


def fit(
    columns: Columns, what: str, target: FileFormat, place: str
) -> tuple[Columns, Counter[str]]:
    """Return whole topics as a format can hold them, and the number of lines for each of NOTES.

    InputError names the first line that the format cannot hold at all.
    """
    lost: Counter[str] = Counter()
    if what == "run":
        columns = _fit_run(columns, target, lost)
    else:
        columns = _fit_judgments(columns, target, place, lost)
    _refuse_names(columns, target, place)
    if target.names is NameRule.RECORDS:
        lost["formula"] = _formulas(columns)
    return columns, +lost


def _fit_run(columns: Columns, target: FileFormat, lost: Counter[str]) -> Columns:
    kept = dict(columns.kept)
    tags, ranks = kept.pop("tag", None), kept.pop("rank", None)
    if tags is not None and "tag" not in target.roles:
        lost["tag"] = len(columns) - tags.tolist().count(b"")
    elif "tag" in target.required and (tags is None or not _is_plain(tags)):
        given = tags.tolist() if tags is not None else [b""] * len(columns)
        kept["tag"] = PlainDocnos([tag or DEFAULT_TAG for tag in given])
    elif tags is not None:
        kept["tag"] = tags
    if not target.scores:  # lines in the order of their ranks
        natural = ranks_by_score(columns)
        lost["score"] = int(np.count_nonzero(columns.values != -natural))
        order = np.lexsort((natural, stretches(columns)))
        kept = {"rank": _as_names(natural)}
        return replace(columns, kept=kept).taken(order, columns.starts)
    if ranks is not None or "rank" in target.required:
        if ranks is None or not _holds_ranks(target, ranks):
            natural_names = _as_names(ranks_by_score(columns))
            if ranks is not None:
                lost["rank"] = sum(map(ne, ranks.tolist(), natural_names.names))
            ranks = natural_names
        if "rank" in target.roles:
            kept["rank"] = ranks
    return replace(columns, kept=kept)


def _holds_ranks(target: FileFormat, ranks: Docnos) -> bool:
    """Return True if a format holds the ranks as they are: any text, a word, or an integer."""
    if "rank" not in target.roles:
        return False
    if target.names is NameRule.WORDS:
        return _is_plain(ranks) or all(_holds(target.names, some) for _, some in _in_pieces(ranks))
    return not target.integer_ranks or all(
        all(map(_WHOLE.fullmatch, some)) for _, some in _in_pieces(ranks)
    )


def _fit_judgments(columns: Columns, target: FileFormat, place: str, lost: Counter[str]) -> Columns:
    kept = dict(columns.kept)
    iterations = kept.pop("iteration", None)
    given = [b""] * len(columns) if iterations is None else iterations.tolist()
    distinct = set(given)
    if "iteration" in target.required:
        kept["iteration"] = PlainDocnos([name or NO_ITERATION for name in given])
    elif "iteration" in target.roles:
        if iterations is not None and not distinct <= {NO_ITERATION}:
            kept["iteration"] = iterations
    elif not distinct <= {*PLACEHOLDERS, b""}:
        for _, row in columns.docnos.duplicates(columns.starts)[:1]:
            raise InputError(
                f"document {quoted(columns.docnos[row])} is judged for several subtopics, and the "
                f"format {target.name} holds one judgment of a document",
                place=f"{place}:{columns.lines[row]}",
                expected=f"one of {', '.join(_holding([]))}",
            )
        lost["iteration"] = len(columns)
    if "stratum" in kept and "stratum" not in target.roles:
        lost["stratum"] = len(columns)
        del kept["stratum"]
    if target.whole_grades:
        lost["fraction"] = int(np.count_nonzero(columns.values != np.floor(columns.values)))
    return replace(columns, kept=kept)


def _formulas(columns: Columns) -> int:
    """Return the number of lines with a name that begins as a formula does."""
    sizes = np.diff(columns.starts).tolist()
    pairs = zip(columns.topics, sizes, strict=True)
    n_lines = sum(size for topic, size in pairs if _FORMULA.match(topic))
    for names in (columns.docnos, *(columns.kept[role] for role in columns.kept if role != "rank")):
        for _, some in _in_pieces(names):
            if _FORMULA.search(b"\n".join(some)):
                n_lines += sum(_FORMULA.match(name) is not None for name in some)
    return min(n_lines, len(columns))


def _refuse_names(columns: Columns, target: FileFormat, place: str) -> None:
    """Raise InputError for a name that could not be read again."""
    rows = columns.starts.tolist()
    for i, topic in enumerate(columns.topics):
        if not _holds(target.names, [topic]) or (
            target.names is NameRule.WORDS and topic.startswith(b"#")
        ):
            raise _refused("topic", topic, target, f"{place}:{columns.lines[rows[i]]}")
    for role, names in [("docno", columns.docnos), *columns.kept.items()]:
        for start, some in _in_pieces(names) if not _is_plain(names) else ():
            if not _holds(target.names, some):
                at = next(i for i, name in enumerate(some) if not _holds(target.names, [name]))
                raise _refused(role, some[at], target, f"{place}:{columns.lines[start + at]}")


def _refused(role: str, name: bytes, target: FileFormat, place: str) -> InputError:
    others = _holding([name])
    return InputError(
        f"the {role} {quoted(name)} cannot be written in the format {target.name}",
        place=place,
        expected=target.names.value,
        remedy=f"convert to one of {', '.join(others)}, which hold it" if others else "rename it",
    )


def _holding(names: Sequence[bytes]) -> list[str]:
    """Return the formats that hold all columns, and these names."""
    every = FORMATS.values()
    return [one.name for one in every if one.roles >= ALL_ROLES and _holds(one.names, names)]


def _is_plain(names: Docnos) -> bool:
    """Return True for a column of a fast parser whose names are all words of printable ASCII.

    Every format holds these, and to look at bytes takes a tenth of the time.
    """
    if isinstance(names, PlainDocnos):
        return False
    from rankeval.io.parsers.names import Names

    return isinstance(names, Names) and names.texts.words_of_ascii


def _in_pieces(names: Docnos) -> Iterator[tuple[int, list[bytes]]]:
    """Yield some names at once, with the row of the first."""
    for start in range(0, len(names), AT_ONCE):
        yield start, names.slice(start, min(start + AT_ONCE, len(names))).tolist()


def _holds(rule: NameRule, names: Sequence[bytes]) -> bool:
    """Return True if a format with this rule can hold all of some names."""
    if rule is NameRule.UNICODE:
        try:
            b"\n".join(names).decode()
        except UnicodeDecodeError:
            return False
        return True
    if rule is NameRule.WORDS:
        return b"" not in names and _WHITE.search(b"".join(names)) is None
    return _LINE_END.search(b"".join(names)) is None


def _as_names(numbers: Integers) -> PlainDocnos:
    return PlainDocnos([b"%d" % number for number in numbers.tolist()])

"""Runs and judgments that are Python's own values: mappings, rows, and lists by column."""

import math
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import accumulate, chain, compress
from numbers import Number
from typing import Any

import numpy as np

from rankeval.base.arrays import Floats, Integers, offsets_of
from rankeval.base.frozen import replace
from rankeval.base.wording import described
from rankeval.errors import InputError
from rankeval.io.column_names import KEPT, VALUES, find_roles, roles_of, value_role
from rankeval.io.columns import Columns, Layout, stretches
from rankeval.io.formats import LAYOUTS, SUBTOPIC, Form
from rankeval.io.lines_parser import LineError, row_of
from rankeval.io.names import Names, Texts

ByDocno = Mapping[str, float] | Mapping[str, Mapping[str, float]]
"""A topic's {docno: score or grade}, or judgments as {docno: {subtopic or stratum: grade}}."""

Documents = ByDocno | Sequence[Any]
"""The same, or of a run also [docno, ...] or [(docno, score), ...]."""

MANY = 50_000
"""From this many names on, one text is encoded and compared faster than they are."""

TRUTH_VALUES = (bool, np.bool_)


def columns_of(
    mapping: Mapping[str, Documents], layout: Layout, label: str = SUBTOPIC, *, file: str = ""
) -> Columns:
    """Take {topic: {docno: score or grade}}; InputError for a number that is not finite.

    A topic of a run may have [docno, ...] by rank, or [(docno, score), ...]; a score of -inf means
    that the document was not retrieved. A topic of judgments may have a collection of documents,
    whose grades are 1. Grades may be {name: grade} each, and the names have the
    role `label`. A topic of judgments without documents is left out: a file could not name it.
    `file` is the JSON file that the mapping is from.
    """
    rankings = {topic: documents_of(topic, given, layout, file) for topic, given in mapping.items()}
    filled = {topic: documents for topic, documents in rankings.items() if documents[0]}
    sizes = [len(docnos) for docnos, _ in filled.values()]
    docnos = [*chain.from_iterable(docnos for docnos, _ in filled.values())]
    found: list[Any] = [*chain.from_iterable(values for _, values in filled.values())]
    kept = {}
    of_labels = layout.what == "qrels" and not file  # JSON has none
    if of_labels and found and all(isinstance(by_name, Mapping) for by_name in found):
        per_document = [len(by_name) for by_name in found]
        bounds = np.cumsum([0, *per_document])
        sizes = np.diff(bounds[np.cumsum([0, *sizes])]).tolist()
        docnos = [d for d, n in zip(docnos, per_document, strict=True) for _ in range(n)]
        names = [name for by_name in found for name in by_name]
        kept = {label: Names.from_names(encoded(names, label))}
        found = [grade for by_name in found for grade in by_name.values()]

    def place(row: int) -> str:
        """Return the topic of a row, for a message."""
        at = int(np.searchsorted(np.cumsum(sizes), row, side="right"))
        return f"{file or layout.what}, topic {list(filled)[at]!r}"

    wrong: Wrong = {}
    values = numbers(found, layout.value_name, wrong, of_file=bool(file))
    if wrong:
        row = min(wrong)
        raise InputError(
            wrong[row][0].replace(" is ", f" of document {docnos[row]!r} is ", 1),
            place=place(row),
            expected=wrong[row][2],
            remedy=f"give the {layout.value_name} as an int or a float",
        )
    empty = [topic for topic in rankings if topic not in filled] if layout.what == "run" else []
    return retrieved_only(
        Columns(
            topics=tuple(encoded(list(filled), "topic")),
            starts=np.array([*accumulate(sizes, initial=0)]),
            docnos=docnos_of(docnos, place),
            values=values,
            lines=range(1, len(values) + 1),
            kept=kept,
            empty=tuple(encoded(empty, "topic")),
        )
    )


def documents_of(
    topic: object, given: Any, layout: Layout, file: str = ""
) -> tuple[Collection[Any], Collection[Any]]:
    """Return the docnos of a topic, and their scores or grades; InputError for what has none."""
    if isinstance(given, dict | Mapping):  # a dict is quickly known
        if "" in given or topic == "":
            raise InputError("a topic or a docno is empty", place=file or layout.what)
        return given.keys(), given.values()
    if is_ranking(given) and layout.what == "run" and not file:
        listed = given.tolist() if hasattr(given, "tolist") else given
        if all(isinstance(one, tuple | list) and len(one) == 2 for one in listed):
            return [docno for docno, _ in listed], [score for _, score in listed]
        return listed, range(-1, -1 - len(listed), -1)
    if layout.what == "qrels" and is_collection(given) and not file:
        return list(given), [1] * len(given)
    raise InputError(
        f"topic {topic!r} has {described(given)} where its documents belong",
        place=file,
        expected=f"{{topic: {{docno: {layout.value_name}}}}}"
        + ", {topic: [docno, ...]} or {topic: [(docno, score), ...]}"
        * (layout.what == "run" and not file),
    )


def is_collection(given: object) -> bool:
    """Return True for what holds names or numbers: a list, a set, an array, but no text."""
    is_sized = isinstance(given, Collection) and getattr(given, "shape", None) != ()
    return is_sized and not isinstance(given, Mapping | str | bytes)


def is_ranking(given: object) -> bool:
    """Return True for a list, a tuple or an array, as of the docnos of a topic by rank."""
    return isinstance(given, list | tuple) or getattr(given, "ndim", 0) == 1


def retrieved_only(columns: Columns) -> Columns:
    """Leave out documents whose score is -inf, as masks set it: they were not retrieved."""
    if columns.values.min(initial=0) > -math.inf:
        return columns
    there = columns.values > -math.inf
    sizes = np.bincount(stretches(columns)[there], minlength=len(columns.topics))
    lines = columns.taken(np.flatnonzero(there), offsets_of(sizes[sizes > 0]))
    filled = [*compress(columns.topics, sizes.tolist())]
    empty = {*columns.topics} - {*filled}
    return replace(lines, topics=tuple(filled), empty=(*columns.empty, *sorted(empty)))


Wrong = dict[int, tuple[str, str, str]]
"""What is wrong with rows, by their numbers: the problem, its kind, and what was expected."""


def numbers(found: Sequence[Any], role: str, wrong: Wrong, *, of_file: bool = False) -> Floats:
    """Return scores, grades or ranks; what is none that is finite is added to `wrong`.

    In memory, the score -inf is that of a document that was not retrieved, and the grades False
    and True are 0 and 1; JSON has no -inf, and `true` there is of another key.
    """
    also = TRUTH_VALUES if role == "grade" and not of_file else ()
    others = {kind for kind in set(map(type, found)) if not (kind in also or _is_numeric(kind))}
    known = [math.nan if type(one) in others else one for one in found] if others else found
    try:
        values = np.array(known, dtype=float)
    except OverflowError:
        most = sys.float_info.max
        known = [math.inf if isinstance(v, int) and abs(v) > most else v for v in known]
        values = np.array(known, dtype=float)
    for row in _not_finite(values, role, of_file=of_file):
        wrong.setdefault(row, _wrong_number(role, described(found[row])))
    return values


def _not_finite(values: Floats, role: str, *, of_file: bool) -> list[int]:
    wrong = ~np.isfinite(values)
    if role == "score" and not of_file:  # masked by -inf
        wrong &= values != -np.inf
    rows: list[int] = wrong.nonzero()[0].tolist()
    return rows


def _wrong_number(role: str, found: str) -> tuple[str, str, str]:
    kind = f"{role} that is not a finite number"
    return f"the {role} is {found}", kind, f"finite {role}s"


def _is_numeric(kind: type) -> bool:
    """Return True if values of a type are numbers; bools and text are not."""
    other = (bool, np.bool_, str, bytes, np.ndarray, np.complexfloating)
    return kind is type(None) or (hasattr(kind, "__float__") and not issubclass(kind, other))


def docnos_of(
    names: Sequence[Any], place: Callable[[int], str] | None = None, wrong: Wrong | None = None
) -> Names:
    """Return docnos as a column, many of them as one text; what is no name is as in `encoded`."""
    if len(names) >= MANY:
        # What is not text goes the other way, which names it.
        with suppress(TypeError, UnicodeEncodeError):
            text = "".join(names)
            each = names if text.isascii() else map(str.encode, names)
            sizes = np.fromiter(map(len, each), np.int64, len(names))
            return Names(Texts.from_sizes(text.encode(), sizes))
    return Names.from_names(encoded(names, "docno", place, wrong))


def encoded(
    names: Sequence[Any],
    role: str,
    place: Callable[[int], str] | None = None,
    wrong: Wrong | None = None,
) -> list[bytes]:
    """Return names as bytes; InputError, with the place of its row, for one that is not a name.

    With `wrong`, it is added there instead. What was not UTF-8 where it was read with
    surrogateescape becomes the same bytes again.
    """
    with suppress(TypeError, UnicodeEncodeError):
        return list(map(str.encode, names))
    found = []
    for row, name in enumerate(names):
        try:
            found.append(as_bytes(name, role))
        except InputError as error:
            if wrong is None:
                error.place = "" if place is None else place(row)
                raise
            wrong.setdefault(row, (error.problem, f"wrong {role}", error.expected))
            found.append(b"")
    return found


def as_bytes(name: object, role: str) -> bytes:
    """Return a name as bytes: text, bytes, or an integer, whose name is its digits.

    InputError for anything else, and for half of a surrogate pair, which no file can hold.
    """
    if isinstance(name, bytes):
        return name
    if isinstance(name, int | np.integer) and not isinstance(name, bool):
        return str(int(name)).encode()
    problem = f"is of the type {type(name).__name__}"
    if isinstance(name, str):
        with suppress(UnicodeEncodeError):
            return name.encode("utf-8", "surrogateescape")
        problem = "holds half of a surrogate pair, which is not a character"
    raise InputError(
        f"the {role} {name!r} {problem}",
        expected="names that are text that UTF-8 can hold, bytes or integers: {'1': {'d1': 0.5}}",
        remedy="give the names as text",
    )


WITHOUT_NAMES = ("topic", "docno")
"""The fields of a row without names, before the score or the grade."""

SCALARS = (str, bytes, Number, np.generic, type(None))


def is_row(one: object, what: str, given: Mapping[str, str]) -> bool:
    """Return True for a row: fields that are no containers, three or with names."""
    if isinstance(one, Mapping):
        names = [name for name in one if isinstance(name, str)]
        flat = all(isinstance(value, SCALARS) for value in one.values())
        return bool(one) and flat and find_roles(names, what, given) is not None
    if not isinstance(one, tuple | list) or not one:
        return False
    flat = all(isinstance(value, SCALARS) for value in one)
    return flat and (hasattr(one, "_fields") or not all(isinstance(v, str) for v in one))


def columns_of_rows(rows: Iterable[Any], form: Form) -> Columns:
    """Take rows by the names of their fields, else as topic, docno and score or grade."""
    every = list(rows)
    if not every:
        if form.what == "run" and not isinstance(rows, Iterator):
            return columns_of({}, LAYOUTS["run"])
        raise InputError("has no rows", place=form.what, expected="one row or more")
    first = every[0]
    names = tuple(first) if isinstance(first, Mapping) else getattr(first, "_fields", None)
    if names is None:
        of_two = form.what == "qrels" and isinstance(first, tuple | list) and len(first) == 2
        names = WITHOUT_NAMES if of_two else (*WITHOUT_NAMES, LAYOUTS[form.what].value_name)
    for number, row in enumerate(every):
        if isinstance(row, Mapping) and row.keys() == set(names):
            every[number] = [row[name] for name in names]
        elif (
            not isinstance(row, tuple | list)
            or len(row) != len(names)
            or getattr(row, "_fields", names) != names
        ):
            raise InputError(
                f"the row is {described(row)}",
                place=row_of(form.what, number),
                expected=f"rows of {', '.join(map(str, names))}",
            )
    return columns_of_lists(dict(zip(names, zip(*every, strict=True), strict=True)), form)


def columns_of_lists(columns: Mapping[str, Sequence[Any]], form: Form) -> Columns:
    """Take lists of equal lengths by the names of their columns."""
    names = [str(name) for name in columns]
    roles = roles_of(names, form.what, form.columns, form.what, form.fixed)
    found = {role: list(list(columns.values())[at]) for role, at in roles.items()}
    sizes = {role: len(values) for role, values in found.items()}
    if len(set(sizes.values())) > 1:
        lengths = ", ".join(f"{names[roles[role]]} {size}" for role, size in sizes.items())
        raise InputError(
            f"the columns have different lengths: {lengths}",
            place=form.what,
            expected="columns of equal lengths",
        )
    wrong: Wrong = {}
    counted = {role: numbers(found[role], role, wrong) for role in numeric_roles(roles, form)}
    texts: dict[str, Names] = {
        role: Names.from_names(encoded(_texts(found[role]), role, wrong=wrong))
        for role in KEPT[form.what]
        if role in found
    }
    texts["topic"] = Names.from_names(encoded(found["topic"], "topic", wrong=wrong))
    texts["docno"] = docnos_of(found["docno"], wrong=wrong)
    return columns_of_fields(texts, counted, wrong, form)


def numeric_roles(roles: Collection[str], form: Form) -> list[str]:
    """Return the roles whose columns are read as numbers, of those that there are."""
    value = value_role(form.what, roles, by_rank=form.by_rank)
    return [role for role in (value, *["rank"] * form.ranks) if role in roles]


def columns_of_fields(
    names: Mapping[str, Any],
    values: Mapping[str, Floats],
    wrong: Wrong,
    form: Form,
    place: str = "",
    first_row: int = 1,
) -> Columns:
    """Return rows by the names and the numbers of their roles; those that are wrong are left out.

    Unless the form gathers what is wrong, the first one is an error. Without a place, the rows are
    in memory.
    """
    for role in WITHOUT_NAMES:
        for row in np.flatnonzero(names[role].texts.lengths == 0).tolist():
            words = f"the {role} is empty", f"empty {role}", f"a {role} in every row"
            wrong.setdefault(row, words)
    for role, column in values.items():
        for row in _not_finite(column, role, of_file=bool(place)):
            wrong.setdefault(row, _wrong_number(role, f"{column[row]}, or missing"))
    lines: range | Integers = range(first_row, first_row + len(names["topic"]))
    if wrong:
        errors = [
            LineError(problem, kind=kind, name=place, line=first_row + row, expected=expected)
            for row, (problem, kind, expected) in sorted(wrong.items())
        ]
        if not place:
            errors = [error.at_row(form.what) for error in errors]
        if form.problems is None:
            raise errors[0]
        form.problems.add(errors)
        rows = np.setdiff1d(np.arange(len(lines)), [*wrong])
        lines = rows + first_row
        names = {role: column.view(rows) for role, column in names.items()}
        values = {role: column[rows] for role, column in values.items()}
    scores = values.get(VALUES[form.what])
    if scores is None:
        scores = 0.0 - values["rank"] if form.what == "run" else np.ones(len(lines))
    found = Columns.of_rows(
        names["topic"],
        names["docno"],
        scores,
        lines,
        names.get("tag"),
        kept={role: column for role, column in names.items() if role not in WITHOUT_NAMES},
        ranks=values.get("rank") if form.ranks else None,
    )
    return found if place else retrieved_only(found)


def _texts(names: Sequence[Any]) -> list[Any]:
    """Return names with "" for None, and the text of other values."""
    return ["" if n is None else n if isinstance(n, str | bytes | int) else str(n) for n in names]

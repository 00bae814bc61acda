"""Reduce a run or judgments to the limits of a format, and count the losses."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, starmap

import numpy as np

from rankeval.base.arrays import Booleans, Integers
from rankeval.base.wording import quoted
from rankeval.errors import InputError
from rankeval.io.formats.formats import ALL_ROLES, FORMATS, FileFormat, Limits, NameRule
from rankeval.io.formats.layouts import PLACEHOLDERS
from rankeval.io.parsers.columns import Columns, Docnos, PlainDocnos, ranks_of, stretches

DEFAULT_TAG = b"run"
AT_ONCE = 1 << 16
"""Names that are checked at once, and are separate objects in memory meanwhile."""

NO_ITERATION = b"0"
_WHITE = re.compile(rb"[\s\0]")
_LINE_END = re.compile(rb"[\n\0]")
_WHOLE = re.compile(rb"-?(?:0|[1-9][0-9]{0,17})")


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


def ranks_by_score(columns: Columns) -> Integers:
    """Return the rank of each row in its topic: scores descending, ties by docno descending."""
    stretch = stretches(columns)
    order = np.lexsort((-columns.values, stretch))
    if (_adjacent_equal(columns.values, order) & _adjacent_equal(stretch, order)).any():
        name = columns.docnos.order(np.arange(len(columns)))
        order = np.lexsort((-name, -columns.values, stretch))
    return ranks_of(columns, order)


def _adjacent_equal(values: Integers | np.ndarray, order: Integers) -> Booleans:
    ordered = values[order]
    equal: Booleans = ordered[1:] == ordered[:-1]
    return equal


def fit(
    columns: Columns, what: str, target: FileFormat, place: str
) -> tuple[Columns, Counter[str]]:
    """Return whole topics as a format can hold them, and the number of lines for each of NOTES.

    InputError names the first line that the format cannot hold at all.
    """
    if what == "run":
        columns, lost = _fit_run(columns, target.limits)
    else:
        columns, lost = _fit_judgments(columns, target, place)
    _refuse_names(columns, target, place)
    if target.limits.names is NameRule.RECORDS:
        lost["formula"] += _formulas(columns)
    return columns, +lost


def _holding_all(rules: Collection[NameRule]) -> str:
    """Return the formats that hold every column, and names by one of the rules: csv or tsv."""
    *names, last = [
        one.name
        for one in FORMATS.values()
        if one.limits.roles >= ALL_ROLES and one.limits.names in rules
    ]
    return f"{', '.join(names)} or {last}" if names else last


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


def _fit_run(columns: Columns, limits: Limits) -> tuple[Columns, Counter[str]]:
    kept = dict(columns.kept)
    lost: Counter[str] = Counter()
    tags = kept.pop("tag", None)
    ranks = kept.pop("rank", None)
    if tags is not None and "tag" not in limits.roles:
        lost["tag"] += len(columns) - tags.tolist().count(b"")
        tags = None
    if "tag" in limits.required:
        if tags is None:
            tags = PlainDocnos([DEFAULT_TAG] * len(columns))
        elif not _is_plain(tags) and any(b"" in names for _, names in _in_pieces(tags)):
            tags = PlainDocnos([tag or DEFAULT_TAG for tag in tags.tolist()])
    if not limits.scores:
        ranks, n_lost = _ranks_for_scores(columns, ranks)
        lost["score"] += n_lost
    elif ranks is not None or "rank" in limits.required:
        ranks, n_lost = _fit_ranks(columns, ranks, limits)
        lost["rank"] += n_lost
    found = {"rank": ranks, "tag": tags}
    kept.update({role: names for role, names in found.items() if names is not None})
    return replace(columns, kept=kept), +lost


def _fit_ranks(columns: Columns, ranks: Docnos | None, limits: Limits) -> tuple[Docnos | None, int]:
    """Return the ranks that a format with scores holds, and how many are lost."""
    if ranks is not None and "rank" in limits.roles:
        usable = _is_rank_in(limits)
        if (
            usable is None
            or (usable is _is_word and _is_plain(ranks))
            or all(all(map(usable, texts)) for _, texts in _in_pieces(ranks))
        ):
            return ranks, 0
    natural = _as_names(ranks_by_score(columns))
    n_lost = 0
    if ranks is not None:
        pairs = zip(ranks.tolist(), natural.tolist(), strict=True)
        n_lost = sum(text != rank for text, rank in pairs)
    return (natural if "rank" in limits.roles else None), n_lost


def _is_rank_in(limits: Limits) -> Callable[[bytes], object] | None:
    """Return the test that the text of a rank must pass; None if every text can be a rank."""
    if limits.integer_ranks:
        return _WHOLE.fullmatch
    return _is_word if limits.names is NameRule.WORDS else None


def _ranks_for_scores(columns: Columns, ranks: Docnos | None) -> tuple[Docnos, int]:
    """Return ranks that order documents as the scores do, and the number of scores that are lost.

    These are the ranks of the file if they order documents so; otherwise those of the scores.
    """
    given = None if ranks is None else _whole_numbers(ranks.tolist())
    if given is not None and ranks is not None and _same_order(columns, given):
        return ranks, int(np.count_nonzero(columns.values != -given))
    natural = ranks_by_score(columns)
    return _as_names(natural), int(np.count_nonzero(columns.values != -natural))


def _same_order(columns: Columns, ranks: Integers) -> bool:
    """Return True if ranks rise where scores fall, and are equal with them, in each topic."""
    stretch = stretches(columns)
    order = np.lexsort((-columns.values, stretch))
    same_topic = _adjacent_equal(stretch, order)
    tied = _adjacent_equal(columns.values, order)
    ordered = ranks[order]
    as_scores = np.where(tied, ordered[1:] == ordered[:-1], ordered[1:] > ordered[:-1])
    return bool(as_scores[same_topic].all())


def _whole_numbers(texts: Sequence[bytes]) -> Integers | None:
    if all(text.isdigit() and len(text) < 18 for text in texts):
        return np.array(list(map(int, texts)), dtype=np.int64)
    return None


def _fit_judgments(
    columns: Columns, target: FileFormat, place: str
) -> tuple[Columns, Counter[str]]:
    limits = target.limits
    kept = dict(columns.kept)
    lost: Counter[str] = Counter()
    iterations = kept.get("iteration")
    distinct = set() if iterations is None else set(iterations.tolist())
    if "iteration" not in limits.roles and not distinct <= PLACEHOLDERS:
        _refuse_several_subtopics(columns, target, place)
        lost["iteration"] += len(columns)
    if "stratum" in kept and "stratum" not in limits.roles:
        lost["stratum"] += len(columns)
        del kept["stratum"]
    if "iteration" not in limits.roles or distinct <= {NO_ITERATION}:
        kept.pop("iteration", None)
    if "iteration" in limits.required:
        given = iterations.tolist() if iterations is not None else [b""] * len(columns)
        kept["iteration"] = PlainDocnos([name or NO_ITERATION for name in given])
    if limits.whole_grades:
        lost["fraction"] += int(np.count_nonzero(columns.values != np.floor(columns.values)))
    return replace(columns, kept=kept), +lost


def _refuse_several_subtopics(columns: Columns, target: FileFormat, place: str) -> None:
    pairs = columns.docnos.duplicates(columns.starts)
    if pairs:
        row = pairs[0][1]
        raise InputError(
            f"document {quoted(columns.docnos[row])} is judged for several subtopics, and the "
            f"format {target.name} holds one judgment of a document",
            place=f"{place}:{columns.lines[row]}",
            expected=_holding_all([*NameRule]),
        )


def _refuse_names(columns: Columns, target: FileFormat, place: str) -> None:
    """Raise InputError for a name that could not be read again."""
    allowed = target.limits.names
    every = chain(
        (
            ("topic", i, [topic])
            for i, topic in zip(columns.starts[:-1].tolist(), columns.topics, strict=True)
        ),
        *starmap(_pieces_to_check, [("docno", columns.docnos), *columns.kept.items()]),
    )
    for role, start, names in every:
        wrong = _unfit(names, allowed)
        if wrong is None and role == "topic" and allowed is NameRule.WORDS:
            wrong = next((i for i, name in enumerate(names) if name.startswith(b"#")), None)
        if wrong is not None:
            raise InputError(
                f"the {role} {quoted(names[wrong])} cannot be written in the format {target.name}",
                place=f"{place}:{columns.lines[start + wrong]}",
                expected=f"{allowed.value}",
                remedy=_remedy(allowed),
            )


def _pieces_to_check(role: str, names: Docnos) -> Iterator[tuple[str, int, list[bytes]]]:
    """Yield a column's role, and some of its names with the row of the first; none if plain."""
    if not _is_plain(names):
        for start, some in _in_pieces(names):
            yield role, start, some


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


def _remedy(refused_by: NameRule) -> str:
    records, text = NameRule.RECORDS, NameRule.UNICODE
    match refused_by:
        case NameRule.WORDS:
            return f"convert to {_holding_all([records, text])}, which hold any text"
        case NameRule.RECORDS:
            return f"convert to {_holding_all([text])}, which hold any text"
        case NameRule.UNICODE:
            return (
                f"convert to {_holding_all([NameRule.WORDS, records])}, which hold any bytes, or "
                "convert the encoding of the file to UTF-8 first"
            )


def _unfit(names: Sequence[bytes], allowed: NameRule) -> int | None:
    """Return the index of the first name that a format cannot hold; None if there is none."""
    if allowed is NameRule.UNICODE:
        try:
            b"\n".join(names).decode()
        except UnicodeDecodeError:
            return next(i for i, name in enumerate(names) if not _is_unicode(name))
        return None
    pattern = _WHITE if allowed is NameRule.WORDS else _LINE_END
    if allowed is NameRule.WORDS and b"" in names:
        return names.index(b"")
    if pattern.search(b"".join(names)) is None:
        return None
    return next(i for i, name in enumerate(names) if pattern.search(name))


def _is_unicode(name: bytes) -> bool:
    try:
        name.decode()
    except UnicodeDecodeError:
        return False
    return True


def _is_word(text: bytes) -> bool:
    return bool(text) and _WHITE.search(text) is None


def _as_names(numbers: Iterable[int] | Integers) -> PlainDocnos:
    return PlainDocnos([b"%d" % number for number in np.asarray(numbers).tolist()])

"""What a format can hold of a run or of judgments, and what is lost where it cannot."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from enum import Enum
from itertools import chain

import numpy as np

from rankeval.errors import InputError
from rankeval.io.column_names import KEPT
from rankeval.io.columns import Columns, Docnos, stretches
from rankeval.io.plain_parser import PlainDocnos
from rankeval.io.trec import PLACEHOLDERS
from rankeval.support.arrays import Booleans, Integers
from rankeval.support.frozen import frozen
from rankeval.support.wording import quoted

DEFAULT_TAG = b"run"
AT_ONCE = 1 << 16
"""Names that are looked at, and in memory one by one, at once."""

NO_ITERATION = b"0"
_WHITE = re.compile(rb"[\s\0]")
_LINE_END = re.compile(rb"[\n\0]")
_WHOLE = re.compile(rb"-?(?:0|[1-9][0-9]{0,17})")


class Names(Enum):
    """What the names in a format may be."""

    WORDS = "words without blanks"
    RECORDS = "text in one line"
    UNICODE = "text in UTF-8"


@frozen
class Holding:
    """What a format holds beside topics, docnos and numbers: further columns, and which names.

    `integers` says that ranks are numbers there, and no text.
    """

    names: Names
    roles: frozenset[str] = frozenset(role for roles in KEPT.values() for role in roles)
    integers: bool = False


HOLDS = {
    "trec": Holding(Names.WORDS),
    "msmarco": Holding(Names.WORDS, frozenset({"rank", "iteration"})),
    "beir": Holding(Names.RECORDS, frozenset()),
    "csv": Holding(Names.RECORDS),
    "tsv": Holding(Names.RECORDS),
    "json": Holding(Names.UNICODE, frozenset()),
    "jsonl": Holding(Names.UNICODE),
    "parquet": Holding(Names.UNICODE, integers=True),
    "arrow": Holding(Names.UNICODE, integers=True),
}

NOTES = {
    "tag": "{} holds no run tags",
    "rank": "{} holds no ranks other than those of the scores",
    "score": "{} holds no scores: a document stands at its rank",
    "iteration": "{} holds no iterations or subtopics",
    "stratum": "{} holds no strata",
    "fraction": "trec_eval reads whole numbers in {}, and there are fractions of grades",
    "formula": "a spreadsheet would take names in {} for formulas",
}
"""What to tell of a format, by what is lost or changed there."""

_FORMULA = re.compile(rb"^(?:[=@]|[+-](?![0-9.]+$))", re.MULTILINE)
"""How a formula begins; a signed number is none."""


def ranks_by_score(columns: Columns) -> Integers:
    """The rank of each row in its topic: scores descending, ties by docno descending."""
    stretch = stretches(columns)
    order = np.lexsort((-columns.values, stretch))
    if (_adjacent_equal(columns.values, order) & _adjacent_equal(stretch, order)).any():
        name = columns.docnos.order(np.arange(len(columns)))
        order = np.lexsort((-name, -columns.values, stretch))
    ranks = np.empty(len(columns), dtype=np.int64)
    ranks[order] = np.arange(len(columns)) - columns.starts[stretch] + 1
    return ranks


def _adjacent_equal(values: Integers | np.ndarray, order: Integers) -> Booleans:
    ordered = values[order]
    equal: Booleans = ordered[1:] == ordered[:-1]
    return equal


def held(columns: Columns, what: str, form: str, place: str) -> tuple[Columns, Counter[str]]:
    """What a format holds of whole topics, and of how many lines to tell what, by NOTES.

    InputError names the first line that it cannot hold at all.
    """
    holding = HOLDS[form]
    if what == "prefs" and not holding.roles >= set(KEPT["prefs"]):
        raise InputError(
            f"holds preferences, which have no place in the format {form}",
            place=place,
            expected="trec, csv, tsv, jsonl, parquet or arrow",
        )
    if what == "run":
        columns, lost = _of_run(columns, form, holding)
    else:
        columns, lost = _of_judgments(columns, what, form, holding, place)
    _refuse_names(columns, holding.names, form, place)
    if holding.names is Names.RECORDS:
        lost["formula"] += _formulas(columns)
    return columns, +lost


def _formulas(columns: Columns) -> int:
    """Lines with a name that begins as a formula does."""
    sizes = np.diff(columns.starts).tolist()
    pairs = zip(columns.topics, sizes, strict=True)
    n_lines = sum(size for topic, size in pairs if _FORMULA.match(topic))
    for names in (columns.docnos, *(columns.kept[role] for role in columns.kept if role != "rank")):
        for _, some in _in_pieces(names):
            if _FORMULA.search(b"\n".join(some)):
                n_lines += sum(_FORMULA.match(name) is not None for name in some)
    return min(n_lines, len(columns))


def _of_run(columns: Columns, form: str, holding: Holding) -> tuple[Columns, Counter[str]]:
    kept = dict(columns.kept)
    lost: Counter[str] = Counter()
    tags = kept.pop("tag", None)
    ranks = kept.pop("rank", None)
    if tags is not None and "tag" not in holding.roles:
        lost["tag"] += len(columns) - tags.tolist().count(b"")
        tags = None
    if form == "trec":
        if tags is None:
            tags = PlainDocnos([DEFAULT_TAG] * len(columns))
        elif any(b"" in names for _, names in _in_pieces(tags)):
            tags = PlainDocnos([tag or DEFAULT_TAG for tag in tags.tolist()])
    if form == "msmarco":
        ranks, n_lost = _ranks_for_scores(columns, ranks)
        lost["score"] += n_lost
    elif ranks is not None or form == "trec":
        ranks, n_lost = _ranks_in(columns, ranks, holding, form)
        lost["rank"] += n_lost
    found = {"rank": ranks, "tag": tags}
    kept.update({role: names for role, names in found.items() if names is not None})
    return replace(columns, kept=kept), +lost


def _ranks_in(
    columns: Columns, ranks: Docnos | None, holding: Holding, form: str
) -> tuple[Docnos | None, int]:
    """The ranks that a format with scores holds, and how many are lost."""
    if ranks is not None and "rank" in holding.roles:
        usable = _WHOLE.fullmatch if holding.integers else _is_word
        if form in ("csv", "tsv", "jsonl") or all(
            all(map(usable, texts)) for _, texts in _in_pieces(ranks)
        ):
            return ranks, 0
    natural = _as_names(ranks_by_score(columns))
    n_lost = 0
    if ranks is not None:
        pairs = zip(ranks.tolist(), natural.tolist(), strict=True)
        n_lost = sum(text != rank for text, rank in pairs)
    return (natural if "rank" in holding.roles else None), n_lost


def _ranks_for_scores(columns: Columns, ranks: Docnos | None) -> tuple[Docnos, int]:
    """Ranks that order documents as their scores do, and how many scores they do not tell.

    The ranks of the file, where they say the same; otherwise those of the scores.
    """
    given = None if ranks is None else _whole_numbers(ranks.tolist())
    if given is not None and ranks is not None and _same_order(columns, given):
        return ranks, int(np.count_nonzero(columns.values != -given))
    natural = ranks_by_score(columns)
    return _as_names(natural), int(np.count_nonzero(columns.values != -natural))


def _same_order(columns: Columns, ranks: Integers) -> bool:
    """Whether ranks rise within a topic exactly where scores fall, and are equal with them."""
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


def _of_judgments(
    columns: Columns, what: str, form: str, holding: Holding, place: str
) -> tuple[Columns, Counter[str]]:
    kept = dict(columns.kept)
    lost: Counter[str] = Counter()
    iterations = kept.get("iteration")
    distinct = set() if iterations is None else set(iterations.tolist())
    if "iteration" not in holding.roles and not distinct <= PLACEHOLDERS:
        _refuse_several_subtopics(columns, form, place)
        lost["iteration"] += len(columns)
    if "stratum" in kept and (form == "msmarco" or "stratum" not in holding.roles):
        lost["stratum"] += len(columns)
        del kept["stratum"]
    if "iteration" not in holding.roles or (form != "trec" and distinct <= {NO_ITERATION}):
        kept.pop("iteration", None)
    if form in ("trec", "msmarco") and what == "qrels":
        given = iterations.tolist() if iterations is not None else [b""] * len(columns)
        kept["iteration"] = PlainDocnos([name or NO_ITERATION for name in given])
        lost["fraction"] += int(np.count_nonzero(columns.values != np.floor(columns.values)))
    return replace(columns, kept=kept), +lost


def _refuse_several_subtopics(columns: Columns, form: str, place: str) -> None:
    pairs = columns.docnos.duplicates(columns.starts)
    if pairs:
        row = pairs[0][1]
        raise InputError(
            f"document {quoted(columns.docnos[row])} is judged for several subtopics, and the "
            f"format {form} holds one judgment of a document",
            place=f"{place}:{columns.lines[row]}",
            expected="trec, csv, tsv, jsonl, parquet or arrow",
        )


def _refuse_names(columns: Columns, allowed: Names, form: str, place: str) -> None:
    """Raise InputError for a name that could not be read again."""
    every = chain(
        (
            ("topic", i, [topic])
            for i, topic in zip(columns.starts[:-1].tolist(), columns.topics, strict=True)
        ),
        (("docno", *piece) for piece in _in_pieces(columns.docnos)),
        ((role, *piece) for role, names in columns.kept.items() for piece in _in_pieces(names)),
    )
    for role, start, names in every:
        wrong = _unfit(names, allowed)
        if wrong is None and role == "topic" and allowed is Names.WORDS:
            wrong = next((i for i, name in enumerate(names) if name.startswith(b"#")), None)
        if wrong is not None:
            raise InputError(
                f"the {role} {quoted(names[wrong])} cannot stand in the format {form}",
                place=f"{place}:{columns.lines[start + wrong]}",
                expected=f"{allowed.value}",
                remedy=_REMEDIES[allowed],
            )


def _in_pieces(names: Docnos) -> Iterator[tuple[int, list[bytes]]]:
    """Some names at once, with the row of the first."""
    for start in range(0, len(names), AT_ONCE):
        yield start, names.slice(start, min(start + AT_ONCE, len(names))).tolist()


_REMEDIES = {
    Names.WORDS: "convert to csv, tsv, jsonl, parquet or arrow, which hold any text",
    Names.RECORDS: "convert to jsonl, parquet or arrow, which hold any text",
    Names.UNICODE: "convert to trec, csv or tsv, which hold any bytes, or convert the encoding "
    "of the file to UTF-8 first",
}


def _unfit(names: Sequence[bytes], allowed: Names) -> int | None:
    """The first name that a format cannot hold; looked for only where there is one."""
    if allowed is Names.UNICODE:
        try:
            b"\n".join(names).decode()
        except UnicodeDecodeError:
            return next(i for i, name in enumerate(names) if not _is_unicode(name))
        return None
    pattern = _WHITE if allowed is Names.WORDS else _LINE_END
    if allowed is Names.WORDS and b"" in names:
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

"""Likely mistakes in a run: names that are not judged, and scores of which low ones are best."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import replace

import numpy as np

from rankeval.base.wording import listed
from rankeval.errors import InputError
from rankeval.evaluation.results import Notice
from rankeval.io.formats.file_format import Form
from rankeval.io.parsers.columns import Columns, stretches
from rankeval.io.sources.blocks import is_rereadable
from rankeval.io.topic_order import itself
from rankeval.ranking.chunks import document_of_chunk, folded
from rankeval.ranking.qrels import Qrels
from rankeval.ranking.run_source import RunSource

SAMPLE = 10_000
"""Names that are looked at."""

LONGEST = 200
"""Bytes of a name that is looked at, at most."""

_NUMBER = re.compile(rb"0*(\d+)(?:\.0+)?")


def _in_utf8(name: bytes) -> bytes:
    """Return a name in UTF-8, with accents in their letters; what is not UTF-8 is Latin-1."""
    try:
        text = name.decode()
    except UnicodeDecodeError:
        text = name.decode("latin-1")
    return unicodedata.normalize("NFC", text).encode()


def _as_integer(name: bytes) -> bytes:
    """Return an integer without leading zeros and without a fraction of zeros."""
    number = _NUMBER.fullmatch(name)
    return number[1] if number else name


SPELLINGS: Mapping[str, Callable[[bytes], bytes]] = {
    "case or blanks": folded,
    "encoding, which is to be UTF-8 in both files": _in_utf8,
    "leading zeros or .0, as of names that were read as numbers": _as_integer,
}
"""The ways in which names differ, and functions that make such names equal."""


def unlike(names: Iterable[bytes], known: Iterable[bytes]) -> str:
    """Say how names are spelled otherwise than known ones, with an example; "" if none is."""
    for how, spelled in SPELLINGS.items():
        forms = {spelled(name): name for name in known}
        for name in names:
            if spelled(name) in forms:
                return f"differ by {how}: {_example(name, forms[spelled(name)])}"
    return ""


def _example(name: bytes, known: bytes) -> str:
    return f"the run has {listed([name])}, the qrels {listed([known])}"


def likely_reason(qrels: Qrels, names: Sequence[bytes]) -> str:
    """Return the likely reason why none of some docnos is judged for its topic."""
    names = [name for name in names if len(name) <= LONGEST]
    judged = frozenset(qrels.docnos.names)
    elsewhere = [name for name in names if name in judged]
    if elsewhere:
        return (
            f"documents such as {listed(elsewhere[:1])} are judged for other topics; check that "
            "run and qrels number the topics in the same way"
        )
    if how := unlike(names, judged):
        return f"docnos {how}"
    for name in names:
        chunk = document_of_chunk(name, judged)
        if chunk is not None:
            document, separator = chunk
            regex = separator.decode().replace(".", r"\.") + ".*"
            return f"docnos look like chunks: {_example(name, document)}; try --collapse '{regex}'"
    has = f"; {_example(names[0], qrels.docnos.names[0])}" if names else ""
    return f"the run may be of another collection{has}"


def no_match_notice(qrels: Qrels, run: RunSource, form: Form) -> Notice:
    """Return a warning that no document of the run is judged, with the likely reason."""
    first = _beginning(run, form)
    names = [] if first is None else first.docnos.slice(0, SAMPLE).tolist()
    return Notice(f"no document of the run is judged: {likely_reason(qrels, names)}")


def _beginning(run: RunSource, form: Form) -> Columns | None:
    """Return the first lines of a run; none of a pipe, which can be read only once."""
    if run.is_file and not is_rereadable(run.path):
        return None
    with closing(run.map_parts(form, itself)) as parts:
        return next(parts, None)


def order_notices(run: RunSource, form: Form) -> list[Notice]:
    """Return a warning if low scores seem to be the best, by ranks or by the order of the file."""
    first = None
    with suppress(InputError):  # a rank that is not a number
        first = _beginning(run, replace(form, ranks=True))
    if first is None:
        return []
    within = np.diff(stretches(first)) == 0
    rises = np.sign(np.diff(first.values)[within])
    ranks = np.zeros(len(rises)) if first.ranks is None else np.diff(first.ranks)[within]
    said = "scores rise down the file"
    if ranks.any():
        rises, said = rises * np.sign(ranks), "ranks contradict scores (see --order rank)"
    if rises.sum() <= len(rises) / 2:  # three of four rise, or of fewer all others are equal
        return []
    best = "the highest score counts as the best: negate scores that are distances"
    return [Notice(f"{said}, and {best}")]

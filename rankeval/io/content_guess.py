"""Guess from column names whether a file holds a run, judgments or preferences."""

from collections.abc import Mapping, Sequence

from rankeval.base.frozen import frozen
from rankeval.io.column_names import KINDS, TOPIC, find_roles


@frozen
class ContentGuess:
    """The content that a file seems to have; `certain` if it can have no other."""

    what: str
    certain: bool


def guess_by_names(
    names: Sequence[str], first_value: str, given: Mapping[str, str]
) -> ContentGuess:
    """Guess from the names of columns; `first_value` is the first score or grade."""
    roles = {what: find_roles(names, what, given) for what in KINDS}
    if roles["prefs"] is not None:
        return ContentGuess("prefs", certain=True)
    run, qrels = roles["run"], roles["qrels"]
    if run is None and qrels is None and TOPIC[0] not in names:  # a folder may be named after it
        return guess_by_names([*names, TOPIC[0]], first_value, given)
    if run is None or qrels is None:
        return ContentGuess("run" if qrels is None else "qrels", certain=True)
    if run.keys() & {"rank", "tag"}:
        return ContentGuess("run", certain=True)
    if qrels["grade"] != run["score"] or "iteration" in qrels or "stratum" in qrels:
        return ContentGuess("qrels", certain=True)
    return ContentGuess("qrels" if is_integer(first_value) else "run", certain=False)


def name_columns(names: Sequence[str], given: Mapping[str, str]) -> bool:
    """Return True if the names are column names of a run, of judgments or of preferences."""
    return any(find_roles(names, what, given) is not None for what in KINDS)


def is_integer(text: str) -> bool:
    """Return True for digits with or without a sign."""
    return text.strip().lstrip("+-").isdigit()

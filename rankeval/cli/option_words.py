"""Parameters of Python as options of the shell, where errors name them."""

import re
from typing import TypeVar

from rankeval.errors import RankevalError

Error = TypeVar("Error", bound=BaseException)

PARAMETERS = frozenset(
    {
        "aggregate",
        "alpha",
        "baseline",
        "bounds",
        "budget",
        "catalog",
        "collapse",
        "collapse_by",
        "collapse_sep",
        "columns",
        "correction",
        "costs",
        "depth",
        "exclude_seen",
        "family",
        "folds",
        "gamma",
        "golden",
        "groups",
        "holes",
        "grades",
        "interval",
        "interval_level",
        "item_features",
        "judged_only",
        "k",
        "method",
        "missing",
        "norm",
        "order",
        "phi",
        "require_coverage",
        "segments",
        "sequence",
        "sigma",
        "skip_no_relevant",
        "test",
        "ties",
        "topics",
        "train",
        "train_qrels",
        "undefined",
        "unjudged_grade",
        "unjudged",
        "weights",
        "window",
    }
)
"""The parameters that errors name, as `name=value`, or as `name=` whatever the value."""

OTHERWISE = {"groups": "group", "sequence": "sequential"}
"""Options that have other names than their parameters."""

_NAMED = re.compile(
    r'"[^"]*"'  # quoted from a file: it stays as it is
    rf"|(?<![\w(/,'=.-])(?<!: )(?P<name>{'|'.join(sorted(PARAMETERS, key=len, reverse=True))})="
    r"(?:(?P<switch>True\b)|'(?P<text>[^']*)'|(?P<word>[\w.][\w.-]*))?"
)


def as_options(text: str) -> str:
    """Write the parameters in a text as options: topics='both' as --topics both."""
    return _NAMED.sub(_option, text)


def _option(found: re.Match[str]) -> str:
    name = found["name"]
    if name is None:
        return found[0]
    option = "--" + OTHERWISE.get(name, name).replace("_", "-")
    value = "none" if found["word"] == "None" else found["text"] or found["word"]
    return f"{option} {value}" if value else option


def told(error: RankevalError) -> str:
    """Return the text of an error for the shell."""
    return str(in_options(error))


def in_options(error: Error) -> Error:
    """Return an error whose text names options; any other exception as it is."""
    if not isinstance(error, RankevalError):
        return error
    changed = type(error).__new__(type(error), *error.args)  # its __init__ may ask for more
    vars(changed).update(vars(error))
    changed.problem, changed.expected = as_options(error.problem), as_options(error.expected)
    changed.remedy = as_options(error.remedy)
    if _NAMED.fullmatch(error.place):
        changed.place = as_options(error.place)
    return changed

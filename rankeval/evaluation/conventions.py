"""Say in words which conventions of an evaluation are not the default ones."""

from collections.abc import Callable, Mapping
from typing import Any

TIES_IN_WORDS: Mapping[str, str] = {
    "docno": "ordered by docno, descending, as trec_eval does",
    "input": "ordered as in the file",
    "rank": "ordered by the rank column",
    "best": "better grades come first",
    "worst": "better grades come last",
    "expected": "values are means over all orders of them",
}

Facts = Mapping[str, Any]
"""Settings and rules of reading by name, as results and their JSON have them."""


def conventions_in_words(facts: Facts) -> tuple[str, ...]:
    """Name each convention that is not the default, and the option that sets it.

    >>> from rankeval import Settings
    >>> conventions_in_words(Settings(judged_only=True, depth=5).facts())
    ('the first 5 documents of each topic (-M 5)', 'unjudged documents removed (-J)')
    """
    return tuple(words(facts) for words in _SAID if words(facts))


def _where(name: str, value: object, words: str) -> Callable[[Facts], str]:
    """Return the function that says the words where a setting has a value."""
    return lambda facts: words if facts.get(name) == value else ""


def _given(name: str, words: str, usual: tuple[object, ...] = (None,)) -> Callable[[Facts], str]:
    """Return the function that puts a setting into the words, unless it is a usual one."""

    def said(facts: Facts) -> str:
        value = facts.get(name)
        if value in usual:
            return ""
        return words.format(f"{value:g}" if isinstance(value, float) else value)

    return said


def _ties(facts: Facts) -> str:
    rule = facts.get("ties", "docno")
    words = TIES_IN_WORDS.get(str(rule), rule)
    return "" if rule == "docno" else f"equal scores: {words} (--ties {rule})"


def _chunks(facts: Facts) -> str:
    by = facts.get("collapse_by", "first")
    how = "" if by == "first" else f" --collapse-by {by}"
    for option in ("collapse", "collapse_sep"):
        text = facts.get(option)
        if text is not None:
            return f"chunks count as documents (--{option.replace('_', '-')} {text}{how})"
    return ""


_SAID: tuple[Callable[[Facts], str], ...] = (
    _given("like", "as {0} does (--like {0})"),
    _where("topics", "both", "only topics that the run has (--topics both)"),
    _where(
        "skip_no_relevant",
        True,  # noqa: FBT003  the value of a setting
        "topics without a relevant document left out (--skip-no-relevant)",
    ),
    _given("min_grade", "relevant from grade {0} on (-l {0})", (None, 1)),
    _given("depth", "the first {0} documents of each topic (-M {0})"),
    _where("judged_only", True, "unjudged documents removed (-J)"),  # noqa: FBT003  see above
    _given("collection_size", "{0} documents in the collection (-N {0})"),
    _ties,
    _where("order", "rank", "documents ordered by the rank column (--order rank)"),
    _where("single_precision", True, "scores compared as 32-bit floats"),  # noqa: FBT003  see above
    _where("drop_self", True, "documents with the topic's name left out"),  # noqa: FBT003  see above
    _where("on_error", "skip", "wrong lines skipped (--on-error skip)"),
    _given(
        "duplicates",
        "of repeated documents the {0} line counts (--duplicates {0})",
        (None, "refuse"),
    ),
    _chunks,
    _where(
        "exclude_seen",
        True,  # noqa: FBT003  see above
        "items of the users' interactions left out (--exclude-seen)",
    ),
)

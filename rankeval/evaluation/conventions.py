"""Name the conventions of an evaluation: the unusual ones in words, all of them in signatures."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rankeval.base.wording import count
from rankeval.version import __version__

if TYPE_CHECKING:
    from rankeval.evaluation.aggregation import Aggregation
    from rankeval.evaluation.results import QrelsFacts, RunResult
    from rankeval.evaluation.settings import Settings
    from rankeval.measures import Measure
    from rankeval.ranking import RankedJudgments
    from rankeval.ranking.qrels import Qrels

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

    >>> from rankeval.options import Settings
    >>> conventions_in_words(Settings(judged_only=True, depth=5).facts())
    ('the first 5 documents of each topic (-M 5)', 'unjudged documents removed (-J)')
    """
    said = []
    for name, (usual, words) in WORDS.items():
        value = facts.get(name, usual)
        if value not in (usual, None):
            shown = f"{value:g}" if isinstance(value, float) else value
            said.append(words.format(shown, ties=TIES_IN_WORDS.get(str(value))))
    return tuple(said)


WORDS: Mapping[str, tuple[object, str]] = {
    "like": (None, "as in {0} (--like {0})"),
    "topics": ("judged", "only topics that the run has (--topics {0})"),
    "skip_no_relevant": (False, "topics without a relevant document left out (--skip-no-relevant)"),
    "min_grade": (1, "relevant: grade {0} or more (-l {0})"),
    "depth": (None, "the first {0} documents of each topic (-M {0})"),
    "judged_only": (False, "unjudged documents removed (-J)"),
    "collection_size": (None, "{0} documents in the collection (-N {0})"),
    "ties": ("docno", "equal scores: {ties} (--ties {0})"),
    "order": ("score", "documents ordered by the rank column (--order {0})"),
    "single_precision": (False, "scores compared as 32-bit floats"),
    "drop_self": (False, "documents with the topic's name left out"),
    "on_error": ("refuse", "wrong lines skipped (--on-error {0})"),
    "duplicates": ("refuse", "of repeated documents the {0} line counts (--duplicates {0})"),
    "collapse": (None, "chunks count as documents (--collapse {0})"),
    "exclude_seen": (False, "items of the users' interactions left out (seen)"),
}
"""Each convention with the value of which nothing is said, and the words for any other."""


VERSION = "rankeval"
JUDGMENTS = "qrels"
UNSET = "not set"
JUDGED_ONLY = "judged_only"
"""The parameter of measures that remove unjudged documents themselves."""


def marks_of(measure: "Measure", judged: "RankedJudgments") -> tuple[str, ...]:
    """Return the parts of a signature that name the optional data of a measure, by digests."""
    if not measure.considers:
        return ()
    digests = [(need.name, getattr(need.of(judged), "digest", None)) for need in measure.considers]
    return tuple(f"{name}:{digest}" for name, digest in digests if digest)


def signature_of(
    measure: "Measure",
    settings: "Settings",
    over_topics: "Aggregation",
    qrels: "Qrels | QrelsFacts",
    marks: Sequence[str],
) -> str:
    """Write all that may change the number into one line; `marks` name optional data."""
    at = measure.definition.at
    # Settings may remove unjudged documents for all measures, and a measure may for itself.
    removed = settings.judged_only or bool(measure.parameters.get(JUDGED_ONLY))
    parameters = {
        name: removed if name == JUDGED_ONLY else value
        for name, value in measure.parameters.items()
        if name != at
    }
    parts = [
        f"{VERSION}:{__version__}",
        str(measure),
        *(f"{name}:{value}" for name, value in parameters.items()),
        f"ties:{settings.ties}",
        *[f"order:{settings.order}"] * (settings.order != "score"),
        *["scores:single"] * settings.single_precision,
        f"topics:{settings.topics}",
        "unjudged:removed" if removed else "unjudged:nonrel",
        *["self:dropped"] * settings.drop_self,
    ]
    if settings.skip_no_relevant:
        parts += ["no-relevant:skipped", f"min-grade:{settings.min_grade or 1}"]
    parts += [*over_topics.marks(measure.definition), *settings.marks]
    parts += [] if settings.depth is None else [f"depth:{settings.depth}"]
    return "|".join([*parts, *marks, f"{JUDGMENTS}:{qrels.digest}"])


def changes(before: str, after: str) -> list[tuple[str, str, str]]:
    """Return the conventions that differ between two signatures, with both values.

    Versions that differ only in their last number give the same numbers.
    The judgments come last, because an option can change the other conventions.
    """
    old, new = _parts_of(before), _parts_of(after)
    both = {name: (old.get(name, UNSET), new.get(name, UNSET)) for name in {**old, **new}}
    return [(name, *values) for name, values in both.items() if values[0] != values[1]]


def measure_of(signature: str) -> str:
    """Return the canonical name of the measure, "" where the signature has none."""
    return _parts_of(signature).get("measure", "")


def judgments_of_signature(signature: str) -> str:
    """Return the digest of the judgments, "" where the signature has none."""
    return _parts_of(signature).get(JUDGMENTS, "")


def _parts_of(signature: str) -> dict[str, str]:
    version, *parts = signature.split("|")
    found = {"rankeval's version": ".".join(version.partition(":")[2].split(".")[:2])}
    if parts:
        found["measure"] = parts[0]
    for part in parts[1:]:
        name, _, value = part.partition(":")
        found[name] = value
    return found


def topics_of(number: int, judged: int) -> str:
    """Return a number of topics, and of how many judged ones if these are more."""
    return count(number, "topic") if number >= judged else f"{number:,} of {count(judged, 'topic')}"


def averaged_topics(runs: Sequence["RunResult"]) -> str:
    """Return how many of the judged topics were averaged: `47 of 50 topics`; "" for all of them."""
    judged = max((run.judged for run in runs), default=0)
    numbers = sorted({len(run.topics) for run in runs if run.topics})
    if not numbers or numbers[0] >= judged:
        return ""
    least = "" if len(numbers) == 1 else f"{numbers[0]:,} to "
    return least + topics_of(numbers[-1], judged)

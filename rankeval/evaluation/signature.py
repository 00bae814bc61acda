"""Write and read signatures: the conventions behind a number, in one line.

Numbers with the same signature were computed in the same way.
"""

from collections.abc import Sequence
from typing import NamedTuple

from rankeval.evaluation.aggregation import Aggregation
from rankeval.evaluation.reading import AS_FOUND, Reading
from rankeval.evaluation.settings import Settings
from rankeval.measures import Measure
from rankeval.ranking import RankedJudgments
from rankeval.version import __version__

VERSION = "rankeval"
JUDGMENTS = "qrels"
UNSET = "not set"
JUDGED_ONLY = "judged_only"
"""The parameter of measures that remove unjudged documents themselves."""


def marks_of(measure: Measure, judged: RankedJudgments) -> tuple[str, ...]:
    """Return the parts of a signature that name the optional data of a measure, by digests."""
    digests = [(need.name, getattr(need.of(judged), "digest", None)) for need in measure.considers]
    return tuple(f"{name}:{digest}" for name, digest in digests if digest)


def signature_of(
    measure: Measure,
    settings: Settings,
    over_topics: Aggregation,
    digest: str,
    marks: Sequence[str],
    reading: Reading = AS_FOUND,
) -> str:
    """Write all that may change the number into one line.

    `digest` is that of the judgments, and `marks` name optional data.
    """
    at = measure.definition.at
    # Settings may remove unjudged documents for all measures, and a measure may for itself.
    removed = settings.removes_unjudged or bool(measure.parameters.get(JUDGED_ONLY))
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
    ]
    if settings.order != "score":
        parts.append(f"order:{settings.order}")
    if settings.single_precision:
        parts.append("scores:single")
    parts.append(f"topics:{settings.topics}")
    parts.append("unjudged:removed" if removed else "unjudged:nonrel")
    if settings.drop_self:
        parts.append("self:dropped")
    if settings.skip_no_relevant:
        parts += ["no-relevant:skipped", f"min-grade:{settings.min_grade or 1}"]
    parts += over_topics.marks(measure.definition)
    parts += reading.marks
    if settings.depth is not None:
        parts.append(f"depth:{settings.depth}")
    return "|".join([*parts, *marks, f"{JUDGMENTS}:{digest}"])


class Change(NamedTuple):
    """One convention that differs; "not set" where a side does not state it."""

    name: str
    before: str
    after: str


def changes(before: str, after: str) -> tuple[Change, ...]:
    """Return the conventions that differ between two signatures.

    Versions that differ only in their last number give the same numbers and are not compared.
    The judgments come last, because an option can change the other conventions.
    """
    old, new = _parts_of(before), _parts_of(after)
    return tuple(
        Change("rankeval's version" if name == VERSION else name, was, now)
        for name in dict.fromkeys([*old, *new])
        if (was := old.get(name, UNSET)) != (now := new.get(name, UNSET))
        and not (name == VERSION and _series(was) == _series(now))
    )


def measure_of(signature: str) -> str:
    """Return the canonical name of the measure, "" where the signature has none."""
    return _parts_of(signature).get("measure", "")


def judgments_of_signature(signature: str) -> str:
    """Return the digest of the judgments, "" where the signature has none."""
    return _parts_of(signature).get(JUDGMENTS, "")


def with_judgments(signature: str, digest: str) -> str:
    """Return the signature with the digest of other judgments."""
    parts = signature.split("|")
    mark = f"{JUDGMENTS}:"
    return "|".join(f"{mark}{digest}" if part.startswith(mark) else part for part in parts)


def _parts_of(signature: str) -> dict[str, str]:
    version, *parts = signature.split("|")
    found = {VERSION: version.partition(":")[2]}
    if parts:
        found["measure"] = parts[0]
    for part in parts[1:]:
        name, _, value = part.partition(":")
        found[name] = value
    return found


def _series(version: str) -> str:
    return ".".join(version.split(".")[:2])

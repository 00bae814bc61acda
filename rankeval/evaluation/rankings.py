"""Rankings of a topic: its judged documents, and values at each rank."""

from rankeval.base.arrays import Integers
from rankeval.base.wording import decoded
from rankeval.errors import UsageError
from rankeval.evaluation.settings import Settings
from rankeval.measures import Measure
from rankeval.ranking import RankedJudgments
from rankeval.ranking.qrels import Qrels

BATCH = 256
"""Prefixes of the ranking evaluated at once; memory grows with this times the judgments."""

ONE_ORDER = ("docno", "input", "rank")
"""The rules for ties that give every document one rank, whatever its grade."""


def topics_by_name(qrels: Qrels) -> dict[str, bytes]:
    """Return the topics by their names in results."""
    return {decoded(topic): topic for topic in qrels.topics}


def grades_of(qrels: Qrels, topic: bytes) -> dict[bytes, tuple[int, float]]:
    """Return the judged documents of a topic, with the index of the judgment and the grade."""
    code = qrels.code[topic]
    start, stop = qrels.offsets[code : code + 2].tolist()
    docnos = qrels.docno[start:stop].tolist()
    grades = qrels.grade[start:stop].astype(float).tolist()
    return {
        qrels.docnos.names[docno]: (judgment, grade)
        for judgment, docno, grade in zip(range(start, stop), docnos, grades, strict=True)
    }


def require_one_order(settings: Settings) -> None:
    """Raise UsageError unless ties are broken in an order that does not depend on grades."""
    if settings.ties not in ONE_ORDER:
        raise UsageError(
            f"with ties '{settings.ties}', documents have no fixed ranks to compare",
            expected="ties by docno, input or rank",
        )


def is_condensed(measure: Measure, settings: Settings) -> bool:
    """Return True where unjudged documents are removed: by a setting, or by the measure itself."""
    return settings.judged_only or bool(measure.parameters.get("judged_only"))


def measured_ranking(
    measure: Measure, settings: Settings, whole: RankedJudgments
) -> RankedJudgments:
    """Return the ranking that a measure looks at: cut at the depth, without what is removed."""
    judged = whole if settings.depth is None else whole.truncated(settings.depth)
    return judged.condensed if is_condensed(measure, settings) else judged


def running_values(measure: Measure, judged: RankedJudgments, depths: Integers) -> dict[int, float]:
    """Return the value of the only topic's ranking cut at each depth; evaluated in batches.

    A document at rank r adds the value at r minus the value at r - 1.
    """
    values: dict[int, float] = {}
    for start in range(0, len(depths), BATCH):
        some = depths[start : start + BATCH]
        batch = measure.values(judged.prefixes(some))
        values.update(zip(some.tolist(), batch.tolist(), strict=True))
    return values

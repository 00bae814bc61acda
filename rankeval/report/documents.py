"""The judged documents of a report, topic by topic, with their ranks in each run."""

from collections.abc import Sequence

import numpy as np

from rankeval.alignment.inputs import RunLike
from rankeval.alignment.qrels import Qrels
from rankeval.alignment.top_documents import top_documents
from rankeval.evaluation.prepare import align_run
from rankeval.evaluation.reading import AS_FOUND, Reading
from rankeval.evaluation.settings import Settings
from rankeval.report.content import Documents, MeasureSection, TopicDocuments
from rankeval.tasks.rankings import Rankings

MOST_TOPICS, MOST_ROWS = 250, 12
"""The most topics, and the most documents of a topic, that a report lists: it is to be sent."""


def judged_documents(
    qrels: Qrels,
    runs: Sequence[RunLike],
    section: MeasureSection,
    settings: Settings,
    depth: int,
    *,
    reading: Reading = AS_FOUND,
    jobs: int = 1,
) -> Documents:
    """Return the judged documents among the first `depth` ranks of any run.

    They are those of the topics on which the runs differ most in the measure of the section.
    """
    rules, form = settings.rules_with(reading), settings.form(reading.run())
    rankings = Rankings(
        qrels,
        [align_run(qrels, run, settings, jobs, reading=reading)[0] for run in runs],
        [top_documents(qrels, run, depth, rules, form, jobs=jobs) for run in runs],
    )
    chosen = _most_different(section)
    return Documents(
        depth=depth,
        topics=tuple(
            _of_topic(rankings, row.topic, len(runs), depth)
            for row in section.topics
            if row.topic in chosen
        ),
        every=len(chosen) == len(section.topics),
    )


def _most_different(section: MeasureSection) -> frozenset[str]:
    """Return the topics with the largest span between the best run and the worst."""
    values = np.array(
        [[np.nan if v.value is None else v.value for v in row.values] for row in section.topics]
    )
    highest = np.where(np.isnan(values), -np.inf, values).max(axis=1)
    lowest = np.where(np.isnan(values), np.inf, values).min(axis=1)
    order = np.argsort(-np.maximum(highest - lowest, -1.0), kind="stable")[:MOST_TOPICS]
    return frozenset(section.topics[i].topic for i in order.tolist())


def _of_topic(rankings: Rankings, name: str, n_runs: int, depth: int) -> TopicDocuments:
    topic = rankings.topic_of[name]
    found = rankings.judged(topic, depth)
    found.sort(key=lambda one: (-one.grade, one.best_rank, one.docno))
    return TopicDocuments(
        topic=name,
        documents=tuple(found[:MOST_ROWS]),
        left_out=max(0, len(found) - MOST_ROWS),
        unjudged=tuple(len(rankings.unjudged(i, topic, depth)) for i in range(n_runs)),
    )

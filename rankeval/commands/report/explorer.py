"""The topics of a report as data that the page's script reads: values, rankings and texts."""

import os
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np

from rankeval.base.arrays import Floats
from rankeval.base.wording import decoded, visible
from rankeval.commands.report.page import MeasureSection
from rankeval.errors import printable
from rankeval.evaluation.rankings import Rankings
from rankeval.evaluation.shown_texts import ShownText, TextSources

DECIMALS = 4


def most_different(values: Floats, most: int) -> list[int]:
    """Return the places of the topics with the largest span between best and worst, in order.

    `values` has a row for each run. A topic without two values has no span.
    """
    highest = np.where(np.isnan(values), -np.inf, values).max(axis=0)
    lowest = np.where(np.isnan(values), np.inf, values).min(axis=0)
    order = np.argsort(-np.maximum(highest - lowest, -1.0), kind="stable")
    return np.sort(order[:most]).tolist()


def explorer_data(
    runs: Sequence[str],
    sections: Sequence[MeasureSection],
    topics: Sequence[str],
    judged: Rankings,
    tops: Sequence[Mapping[bytes, Sequence[bytes]]],
    ranked: Sequence[str],
    texts: TextSources,
) -> tuple[dict[str, Any], Sequence[str]]:
    """Return the data that the script needs to show the topics, and warnings of missing texts.

    `tops` has the first documents of each run by topic; those of the topics in `ranked` are shown.

    ======== =================================================================================
    runs     names, the baseline first
    measures name, whether less is better, the order of the runs, and values by topic and run
    topics   names
    queries  of the topics; null without queries
    rankings of each topic: docnos, whose common beginning is written once, their grades (null for
             unjudged ones) and texts, and by run the places of its first documents in them; null
             for topics that are not among `ranked`
    ======== =================================================================================
    """
    of_topics = {topic: [top.get(judged.topic_of[topic], ()) for top in tops] for topic in ranked}
    places = {
        topic: {docno: i for i, docno in enumerate(dict.fromkeys(chain.from_iterable(firsts)))}
        for topic, firsts in of_topics.items()
    }
    shown = texts.of({topic: [*map(decoded, places.get(topic, ()))] for topic in topics})

    def ranking(topic: str) -> dict[str, Any]:
        grades, place = judged.grades(judged.topic_of[topic]), places[topic]
        docnos = [*map(decoded, place)]
        names = [*map(visible, docnos)]
        prefix = os.path.commonprefix(names)  # noqa: RUF071  of names, not of paths
        facts: dict[str, Any] = {
            "prefix": prefix,
            "docnos": [name[len(prefix) :] for name in names],
            "grades": [_whole(grades[docno][1]) if docno in grades else None for docno in place],
            "ranked": [[place[docno] for docno in firsts] for firsts in of_topics[topic]],
        }
        if shown.has_docs:
            facts["texts"] = [_text(shown.document(topic, docno)) for docno in docnos]
        return facts

    def measure(section: MeasureSection) -> dict[str, Any]:
        values = [[_short(value) for value in row] for row in section.values.T.tolist()]
        named = {"name": section.name, "loss": section.loss, "order": section.order}
        return {**named, "values": values}

    queries = [printable(shown.query(topic)) for topic in topics]
    data = {
        "runs": [*map(visible, runs)],
        "measures": [*map(measure, sections)],
        "topics": [*map(visible, topics)],
        "queries": queries if shown.has_queries else None,
        "rankings": [ranking(topic) if topic in places else None for topic in topics],
    }
    return data, shown.notices()


def _short(value: float) -> float | None:
    """Return a value as the page prints it; None where it is undefined."""
    return None if np.isnan(value) else round(value, DECIMALS) + 0.0


def _whole(grade: float) -> float:
    return int(grade) if grade.is_integer() else grade


def _text(shown: ShownText | None) -> list[str] | None:
    """Return a title, and the pieces of a text, of which every second is bold; None if missing."""
    if shown is None or shown.missing:
        return None
    return [printable(shown.title), *_pieces(shown)]


def _pieces(shown: ShownText) -> Iterator[str]:
    bold = False
    for piece, is_bold in shown.pieces():
        if is_bold != bold:
            yield ""
        yield printable(piece)
        bold = not is_bold

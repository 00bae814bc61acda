"""The topics of a report as data that the page's script reads: values, rankings and texts."""

import json
import os
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from rankeval.base.wording import visible
from rankeval.commands.report.content import Report, TopicRankings
from rankeval.errors import printable
from rankeval.evaluation.shown_texts import ShownText, ShownTexts

DECIMALS = 4


def explorer_data(report: Report) -> dict[str, Any]:
    """Return the data that the script needs to show the topics.

    ======== =================================================================================
    runs     names, the baseline first
    measures name, whether less is better, the order of the runs, and values by topic and run
    topics   names
    queries  of the topics; null without queries
    groups   of the topics; null without groups
    depth    number of first ranks in `rankings`
    rankings of each topic; null for those without
    unranked why there are none of any topic
    ======== =================================================================================
    """
    explorer = report.explorer
    texts, groups = explorer.texts, explorer.groups
    return {
        "runs": [visible(name) for name, _ in report.runs],
        "measures": [
            {
                "name": section.name,
                "loss": section.loss,
                "order": section.order,
                "values": [[_short(value) for value in row] for row in section.values.T.tolist()],
            }
            for section in report.sections
        ],
        "topics": [visible(topic) for topic in explorer.topics],
        "queries": [printable(texts.query(topic)) for topic in explorer.topics]
        if texts.has_queries
        else None,
        "groups": [visible(groups.get(topic, "")) for topic in explorer.topics] if groups else None,
        "depth": explorer.depth,
        "rankings": [
            _topic(topic, explorer.rankings[topic], texts) if topic in explorer.rankings else None
            for topic in explorer.topics
        ],
        "unranked": explorer.unranked,
    }


def _short(value: float) -> float | None:
    """Return a value as the page prints it; None where it is undefined."""
    return None if np.isnan(value) else round(value, DECIMALS) + 0.0


def _topic(topic: str, found: TopicRankings, texts: ShownTexts) -> Mapping[str, Any]:
    """Return the rankings of a topic; the common beginning of the docnos is written once."""
    docnos = [visible(docno) for docno in found.docnos]
    prefix = os.path.commonprefix(docnos)  # noqa: RUF071  of names, not of paths
    facts: dict[str, Any] = {
        "prefix": prefix,
        "docnos": [docno[len(prefix) :] for docno in docnos],
        "grades": [
            int(grade) if grade is not None and grade.is_integer() else grade
            for grade in found.grades
        ],
        "ranked": found.rankings,
    }
    if texts.has_docs:
        facts["texts"] = [_text(texts.document(topic, docno)) for docno in found.docnos]
    return facts


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


def inert(value: Any) -> str:
    """Return JSON that holds no markup, and no command of the log of a workflow."""
    text = json.dumps(value, separators=(",", ":"))
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text.replace("::", ":\\u003a").replace("##[", "#\\u0023[")

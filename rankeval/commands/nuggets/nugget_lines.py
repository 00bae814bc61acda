"""Nuggets assigned to answers: JSON Lines of a topic and its nuggets, counted as they are read."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rankeval.base.frozen import frozen
from rankeval.base.wording import quoted
from rankeval.errors import InputError
from rankeval.io.formats.json_values import load_line
from rankeval.io.formats.topic_records import ANSWERED, nugget_grades
from rankeval.io.sources.blocks import blocks, display_name

IMPORTANCES = ("vital", "okay")
ASSIGNMENTS = ("support", "partial_support", "not_support")
SUPPORTS = {"full_support": 1.0, "partial_support": 0.5, "no_support": 0.0}
"""What citations may give to their sentence, and what that is worth."""
FAILED = "failed"
"""The label of nuggets that have none of these, as nuggetizer writes where its model failed."""

EXPECTED = (
    '{"qid": "q1", "nuggets": [{"importance": "vital", "assignment": "support"}]}, one topic per '
    "line"
)


@frozen
class AssignedNuggets:
    """The nuggets of one answer, counted.

    ======= ========================================================================
    topic   the topic
    run     the name of the run; "" if it is not given
    length  characters of the answer but for white space; None if the text is not given
    counts  {(importance, assignment): number of nuggets}; None for a line without nuggets
    unknown labels that are none of IMPORTANCES and ASSIGNMENTS, which count as FAILED
    judged  {nugget: grade}, the nuggets as judgments of the topic
    cited   the worth of each judged citation, by sentence; None if none was judged
    ======= ========================================================================
    """

    topic: str
    run: str
    length: int | None
    counts: Mapping[tuple[str, str], int] | None
    unknown: tuple[str, ...]
    judged: Mapping[str, int]
    cited: tuple[tuple[float, ...], ...] | None


def read_nuggets(path: str) -> list[AssignedNuggets]:
    """Read JSON Lines of assigned nuggets; InputError tells the line that is wrong."""
    name = display_name(path)
    return _distinct(_numbered(path, name), name)


def nuggets_of(records: Iterable[Any]) -> list[AssignedNuggets]:
    """Take assigned nuggets as dictionaries, each as a line of a file."""
    return _distinct(((f"record {i}", one) for i, one in enumerate(records, 1)), "records")


def _numbered(path: str, name: str) -> Iterator[tuple[str, Any]]:
    for block, first_line in blocks(path):
        for number, line in enumerate(block.split(b"\n"), first_line):
            if line.strip():
                place = f"{name}:{number}"
                yield place, load_line(line, place, EXPECTED)


def _distinct(records: Iterable[tuple[str, Any]], name: str) -> list[AssignedNuggets]:
    places: dict[str, str] = {}
    found = []
    for place, record in records:
        one = _assigned(record, place)
        if one.topic in places:
            raise InputError(
                f"topic {json.dumps(one.topic)} is listed twice, first at {places[one.topic]}",
                place=place,
                expected="each topic once",
                remedy="drop one of the two, or write a file for each run",
            )
        places[one.topic] = place
        found.append(one)
    if not found:
        raise InputError("has no topics", place=name, expected=EXPECTED)
    labels = {assigned for one in found for _, assigned in one.counts or ()}
    if labels == {FAILED}:  # answers without nuggets have none
        unknown = next((label for one in found for label in one.unknown), FAILED)
        raise InputError(
            f"no nugget has an assignment: one has {quoted(unknown.encode())}",
            place=name,
            expected=f"one of {', '.join(ASSIGNMENTS)}",
        )
    return found


def _assigned(record: object, place: str) -> AssignedNuggets:
    if not isinstance(record, Mapping):
        raise InputError("this is not a JSON object", place=place, expected=EXPECTED)
    counted = "nuggets" in record or "answer" not in record
    for key in ("qid", "nuggets") if counted else ("qid",):
        if key not in record:
            raise InputError(f'the object has no "{key}"', place=place, expected=EXPECTED)
    topic, text, run = record["qid"], record.get("answer_text"), record.get("run_id")
    if isinstance(topic, bool) or not isinstance(topic, str | int) or topic == "":
        raise InputError(
            f"the topic {json.dumps(topic)[:60]} is not a name", place=place, expected="text"
        )
    cited = _cited(record, place)
    if not counted and cited is None:
        raise InputError(
            'the answer has no "nuggets", and none of its sentences has "support"',
            place=place,
            expected='a list "nuggets", or "support" in the sentences: [] for one that cites '
            "nothing",
        )
    labels = list(_labels(record["nuggets"], place)) if counted else []
    known = [
        (
            importance if importance in IMPORTANCES else FAILED,
            assignment if assignment in ASSIGNMENTS else FAILED,
        )
        for importance, assignment in labels
    ]
    return AssignedNuggets(
        topic=str(topic),
        run=run if isinstance(run, str) else "",
        length=len("".join(text.split())) if isinstance(text, str) else None,
        counts=Counter(known) if counted else None,
        unknown=tuple(
            given
            for both in zip(labels, known, strict=True)
            for given, used in zip(*both, strict=True)
            if given != used
        ),
        judged=nugget_grades(record["nuggets"]) if counted else ANSWERED,
        cited=cited,
    )


def _labels(nuggets: object, place: str) -> Iterator[tuple[str, str]]:
    """Yield the importance and the assignment of each nugget."""
    if not isinstance(nuggets, list | tuple):
        raise InputError('"nuggets" is not a list', place=place, expected=EXPECTED)
    for number, nugget in enumerate(nuggets, 1):
        if not isinstance(nugget, Mapping):
            raise InputError(f"nugget {number} is not an object", place=place, expected=EXPECTED)
        for key in ("importance", "assignment"):
            if not isinstance(nugget.get(key), str):
                lacks = "has no" if nugget.get(key) is None else "has no text as its"
                problem = f'nugget {number} {lacks} "{key}"'
                raise InputError(problem, place=place, expected=EXPECTED)
        yield nugget["importance"], nugget["assignment"]


def _cited(record: Mapping[str, Any], place: str) -> tuple[tuple[float, ...], ...] | None:
    """Return the worth of each judged citation of each sentence; None where none was judged.

    Sentences with citations of which none was judged are left out.
    """
    answer = record.get("answer")
    if not isinstance(answer, list | tuple):
        return None
    if not any(isinstance(sentence, Mapping) and "support" in sentence for sentence in answer):
        return None if answer else ()
    found = []
    for number, sentence in enumerate(answer, 1):
        given = sentence.get("support", []) if isinstance(sentence, Mapping) else None
        wrong = [label for label in given or () if label not in [*SUPPORTS, None]]
        if not isinstance(given, list | tuple) or wrong:
            shown = json.dumps(wrong[0] if wrong else given)[:60]
            raise InputError(
                f"the support of sentence {number} is {shown}",
                place=place,
                expected=f"a list of what each citation gives: {', '.join(SUPPORTS)}; null for one "
                "that was not judged",
            )
        judged = tuple(SUPPORTS[label] for label in given if label is not None)
        if judged or not given:
            found.append(judged)
    return tuple(found)

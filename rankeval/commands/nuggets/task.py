"""Score answers by the nuggets that they support, as TREC's tracks do."""

from __future__ import annotations

import json
import os
import statistics
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np

from rankeval.base.checked import checked
from rankeval.base.frozen import frozen, replace
from rankeval.base.wording import count, listed
from rankeval.errors import InputError, UsageError
from rankeval.evaluation.prepared import Prepared, judgments_of
from rankeval.evaluation.results import Notice, QrelsFacts, Results, RunResult, Score
from rankeval.evaluation.run_names import BY_TAG, RunNames
from rankeval.io.blocks import blocks, display_name
from rankeval.io.files import StrPath
from rankeval.io.json_formats import ANSWERED, load_line, nugget_grades
from rankeval.measures import Measure, parse_measures
from rankeval.measures.answers import BETA, NuggetCounts, SupportCounts
from rankeval.measures.facts import NUGGETS, SUPPORT
from rankeval.ranking.run_source import refuse_stdin_twice
from rankeval.version import __version__

NuggetRecords = Iterable[Mapping[str, Any]]
"""Dictionaries {"qid": topic, "nuggets": [{"importance": ..., "assignment": ...}]}."""

NuggetsLike = StrPath | NuggetRecords
"""The nuggets assigned to the answers of one run: a file of JSON Lines, or its records."""

LABELS = ("importance", "assignment")
IMPORTANCES = ("vital", "okay")
ASSIGNMENTS = ("support", "partial_support", "not_support")
SUPPORTS = {"full_support": 1.0, "partial_support": 0.5, "no_support": 0.0}
"""What citations may give to their sentence, and what that is worth."""
FAILED = "failed"
"""The label of nuggets that have none of these, as nuggetizer writes where its model failed."""

BY_NUGGETS = (
    "strict_vital_score strict_all_score vital_score all_score strict_weighted_score weighted_score"
)
BY_CITATIONS = "support_precision support_recall sentence_coverage"

EXPECTED = (
    '{"qid": "q1", "nuggets": [{"importance": "vital", "assignment": "support"}]}, one topic per '
    "line"
)


@checked
def nuggets(
    files: NuggetsLike | Sequence[NuggetsLike] | Mapping[str, NuggetsLike],
    *,
    beta: float = BETA,
    run_names: RunNames = BY_TAG,
) -> Results:
    r"""Score answers by the nuggets that they support; the results are those of an evaluation.

    ========= ==============================================================================
    files     assignments of one run or several, or {name: assignments}: files of JSON Lines,
              or lists of dictionaries {"qid": topic, "nuggets": [{"importance": "vital" or
              "okay", "assignment": "support", "partial_support" or "not_support"}]}
    beta      weight of recall in F
    run_names how runs are named, as in `evaluate`
    ========= ==============================================================================

    With n of the N nuggets supported, of which s of V are vital and o of O okay (partial support
    counts 1/2, in strict scores 0),

    .. math::
        \mathrm{vital} = \frac{s}{V} \qquad \mathrm{all} = \frac{n}{N} \qquad
        \mathrm{weighted} = \frac{s + o / 2}{V + O / 2}

    Where all answers come with "answer_text" of l characters without white space, of which a =
    100 n are allowed, with n as in strict scores,

    .. math::
        P = 1 - \frac{l - a}{l} \textrm{ for } l > a \textrm{, else } 1 \qquad
        F = \frac{(\beta^2 + 1) P R}{\beta^2 P + R}

    with the strict vital score as recall R. Scores of a run are means over its topics. The
    judgments of the results are the nuggets: vital ones of grade 2, okay ones of 1, others of 0.

    Edge cases
        - A topic without vital nuggets has 0 for vital scores, and counts; so for all scores of
          one without nuggets.
        - A nugget with another label, as language models may give, counts as in nuggetizer: it is
          one of all nuggets, and not supported, or neither vital nor okay. A warning names it.
        - An answer without text has the precision 0.

    Source: Pradeep et al., "Initial Nugget Evaluation Results for the TREC 2024 RAG Track with the
    AutoNuggetizer Framework", 2024; for precision and F, Voorhees, "Overview of the TREC 2003
    Question Answering Track".

    >>> answers = [{"qid": "q1", "nuggets": [
    ...     {"importance": "vital", "assignment": "support"},
    ...     {"importance": "vital", "assignment": "partial_support"},
    ... ]}]
    >>> nuggets({"mine": answers})["mine", "vital_score"].mean
    0.75
    """
    if isinstance(files, Mapping):
        run_names = RunNames(run_names.rule, [*map(str, files)])
        every: list[Any] = [*files.values()]
    else:
        every = [files] if isinstance(files, str | os.PathLike) else [*files]
        every = [every] if every and isinstance(every[0], Mapping) else every
    if not every:
        raise UsageError("no nuggets to score", expected="one file or more")
    paths = [os.fspath(one) if isinstance(one, str | os.PathLike) else "" for one in every]
    refuse_stdin_twice(*filter(None, paths))
    answers = [_answers(path, one) for path, one in zip(paths, every, strict=True)]
    tags = [{answer.run for answer in of_run} for of_run in answers]
    names = run_names.names([tag.pop() if len(tag) == 1 else "" for tag in tags], paths)
    judged: dict[str, dict[str, int]] = {}
    for answer in (each := [*chain.from_iterable(answers)]):
        if answer.judged:
            judged.setdefault(answer.topic, {}).update(answer.judged)
    if not judged:
        raise UsageError("no topic has a nugget", expected=EXPECTED)
    prepared = Prepared(judgments_of(judged))
    measures = _measures(each, beta)
    topics = [*dict.fromkeys(answer.topic for answer in each)]
    runs = [
        _scored(name, of_run, measures, prepared.qrels, topics)
        for name, of_run in zip(names, answers, strict=True)
    ]
    qrels = replace(prepared.qrels, path=next(filter(None, paths), ""))
    return Results(qrels, prepared.facts, tuple(runs))


@frozen
class Answer:
    """The nuggets of one answer, counted.

    ======= ========================================================================
    topic   the topic
    run     the name of the run; "" if it is not given
    length  characters of the answer but for white space; None if the text is not given
    counts  of nuggets, supported and partly supported ones, each by importance: vital, okay and
            others; None for a line without nuggets
    unknown labels of importance and assignment that are none of the known ones
    judged  {nugget: grade}, the nuggets as judgments of the topic
    cited   the worth of each judged citation, by sentence; None if none was judged
    ======= ========================================================================
    """

    topic: str
    run: str
    length: int | None
    counts: tuple[tuple[int, ...], ...] | None
    unknown: tuple[str, ...]
    judged: Mapping[str, int]
    cited: tuple[tuple[float, ...], ...] | None


def _answers(path: str, records: Any) -> list[Answer]:
    """Read the answers of a run from a file or records, one for each topic."""
    name = display_name(path) if path else "records"
    numbered = ((f"record {number}", one) for number, one in enumerate([] if path else records, 1))
    places: dict[str, str] = {}
    found = []
    for place, record in _lines(path, name) if path else numbered:
        answer = _answer(record, place)
        if answer.topic in places:
            first = places[answer.topic]
            problem = f"topic {json.dumps(answer.topic)} is listed twice, first at {first}"
            raise InputError(problem, place=place, expected="each topic once in a run")
        places[answer.topic] = place
        found.append(answer)
    if not found:
        raise InputError("has no topics", place=name, expected=EXPECTED)
    return found


def _lines(path: str, name: str) -> Iterator[tuple[str, Any]]:
    for block, first_line in blocks(path):
        for number, line in enumerate(block.split(b"\n"), first_line):
            if line.strip():
                yield f"{name}:{number}", load_line(line, f"{name}:{number}", EXPECTED)


def _answer(record: Any, place: str) -> Answer:
    if not isinstance(record, Mapping):
        raise InputError("this is not a JSON object", place=place, expected=EXPECTED)
    cited = _cited(record, place)
    with_nuggets = "nuggets" in record or cited is None
    topic, text, run = (record.get(key) for key in ("qid", "answer_text", "run_id"))
    nuggets = record.get("nuggets") if with_nuggets else []
    if isinstance(topic, bool) or not isinstance(topic, str | int) or topic == "":
        raise InputError('the object has no "qid" with a name', place=place, expected=EXPECTED)
    if not isinstance(nuggets, list | tuple):
        raise InputError('the object has no list of "nuggets"', place=place, expected=EXPECTED)
    counted: Counter[tuple[str, str]] = Counter()
    unknown = []
    for number, nugget in enumerate(nuggets, 1):
        labels: Any = [nugget.get(key) for key in LABELS] if isinstance(nugget, Mapping) else [None]
        if not all(isinstance(label, str) for label in labels):
            problem = f"nugget {number} has no importance and assignment"
            raise InputError(problem, place=place, expected=EXPECTED)
        known = zip(labels, (IMPORTANCES, ASSIGNMENTS), strict=True)
        unknown += [label for label, of in known if label not in of]
        kind = labels[0] if labels[0] in IMPORTANCES else FAILED
        counted.update((kind, wanted) for wanted in {"", labels[1]})
    counts = tuple(
        tuple(counted[kind, wanted] for kind in (*IMPORTANCES, FAILED))
        for wanted in ("", "support", "partial_support")
    )
    return Answer(
        topic=str(topic),
        run=run if isinstance(run, str) else "",
        length=len("".join(text.split())) if isinstance(text, str) else None,
        counts=counts if with_nuggets else None,
        unknown=tuple(unknown),
        judged=nugget_grades(nuggets) if with_nuggets else ANSWERED,
        cited=cited,
    )


def _cited(record: Mapping[str, Any], place: str) -> tuple[tuple[float, ...], ...] | None:
    """Return the worth of each judged citation of each sentence; None where none was judged.

    Sentences with citations of which none was judged are left out.
    """
    answer = record.get("answer")
    of = answer if isinstance(answer, list | tuple) else []
    if not any(isinstance(sentence, Mapping) and "support" in sentence for sentence in of):
        return () if answer == [] else None
    found = []
    for number, sentence in enumerate(of, 1):
        given: Any = sentence.get("support", []) if isinstance(sentence, Mapping) else None
        try:
            judged = tuple(SUPPORTS[label] for label in given if label is not None)
        except (TypeError, KeyError):
            raise InputError(
                f"the support of sentence {number} is {json.dumps(given)[:60]}",
                place=place,
                expected=f"a list of what each citation gives: {', '.join(SUPPORTS)}, or null",
            ) from None
        if judged or not given:
            found.append(judged)
    return tuple(found)


def _measures(answers: Sequence[Answer], beta: float) -> list[Measure]:
    """Return the measures of what all answers of all runs have."""
    with_nuggets = all(answer.counts is not None for answer in answers)
    with_text = with_nuggets and all(answer.length is not None for answer in answers)
    asked = [BY_NUGGETS] * with_nuggets
    asked += [f"nugget_precision nugget_f_score(beta={beta!r})"] * with_text
    asked += [BY_CITATIONS] * all(answer.cited is not None for answer in answers)
    if not asked:
        raise UsageError(
            "some answers have no nuggets, and some no judged citations",
            expected="nuggets for all answers, or the support of their citations for all",
        )
    return [named.measure for named in parse_measures(" ".join(asked))]


def _scored(
    name: str,
    answers: Sequence[Answer],
    measures: Sequence[Measure],
    qrels: QrelsFacts,
    every: Sequence[str],
) -> RunResult:
    """Return the scores of a run; `every` are the topics of all runs."""
    topics = tuple(answer.topic for answer in answers)
    counts = {NUGGETS: _nugget_counts(answers), SUPPORT: _support_counts(answers)}
    scores = []
    for measure in measures:
        (need,) = measure.definition.needs
        values = measure.definition.function(counts[need], **measure.parameters)
        signature = f"rankeval:{__version__}|{measure}|qrels:{qrels.digest}"
        facts: Any = {"aggregate": statistics.mean(values.tolist()), "rule": "mean", "loss": False}
        facts |= {"signature": signature, "topics": topics}
        scores.append(Score(str(measure), str(measure), values, **facts))
    lacking = tuple(topic for topic in every if topic not in {*topics})
    notices = tuple(_warnings(answers, every, lacking))
    return RunResult(name, "", topics, tuple(scores), warnings=notices, missing=lacking)


def _nugget_counts(answers: Sequence[Answer]) -> NuggetCounts:
    counts = np.array([answer.counts or ((0, 0, 0),) * 3 for answer in answers], dtype=np.float64)
    length = np.array([answer.length for answer in answers], dtype=np.float64)
    return NuggetCounts(counts[:, 0], counts[:, 1], counts[:, 2], length)


def _support_counts(answers: Sequence[Answer]) -> SupportCounts:
    """Count the sentences of answers and what their citations are worth."""
    every = [answer.cited or () for answer in answers]
    of_sentence = (lambda _: 1, bool, len, sum, lambda worth: max(worth, default=0.0))
    found = [[sum(map(of, sentences)) for sentences in every] for of in of_sentence]
    return SupportCounts(*np.array(found, dtype=np.float64))


def _warnings(
    answers: Sequence[Answer], every: Sequence[str], lacking: Sequence[str]
) -> Iterator[Notice]:
    if unknown := [label for answer in answers for label in answer.unknown]:
        labels, kinds = count(len(unknown), "label"), listed([*dict.fromkeys(unknown)])
        yield Notice(f"{labels} of nuggets not known, which count as none: {kinds}")
    if lacking:
        of = f"{len(lacking):,} of {count(len(every), 'topic')}"
        yield Notice(f"the run lacks {of}, which are not in its means: {listed(lacking)}")

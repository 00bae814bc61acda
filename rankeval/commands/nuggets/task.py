"""Score answers by the nuggets that they support, as TREC's tracks do."""

from __future__ import annotations

import os
import statistics
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np

from rankeval.base.arrays import Floats
from rankeval.base.checked import checked
from rankeval.base.dicts import seal
from rankeval.base.frozen import frozen
from rankeval.base.wording import count as counted
from rankeval.base.wording import listed
from rankeval.base.wording import number as number_text
from rankeval.choices import ALL
from rankeval.commands.nuggets.nugget_lines import (
    ASSIGNMENTS,
    FAILED,
    IMPORTANCES,
    AssignedNuggets,
    nuggets_of,
    read_nuggets,
)
from rankeval.errors import UsageError
from rankeval.evaluation.prepared import facts_of, judgments_of
from rankeval.evaluation.results import QrelsFacts
from rankeval.evaluation.run_names import BY_TAG, RunNames
from rankeval.io.sources.blocks import display_name
from rankeval.io.sources.parts import one_state
from rankeval.measures.answers import (
    BETA,
    NuggetCounts,
    SupportCounts,
    all_score,
    nugget_f_score,
    nugget_precision,
    sentence_coverage,
    strict_all_score,
    strict_vital_score,
    strict_weighted_score,
    support_precision,
    support_recall,
    vital_score,
    weighted_score,
)
from rankeval.output.declared_columns import (
    Declared,
    Row,
    TopicName,
    count,
    name,
    number,
    table,
    topic,
)
from rankeval.output.output_formats import Printer
from rankeval.output.shown import InPapers
from rankeval.output.style import Style
from rankeval.output.tables import Block
from rankeval.ranking.run_source import refuse_stdin_twice

NuggetRecords = Iterable[Mapping[str, Any]]
"""Dictionaries {"qid": topic, "nuggets": [{"importance": ..., "assignment": ...}]}."""

NuggetsLike = str | os.PathLike[str] | NuggetRecords
"""The nuggets assigned to the answers of one run: a file of JSON Lines, or its records."""

SCORES: Mapping[str, Callable[[NuggetCounts], Floats]] = {
    "strict_vital_score": strict_vital_score,
    "strict_all_score": strict_all_score,
    "vital_score": vital_score,
    "all_score": all_score,
    "strict_weighted_score": strict_weighted_score,
    "weighted_score": weighted_score,
}
SUPPORT_SCORES: Mapping[str, Callable[[SupportCounts], Floats]] = {
    "support_precision": support_precision,
    "support_recall": support_recall,
    "sentence_coverage": sentence_coverage,
}
NO_QRELS = QrelsFacts("", 0, 0, "")


@frozen
class NuggetTopic:
    """The scores of one answer, and the numbers of its nuggets."""

    topic: str
    vital: int
    nuggets: int
    scores: Mapping[str, float]

    def __post_init__(self) -> None:
        seal(self)


@frozen
class NuggetRun:
    """The scores of a run: of each topic, and their means over topics."""

    name: str
    path: str
    scores: Mapping[str, float]
    topics: tuple[NuggetTopic, ...]

    def __post_init__(self) -> None:
        seal(self)


@frozen
class NuggetReport(InPapers):
    """The scores of some runs; `beta` is the weight of recall in F.

    `qrels` are the nuggets as judgments: vital ones of grade 2, okay ones of 1, others of 0.
    """

    runs: tuple[NuggetRun, ...]
    beta: float
    warnings: tuple[str, ...] = ()
    qrels: QrelsFacts = NO_QRELS

    __repr__ = InPapers.__repr__


@checked
@one_state()
def nuggets(
    files: NuggetsLike | Sequence[NuggetsLike] | Mapping[str, NuggetsLike],
    *,
    beta: float = BETA,
    run_names: RunNames = BY_TAG,
) -> NuggetReport:
    r"""Score answers by the nuggets that they support.

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

    with the strict vital score as recall R. Scores of a run are means over its topics.

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
    >>> nuggets([answers]).runs[0].scores["vital_score"]
    0.75
    """
    if not 0 < beta < float("inf"):
        raise UsageError(f"beta cannot be {beta}", expected="a number above 0")
    every, named = _listed(files)
    if not every:
        raise UsageError("no nuggets to score", expected="one file or more")
    if named is not None:
        run_names = RunNames(run_names.rule, named)
    paths = [os.fspath(one) if isinstance(one, str | os.PathLike) else "" for one in every]
    refuse_stdin_twice(*filter(None, paths))
    found = [
        read_nuggets(path) if path else nuggets_of(cast("NuggetRecords", one))
        for path, one in zip(paths, every, strict=True)
    ]
    names = run_names.names([_tag(answers) for answers in found], paths)
    scored = _scores(found, beta)
    runs = tuple(map(_run, names, paths, found, scored))
    judged: dict[str, dict[str, int]] = {}
    for answers in found:
        for answer in answers:
            if answer.judged:
                judged.setdefault(answer.topic, {}).update(answer.judged)
    qrels = NO_QRELS
    if judged:
        qrels = replace(facts_of(judgments_of(judged)), path=next(filter(None, paths), ""))
    return NuggetReport(runs, beta, tuple(_warnings(runs, found)), qrels)


def _listed(
    files: NuggetsLike | Sequence[NuggetsLike] | Mapping[str, NuggetsLike],
) -> tuple[list[Any], Sequence[str] | None]:
    """Return the assignments of each run, and their names if they are given."""
    if isinstance(files, str | os.PathLike):
        return [files], None
    if isinstance(files, Mapping):
        return [*files.values()], [*map(str, files)]
    every = [*files]
    return [every] if every and isinstance(every[0], Mapping) else every, None


def _tag(answers: Sequence[AssignedNuggets]) -> str:
    """Return the name that all answers give their run, or ""."""
    names = {answer.run for answer in answers}
    return names.pop() if len(names) == 1 else ""


def _scores(runs: Sequence[Sequence[AssignedNuggets]], beta: float) -> Iterator[dict[str, Floats]]:
    """Yield the scores of the answers of each run, by what all answers of all runs have."""
    every = [answer for answers in runs for answer in answers]
    counted = all(answer.counts is not None for answer in every)
    cited = all(answer.cited is not None for answer in every)
    if not (counted or cited):
        raise UsageError(
            "some answers have no nuggets, and some no judged citations",
            expected="nuggets for all answers, or the support of their citations for all",
        )
    for answers in runs:
        counts = _counts(answers)
        found = {score: of(counts) for score, of in SCORES.items()} if counted else {}
        if counted and all(answer.length is not None for answer in every):
            found["precision"] = nugget_precision(counts)
            found["f_score"] = nugget_f_score(counts, beta=beta)
        if cited:
            support = _support(answers)
            found |= {score: of(support) for score, of in SUPPORT_SCORES.items()}
        yield found


def _run(
    name: str, path: str, answers: Sequence[AssignedNuggets], values: Mapping[str, Floats]
) -> NuggetRun:
    topics = []
    for at, answer in enumerate(answers):
        counts = answer.counts or {}
        vital = sum(times for (importance, _), times in counts.items() if importance == "vital")
        scores = {score: float(of_topics[at]) for score, of_topics in values.items()}
        topics.append(NuggetTopic(answer.topic, vital, sum(counts.values()), scores))
    means = {score: float(statistics.mean(found.tolist())) for score, found in values.items()}
    return NuggetRun(name, path, means, tuple(topics))


def _counts(answers: Sequence[AssignedNuggets]) -> NuggetCounts:
    """Count the nuggets of answers by importance and assignment."""

    def counted(*assigned: str) -> Floats:
        kinds = [[(one, label) for label in assigned] for one in (*IMPORTANCES, FAILED)]
        found = [[sum((a.counts or {}).get(k, 0) for k in kind) for kind in kinds] for a in answers]
        return np.array(found, dtype=np.float64)

    return NuggetCounts(
        number=counted(*ASSIGNMENTS, FAILED),
        supported=counted("support"),
        partly=counted("partial_support"),
        length=np.array([answer.length for answer in answers], dtype=np.float64),
    )


def _support(answers: Sequence[AssignedNuggets]) -> SupportCounts:
    """Count the sentences of answers and what their citations are worth."""
    found = [
        (
            len(sentences),
            sum(map(bool, sentences)),
            sum(map(len, sentences)),
            sum(map(sum, sentences)),
            sum(max(sentence, default=0.0) for sentence in sentences),
        )
        for sentences in (answer.cited or () for answer in answers)
    ]
    return SupportCounts(*np.array(found, dtype=np.float64).T)


def _warnings(
    runs: Sequence[NuggetRun], found: Sequence[Sequence[AssignedNuggets]]
) -> Iterator[str]:
    every = dict.fromkeys(topic.topic for run in runs for topic in run.topics)
    for run, answers in zip(runs, found, strict=True):
        where = display_name(run.path) if run.path else run.name
        counts = [answer.counts for answer in answers if answer.counts is not None]
        failed = sum(n for one in counts for key, n in one.items() if FAILED in key)
        if failed:
            unknown = dict.fromkeys(label for answer in answers for label in answer.unknown)
            labels = listed([label.encode() for label in unknown or [FAILED]])
            yield f"{where}: {counted(failed, 'nugget')} without a label that is known: {labels}"
        without = [
            topic.topic.encode()
            for topic, answer in zip(run.topics, answers, strict=True)
            if answer.counts is not None and not topic.vital
        ]
        if without:
            topics = counted(len(without), "topic")
            yield f"{where}: {topics} without vital nuggets: vital scores are 0 ({listed(without)})"
        there = {answer.topic for answer in answers}
        lacking = [topic.encode() for topic in every if topic not in there]
        if lacking:
            yield (
                f"{where} lacks {len(lacking):,} of {counted(len(every), 'topic')}, which are not "
                f"in its means: {listed(lacking)}"
            )


def _score_columns(run: NuggetRun, *, best: bool | None = None) -> list[Declared]:
    """Return a column for each score."""

    def of(score: str) -> Declared:
        return number(score, get=lambda one: one.scores[score], best=best)

    return list(map(of, run.scores))


def blocks(report: NuggetReport, style: Style) -> Iterator[Block]:
    """Yield which run is best, and a table of the runs or, with -q, of the topics of each."""
    first = report.runs[0]
    score = next((name for name in ("vital_score", *first.scores) if name in first.scores), "")
    best = max(report.runs, key=lambda run: run.scores[score])
    value = f"{score} {number_text(best.scores[score], style.decimals)}"
    topics = counted(len(best.topics), "topic")
    several = len(report.runs) > 1
    yield f"{best.name}{' scores highest' if several else ''}: {value} over {topics}."
    for run in report.runs if style.per_topic else ():
        columns = [topic("topic"), count("vital"), count("nuggets"), *_score_columns(run)]
        vital = sum(one.vital for one in run.topics)
        whole = NuggetTopic(ALL, vital, sum(one.nuggets for one in run.topics), run.scores)
        title = f"{run.name}, {counted(len(run.topics), 'topic')}"
        yield table(title, columns, [*run.topics, whole], style, footing=1, long=True)
    if not style.per_topic or len(report.runs) > 1:
        columns = [name("name", "run"), count("topics", get=lambda run: len(run.topics))]
        columns += _score_columns(first, best=True)
        title = "Scores by nuggets, means over topics"
        yield table(title, columns, report.runs, style, turned="score")
    if "f_score" in first.scores:
        yield f"f_score: F of precision and the strict vital score, beta = {report.beta:g}."


def rows(report: NuggetReport, style: Style) -> Iterator[Row]:
    """Yield the scores of each run, after those of its topics if they are wanted."""
    yield ["run", "topic", "score", "value"]
    for run in report.runs:
        for one in run.topics if style.per_topic else ():
            for score, value in one.scores.items():
                yield [run.name, TopicName(one.topic), score, value]
        for score, value in run.scores.items():
            yield [run.name, ALL, score, value]


PRINTER = Printer[NuggetReport](blocks, rows)

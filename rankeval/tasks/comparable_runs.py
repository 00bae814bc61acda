"""Runs that can stand side by side: the same measures, definitions, judgments and topics."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import numpy as np

from rankeval.alignment.inputs import QrelsLike, RunLike, refuse_stdin_twice
from rankeval.errors import InputError
from rankeval.evaluation.evaluate import asked_measures, judgments_of
from rankeval.evaluation.reading import Reading
from rankeval.evaluation.results import Notice, Results, RunResult, Score
from rankeval.evaluation.saved_results import results_of
from rankeval.evaluation.settings import Settings
from rankeval.evaluation.signature import changes
from rankeval.support.wording import count, listed

DEFAULT_MEASURES = "nDCG@10 AP"


def judgments_digest(run: RunResult) -> str:
    """The digest in the run's signatures."""
    return run.scores[0].signature.rpartition("|qrels:")[2]


def gathered(
    qrels: QrelsLike,
    files: Sequence[RunLike | Results],
    measures: str | Iterable[str] | None,
    settings: Settings,
    reading: Reading,
    scored: Callable[..., Results],
) -> list[RunResult]:
    """The runs of all files in their order, with the same measures and topics."""
    refuse_stdin_twice(qrels, *files)
    loaded = [results_of(file) for file in files]
    kept = [one for one in loaded if isinstance(one, Results)]
    fresh: list[RunLike] = [one for one in loaded if not isinstance(one, Results)]
    of_baseline = (
        list(dict.fromkeys(score.measure for score in loaded[0].runs[0].scores))
        if measures is None and isinstance(loaded[0], Results)
        else []
    )
    given = of_baseline or (DEFAULT_MEASURES if measures is None else measures)
    judgments = judgments_of(qrels, given, reading)
    asked, _ = asked_measures(given, judgments, settings)
    names = of_baseline or [str(named.measure) for named in asked]
    for one in kept:
        if one.qrels.digest != judgments.digest:
            raise InputError(
                f"stands on other judgments: digest {one.qrels.digest}, here {judgments.digest}",
                place=one.runs[0].path,
                remedy="evaluate the run again with these judgments",
            )
    evaluated = iter(scored(judgments, fresh, given).runs if fresh else ())
    runs = [
        run
        for one in loaded
        for run in (one.runs if isinstance(one, Results) else (next(evaluated),))
    ]
    if settings.topics == "both":
        runs = _over_common_topics(runs)
    first = _with_measures(runs[0], names)
    return _distinct([first, *(_beside(first, _with_measures(run, names)) for run in runs[1:])])


def _over_common_topics(runs: Sequence[RunResult]) -> list[RunResult]:
    """The runs over the topics that all of them have, and a notice of how many others there are."""
    common = set(runs[0].topics).intersection(*(run.topics for run in runs[1:]))
    every = set().union(*(run.topics for run in runs))
    if not common:
        raise InputError("no topic that all runs have", place=runs[0].path)
    if len(common) == len(every):
        return list(runs)
    left_out = count(len(every - common), "topic")
    notice = Notice(f"{left_out} that not all runs have, left out: {_named(every - common)}")
    return [
        replace(
            _over(run, [t for t in run.topics if t in common]), warnings=(*run.warnings, notice)
        )
        for run in runs
    ]


def _named(topics: set[str]) -> str:
    return listed([topic.encode("utf-8", "surrogateescape") for topic in sorted(topics)])


def _over(run: RunResult, topics: Sequence[str]) -> RunResult:
    """The run over these topics, in this order."""
    place = {topic: i for i, topic in enumerate(run.topics)}
    order = [place[topic] for topic in topics]
    scores = tuple(_picked(score, order, changed=len(order) < len(place)) for score in run.scores)
    return replace(run, topics=tuple(topics), scores=scores)


def _picked(score: Score, order: Sequence[int], *, changed: bool) -> Score:
    values = score.values[order]
    if not changed:
        return replace(score, values=values)
    of_all = np.nansum(values) if score.rule == "sum" else np.nanmean(values)
    return replace(score, values=values, aggregate=float(of_all))


def _with_measures(run: RunResult, names: Sequence[str]) -> RunResult:
    scores = {score.measure: score for score in run.scores}
    for name in names:
        if name not in scores:
            raise InputError(
                f"holds no values of {name}",
                place=run.path,
                expected=f"it among {', '.join(scores)}",
                remedy="evaluate the run again with -m, or name other measures",
            )
    return replace(run, scores=tuple(scores[name] for name in names))


def _beside(first: RunResult, run: RunResult) -> RunResult:
    """The run with its topics in the order of the first; InputError if it cannot stand there."""
    for one, other in zip(first.scores, run.scores, strict=True):
        differ = changes(one.signature, other.signature)
        if differ:
            listed = "; ".join(
                f"{c.name} is {c.before} for {first.name} and {c.after} for {run.name}"
                for c in differ
            )
            raise InputError(
                f"{one.measure} has another definition: {listed}",
                place=run.path,
                remedy="evaluate both in the same way",
            )
    if set(first.topics) != set(run.topics):
        raise InputError(
            f"has other topics than {first.name}: {len(set(run.topics) - set(first.topics))} that "
            f"it lacks, and {len(set(first.topics) - set(run.topics))} of its topics are not here",
            place=run.path,
            remedy="evaluate both over the same topics",
        )
    return _over(run, first.topics)


def _distinct(runs: Sequence[RunResult]) -> list[RunResult]:
    taken: set[str] = set()
    named = []
    for run in runs:
        name, number = run.name, 1
        while name in taken:
            number += 1
            name = f"{run.name} ({number})"
        taken.add(name)
        named.append(replace(run, name=name))
    return named

"""A baseline that was kept as values by topic: whether it still speaks of the same thing."""

from dataclasses import replace

from rankeval.errors import InputError
from rankeval.evaluation.results import Results, RunResult, Score
from rankeval.evaluation.signature import changes
from rankeval.support.wording import count

RENEW = "go back to what it was, or make a new baseline with --update-baseline"
NAMED = 3


def comparable_run(saved: Results, now: Results) -> RunResult:
    """The run of a saved evaluation, its topics and measures in the order of the results now.

    InputError says what has changed since: judgments, topics, or the definition of a measure.
    """
    run = _only_run(saved)
    current = now.runs[0]
    if saved.qrels.digest != now.qrels.digest:
        raise _changed(run, _judgments_changed(saved, now))
    scores = [_score(run, score.measure) for score in current.scores]
    for score, fresh in zip(scores, current.scores, strict=True):
        found = changes(score.signature, fresh.signature)
        if found:
            listed = "; ".join(map(str, found))
            raise _changed(run, f"{score.measure} is not what it was: {listed}")
        if score.rule != fresh.rule:
            raise _changed(run, f"{score.measure} was added up by {score.rule}, now {fresh.rule}")
    gone, new = set(run.topics) - set(current.topics), set(current.topics) - set(run.topics)
    if gone or new:
        raise _changed(
            run, f"the topics have changed: {_named(gone)} no more there, {_named(new)} new"
        )
    place = {topic: i for i, topic in enumerate(run.topics)}
    order = [place[topic] for topic in current.topics]
    return replace(
        run,
        topics=current.topics,
        scores=tuple(replace(score, values=score.values[order]) for score in scores),
    )


def _only_run(saved: Results) -> RunResult:
    if len(saved.runs) != 1:
        raise InputError(
            f"holds {len(saved.runs)} runs",
            place=saved.runs[0].path,
            expected="the one run that is the baseline",
        )
    return saved.runs[0]


def _score(run: RunResult, measure: str) -> Score:
    for score in run.scores:
        if score.measure == measure:
            return score
    raise InputError(
        f"holds no values of {measure}",
        place=run.path,
        expected=f"it among {', '.join(dict.fromkeys(score.measure for score in run.scores))}",
        remedy="make a new baseline with --update-baseline, or drop the rule",
    )


def _judgments_changed(saved: Results, now: Results) -> str:
    was, new = saved.qrels, now.qrels
    return (
        f"the judgments have changed: then {count(was.topics, 'topic')}, "
        f"{count(was.judgments, 'judgment')}, digest {was.digest}; now "
        f"{count(new.topics, 'topic')}, {count(new.judgments, 'judgment')}, digest {new.digest}"
    )


def _changed(run: RunResult, problem: str) -> InputError:
    return InputError(problem, place=run.path, remedy=RENEW)


def _named(topics: set[str]) -> str:
    some = ", ".join(sorted(topics)[:NAMED])
    more = len(topics) - NAMED
    return f"{some} and {more} more" if more > 0 else some or "none"

"""Check that a suite can be judged, without scoring."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import chain

from rankeval.base.frozen import frozen
from rankeval.base.wording import count
from rankeval.commands.gate.rules.measured_rules import (
    measured_rules,
    require_collection,
    require_golden,
    require_known_ties,
    require_test,
    rules_in_groups,
)
from rankeval.commands.gate.rules.rule import Rule
from rankeval.commands.gate.run_patterns import runs_of_system
from rankeval.commands.gate.sequence import read_sequence
from rankeval.commands.gate.suites.judged_suites import opened
from rankeval.commands.gate.suites.suite import Suite
from rankeval.errors import InputError
from rankeval.evaluation.comparable_runs import renewal, require_same_judgments
from rankeval.evaluation.prepared import asked_measures, facts_of, judgments_of, require_topics
from rankeval.evaluation.results import Results
from rankeval.evaluation.saved_results import results_of
from rankeval.io.sources.blocks import first_bytes, is_rereadable
from rankeval.io.sources.parts import STDIN, files_of
from rankeval.measures import parse_measures
from rankeval.ranking.qrels import Qrels


@frozen
class CheckedSuite:
    """A suite that can be judged: its name, and the numbers of rules, candidates and topics."""

    name: str
    rules: int
    candidates: int
    topics: int

    def __str__(self) -> str:
        """Say in one line that the suite is ready."""
        what = f"{count(self.rules, 'rule')} for {count(self.candidates, 'candidate')}"
        return f"{self.name or 'gate'}: ready: {what} over {count(self.topics, 'topic')}"


def check_suite(suite: Suite) -> CheckedSuite:
    r"""Check the files, measures and rules of a suite without scoring a run.

    The judgments and a saved baseline are read; of runs, the first bytes. InputError, MeasureError
    or UsageError for the first thing that is wrong: a file that is missing, empty or cannot be
    read, a baseline of other judgments or without a measure, a measure that does not exist, or a
    limit that no value can reach.

    >>> from pathlib import Path
    >>> from rankeval import check_suite, read_suite
    >>> _ = Path("qrels.txt").write_text("q1 0 d1 1\n")
    >>> _ = Path("old.run").write_text("q1 Q0 d1 1 0.5 old\n")
    >>> _ = Path("rankeval.toml").write_text(
    ...     "qrels = 'qrels.txt'\nbaseline = 'old.run'\nruns = ['old.run']\n"
    ...     "rules.max-drop = {'RR' = 0.1}\n"
    ... )
    >>> print(check_suite(read_suite()))
    gate: ready: 1 rule for 1 candidate over 1 topic
    """
    one = opened(suite)
    if suite.sequential is not None:
        read_sequence(suite.sequential, suite.decision().alpha)
    require_collection(suite.rules if suite.collections is None else (), "")
    checked = [_check_single(single, one.over) for single in one.singles]
    return CheckedSuite(
        suite.name,
        len(one.over) + sum(rules for rules, _ in checked),
        len(suite.files().runs),
        sum(topics for _, topics in checked),
    )


def _check_single(suite: Suite, over: Sequence[Rule]) -> tuple[int, int]:
    """Check what has one file of judgments; return the numbers of its own rules and its topics."""
    files, settings = suite.files(), suite.settings()
    own = measured_rules(suite.rules, settings) if suite.rules or not over else []
    rules = [*own, *(measured_rules(over, settings) if over else ())]
    groups = suite.groups()
    test = suite.decision().test
    require_golden([*suite.rules, *over], suite.golden)
    require_test(test, suite.rules, over, [files.baseline, *files.runs])
    names = " ".join([*(one.rule.measure for one in rules), *suite.measures])
    require_topics(parse_measures(names, settings.meanings))
    judgments = judgments_of(files.qrels, names, suite.reading())
    asked = asked_measures(names, judgments, settings)
    measures = [str(one.measure) for one in asked]
    if groups or any(one.rule.group for one in own):
        own = rules_in_groups(own, sorted(set(groups.by_topic.values())) if groups else [])
    drifts = [str(one.measure) for one in rules if one.kind.golden]
    if drifts and suite.golden is not None:
        _require_readable(suite.golden, judgments, drifts)
    for path in runs_of_system(files.baseline):
        _require_readable(path, judgments, measures)
    candidates = [*chain(*map(runs_of_system, files.runs))]
    require_known_ties(rules, [one for one in candidates if isinstance(results_of(one), Results)])
    for path in candidates:
        _require_readable(path, judgments, measures, "evaluate the run again, in the same way")
    return len(own), len(judgments.topics)


def _require_readable(path: str, judgments: Qrels, measures: list[str], remedy: str = "") -> None:
    """Raise InputError unless a run has data, or saved values are of these judgments.

    Without a remedy, the saved values are a baseline's.
    """
    saved = results_of(path)
    if isinstance(saved, Results):
        _require_usable(saved, judgments, measures, remedy)
    else:
        _require_data(path)


def _require_usable(saved: Results, judgments: Qrels, measures: list[str], remedy: str) -> None:
    """Raise InputError for saved values of other judgments, or without a measure."""
    now = facts_of(judgments)
    require_same_judgments(saved, now, remedy or renewal(saved, now, measures))
    run = saved.runs[0]
    held = {score.measure for score in run.scores}
    for name in measures:
        if name not in held:
            raise InputError(
                f"holds no values of {name}",
                place=run.path,
                expected=f"one of {', '.join(sorted(held))}",
                remedy=remedy or renewal(saved, now, measures, "drop the rule"),
            )


def _require_data(path: str) -> None:
    """Raise InputError unless the first bytes of a run can be read; leave pipes to their reader."""
    waits = path == STDIN or (os.path.exists(path) and not is_rereadable(path))  # noqa: PTH110  it takes any text; a Path does not
    if not waits and not any(first_bytes(one, 1) for one in files_of(path)):
        raise InputError("holds no data", place=path, expected="a run")

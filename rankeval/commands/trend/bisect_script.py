"""A script for `git bisect run`: find the commit between two nights at which a measure fell."""

from __future__ import annotations

import shlex

from rankeval.commands.trend.task import LevelChange, MeasureTrend, Trend
from rankeval.errors import UsageError, printable

SCRIPT = """\
#!/bin/sh
# {said}
# good: {good}
# bad:  {bad}
# RANK is the command that writes the candidate's run; without it, make. A commit at which it fails,
# or at which the gate cannot judge, is skipped.
set -eu
check=$(mktemp)
report=$(mktemp)
trap 'rm -f "$check" "$report"' EXIT
cat > "$check" <<'END'
sh -c "${{RANK:-make}}" || exit 125
rankeval gate --suite {suite} --{bound} {rule} --json "$1" > /dev/null
[ $? -le 1 ] || exit 125
python3 - "$1" {bound} {measure} {run} <<'PYTHON'
import json, sys
path, kind, measure, run = sys.argv[1:]
with open(path, encoding="utf-8") as report:
    rules = [one for one in json.load(report)["rules"] if one["kind"] == kind]
kept = [one["passed"] for one in rules if (one["measure"], one["run"]) == (measure, run)]
sys.exit(125 if not kept else not all(kept))
PYTHON
END
git bisect start {bad} {good}
git bisect run sh "$check" "$report"
git bisect reset
"""


def bisect_script(trend: Trend, suite: str) -> str:
    """Return the script for the measure of a suite that fell for good last.

    A commit is good where the mean is nearer to the level before the change than to the one after
    it. UsageError if nothing got worse for good, or if the two commits are not known.
    """
    found = [(series.changes[-1], series) for series in trend.series if _worse(series, suite)]
    if not found:
        raise UsageError(
            f"no measure of the suite '{suite}' got worse for good",
            place="--bisect",
            expected="a suite with a change that rankeval trend names",
        )
    change, series = max(found, key=lambda one: one[0].time)
    if not (change.commit and change.commit_before) or change.same_commit:
        known = "are the same" if change.same_commit else "are not known"
        raise UsageError(
            f"the commits of the two nights {known}", place="--bisect", expected="two commits"
        )
    return _script(series, change)


def _worse(series: MeasureTrend, suite: str) -> bool:
    worse = "rose" if series.loss else "fell"
    return series.suite == suite and series.role == "candidate" and series.state == worse


def _script(series: MeasureTrend, change: LevelChange) -> str:
    between = (change.before + change.after) / 2
    said = (
        f"{series.name} of {series.run} went from {change.before:.6g} to {change.after:.6g} "
        f"on {change.time.date()}"
    )
    return SCRIPT.format(
        said=printable(said),
        good=shlex.quote(change.commit_before),
        bad=shlex.quote(change.commit),
        suite=shlex.quote(series.suite),
        bound="max" if series.loss else "min",
        rule=shlex.quote(f"{series.name}={between!r}"),
        measure=shlex.quote(series.measure),
        run=shlex.quote(series.run),
    )

"""A hundred nights of three suites: what happens to names, baselines, judgments and the history.

Nothing breaks, and each event is said: a new file and tag, a rename, a promotion, new judgments, a
lost night, a repeated job, a line that was cut, and a merge.
"""

import json
import random
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from tests.support.files import qrels_of, run_of

pytestmark = pytest.mark.slow

NIGHTS = 100
TOPICS = [f"t{number:02}" for number in range(1, 61)]
FILE, RENAME, PROMOTION, JUDGMENTS, LOST, TWICE, CUT, MERGE = 20, 30, 40, 50, 60, 70, 80, 90
SUITES = """
[suite.recall.rules]
max-drop = { "R@2" = 0.9 }
[suite.rank.rules]
max-drop = { RR = 0.9 }
[suite.named.rules]
max-drop = { RR = 0.9 }
"""


def toml(path, name, aliases):
    shared = f'runs = [{{ path = "{path}", name = "{name}", aliases = {json.dumps(aliases)} }}]\n'
    return f'qrels = "qrels.txt"\nbaseline = "base.json"\n{shared}{SUITES}'


def run_of_night(night, tag):
    rng = np.random.default_rng(night)
    rankings = dict(zip(TOPICS, rng.choice(["r x y", "x r y"], len(TOPICS)), strict=True))
    return run_of(tag, **rankings)


class Clock(datetime):
    """The time at which a night's gate ends."""

    night = 0

    @classmethod
    def now(cls, _zone=None):
        return datetime(2026, 1, 1, 3, tzinfo=UTC) + timedelta(days=cls.night)


def a_year(shell, monkeypatch):
    """Gate every night, and return what promotion and others said."""
    said = {}
    folder = shell.path(".")
    monkeypatch.setattr("rankeval.commands.gate.reports.gate_history.datetime", Clock)
    history = folder / "h.jsonl"
    (folder / "qrels.txt").write_text(qrels_of(**dict.fromkeys(TOPICS, "r1 x0 y0")))
    (folder / "tonight.run").write_text(run_of_night(0, "first"))
    saved = ("-m", "RR R@2", "-q", "-o", "base.json")
    assert shell("eval", "qrels.txt", "tonight.run", *saved).code == 0
    path, name, aliases = "tonight.run", "prod", []
    for night in range(1, NIGHTS + 1):
        Clock.night = night
        monkeypatch.setenv("GITHUB_SHA", f"commit{night}")
        if night == FILE:
            path = "moved.run"
        if night == RENAME:
            name, aliases = "hybrid", ["prod"]
        (folder / "rankeval.toml").write_text(toml(path, name, aliases))
        (folder / path).write_text(run_of_night(night, f"tag{night}" if night > FILE else "x"))
        if night == JUDGMENTS:
            (folder / "production.run").write_text(run_of_night(PROMOTION, "production"))
            anew = dict.fromkeys(TOPICS[:9], "r0 x1 y0")
            judged = {**dict.fromkeys(TOPICS, "r1 x0 y0"), **anew}
            (folder / "qrels.txt").write_text(qrels_of(**judged))
            said["closed"] = shell("gate", "--all-suites")
            words = [f"{suite}=production.run" for suite in ("recall", "rank", "named")]
            said["judgments"] = shell("rebaseline", *words)
        if night == LOST:
            continue
        for _ in range(2 if night == TWICE else 1):
            assert shell("gate", "--all-suites", "--append", "h.jsonl").code == 0, night
        if night == PROMOTION:
            said["promotion"] = shell("promote")
        if night == CUT:
            history.write_bytes(history.read_bytes()[:-150])
        if night == MERGE:
            lines = history.read_text().splitlines(keepends=True)
            doubled = [*lines, *lines[-30:]]
            random.Random(0).shuffle(doubled)
            history.write_text("".join(doubled))
    return said


def test_what_happens_in_a_year_is_said_and_breaks_nothing(shell, monkeypatch):
    said = a_year(shell, monkeypatch)

    assert said["promotion"].code == 0
    assert "base.json: now holds the values of hybrid for" in said["promotion"].out
    assert said["closed"].code == 2
    assert "9 topics changed" in said["closed"].err
    assert said["judgments"].code == 0
    assert "topics changed: " in said["judgments"].out
    damaged = shell("trend", "h.jsonl")
    assert damaged.code == 2
    assert "--repair" in damaged.err
    repaired = shell("trend", "h.jsonl", "--repair", "-f", "json")
    assert repaired.code == 0
    assert "moved 1 damaged line to h.jsonl.dropped" in repaired.err
    assert "--join" not in repaired.err
    for suite in json.loads(repaired.out)["suites"]:
        assert_is_one_series(suite)
    shell.path("rankeval.toml").write_text(toml("moved.run", "hybrid", []))
    apart, joined = (shell("trend", "h.jsonl", *more) for more in ([], ["--join", "prod=hybrid"]))
    assert apart.err.count("the series of prod ends on 2026-01-30") == 3
    assert apart.err.count("--join 'prod=hybrid'") == 3
    assert "the series of prod" not in joined.err


def assert_is_one_series(suite):
    """One night was lost, and the line of another, of the suite that is judged last, was cut."""
    assert suite["nights"] == NIGHTS - 1 - (suite["suite"] == "named")
    (anew,) = suite["judged_anew"]
    assert anew.startswith("2026-02-20")  # the fiftieth day after January 1
    roles = [series["role"] for series in suite["series"]]
    assert roles == ["candidate", "baseline"] * (len(roles) // 2)
    assert {s["run"] for s in suite["series"] if s["role"] == "candidate"} == {"hybrid"}
    assert not any(series["changes"] for series in suite["series"])

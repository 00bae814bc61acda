"""Gate a made-up repository every night: 13 collections, 30 suites, and 60 nights.

    python -m benchmarks.nights [--nights N] [--jobs N]

Prints the seconds that the nights took, with JUnit, JSON, Markdown, a comment and a history each.

Every topic has one relevant document, so that RR is 1 over its rank, which `rank` tells. From the
night of the PROMOTION on, some topics are better, and the baselines are renewed that night. In the
nights of the REGRESSION, the hard topics of one collection are worse.
"""

import argparse
import contextlib
import io
import os
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

from rankeval.__main__ import run

COLLECTIONS = tuple(f"c{number:02}" for number in range(1, 14))
TOPICS, HARD = 30, 10
NIGHTS = 60
PROMOTION, REGRESSION, RECOVERY = 20, 35, 45
LOST = "c05"
"""The collection whose hard topics are worse for some nights."""
DEPTH = 6
SEEDS = 3
SUITES = 2 * len(COLLECTIONS) + 4
BROKEN = {
    LOST: ["max-drop RR in hard=0.15"],
    "beir": ["max-drop RR on worst collection=0.1"],
}
"""The rules that are broken while the regression lasts."""


def rank(night: int, collection: str, topic: int) -> int:
    """Return the rank of the relevant document of a topic in a night; 0 is the first baseline."""
    place = COLLECTIONS.index(collection)
    if collection == LOST and topic < HARD and REGRESSION <= night < RECOVERY:
        return DEPTH
    if night >= PROMOTION and topic >= TOPICS - 6:
        return 1
    if night and topic == HARD + (night * 7 + place) % 10:  # what changes every night
        return 3
    if night and topic == HARD + (night * 7 + place + 3) % 10:
        return 1
    return 2


def expected(night: int, collection: str, topics: Iterable[int] = range(TOPICS)) -> float:
    """Return the mean RR of a night over topics."""
    return mean(1 / rank(night, collection, topic) for topic in topics)


@dataclass(frozen=True)
class Repository:
    """Files of all suites, in a folder that is the working directory."""

    folder: Path

    def made(self) -> "Repository":
        """Write judgments, groups, suites, and the baselines of the night 0."""
        for name in ("qrels", "groups", "tonight", "baselines", "golden", "reports"):
            (self.folder / name).mkdir()
        for name in COLLECTIONS:
            lines = [f"{name}-{t} 0 r 1\n{name}-{t} 0 d1 0\n" for t in range(TOPICS)]
            (self.folder / "qrels" / f"{name}.txt").write_text("".join(lines))
            groups = [f"{name}-{t} {'hard' if t < HARD else 'easy'}\n" for t in range(TOPICS)]
            (self.folder / "groups" / f"{name}.txt").write_text("".join(groups))
        (self.folder / "beir.toml").write_text(
            'qrels = "qrels/{collection}.txt"\nruns = { dense = "tonight/{collection}.run" }\n'
            + "".join(f"[collection.{name}]\n" for name in COLLECTIONS)
        )
        (self.folder / "rankeval.toml").write_text("".join(_suites()))
        self.ranked(0)
        self.promoted()
        for name in COLLECTIONS:
            saved = (self.folder / "baselines" / f"{name}.json").read_text()
            (self.folder / "golden" / f"{name}.json").write_text(saved)
        return self

    def ranked(self, night: int) -> None:
        """Write the runs of a night."""
        for name in COLLECTIONS:
            text = "".join(_ranking(f"{name}-{t}", rank(night, name, t)) for t in range(TOPICS))
            (self.folder / "tonight" / f"{name}.run").write_text(text)
            if name == COLLECTIONS[0]:
                for seed in range(SEEDS):
                    (self.folder / "tonight" / f"{name}.seed{seed}.run").write_text(text)

    def promoted(self) -> None:
        """Make the runs of tonight the baseline of all suites."""
        with contextlib.redirect_stdout(io.StringIO()):
            assert run(["gate", "--suite", "beir", "--update-baseline", "--quiet"]) == 0

    def gated(self, *options: str) -> int:
        """Judge all suites, write every report, and return the exit code."""
        reports = ("--junit=reports/gate.xml", "--json=reports/gate.json")
        markdown = ("--comment=reports/comment.md", "-f", "markdown", "-o", "reports/gate.md")
        history = "--append=history.jsonl"
        return run(["gate", "--all-suites", *reports, *markdown, history, "--quiet", *options])


def _ranking(topic: str, place: int) -> str:
    documents = [f"d{number}" for number in range(1, DEPTH)]
    documents.insert(place - 1, "r")
    return "".join(f"{topic} Q0 {d} {i} {99 - i} t\n" for i, d in enumerate(documents, 1))


def _suites() -> Iterator[str]:
    for name in COLLECTIONS:
        files = f'qrels = "qrels/{name}.txt"\nbaseline = "baselines/{name}.json"\n'
        runs = f'runs = ["tonight/{name}.run"]\n'
        yield f'[suite.{name}]\n{files}{runs}group = "groups/{name}.txt"\n'
        yield 'rules.max-drop = { RR = 0.2, "RR in hard" = 0.15 }\n'
        yield f"[suite.{name}-floor]\n{files}{runs}"
        yield "rules.min = { RR = 0.35 }\nrules.max-topic-drop = { RR = 0.7 }\n"
    yield '[suite.beir]\ncollections = "beir.toml"\nbaseline = "baselines/{collection}.json"\n'
    yield 'runs = ["dense"]\n'
    yield 'rules.max-drop = { "RR on macro mean" = 0.02, "RR on worst collection" = 0.1 }\n'
    first, second, third = COLLECTIONS[:3]
    yield f'[suite.seeds]\nqrels = "qrels/{first}.txt"\nbaseline = "baselines/{first}.json"\n'
    yield f'runs = ["tonight/{first}.{{seed}}.run"]\nrules.max-drop.RR = 0.1\n'
    yield f'[suite.drift]\nqrels = "qrels/{second}.txt"\nbaseline = "baselines/{second}.json"\n'
    yield f'golden = "golden/{second}.json"\nruns = ["tonight/{second}.run"]\n'
    yield "rules.max-drift.RR = 0.1\n"
    yield f'[suite.line]\nqrels = "qrels/{third}.txt"\nbaseline = "baselines/{third}.json"\n'
    yield f'runs = ["tonight/{third}.run"]\nsequential = "line.json"\npolicy = "significant"\n'
    yield "rules.max-drop.RR = 0.05\n"


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the time of all nights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nights", type=int, default=NIGHTS)
    parser.add_argument("--jobs", type=int, default=0)
    given = parser.parse_args(arguments)
    options = ["--jobs", str(given.jobs)] if given.jobs else []
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        repository = Repository(Path(folder)).made()
        began, cpu = time.perf_counter(), sum(os.times()[:4])
        for night in range(1, given.nights + 1):
            repository.ranked(night)
            repository.gated(*options)
            if night == PROMOTION:
                repository.promoted()
        seconds, cpu = time.perf_counter() - began, sum(os.times()[:4]) - cpu
    print(f"{given.nights} nights of {SUITES} suites: {seconds:.1f} s, {cpu:.1f} s of processors")


if __name__ == "__main__":
    main()

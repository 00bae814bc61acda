"""Learn from judgments what the ranks of each run are worth."""

from collections.abc import Sequence

from rankeval.alignment.inputs import LoadedRun
from rankeval.alignment.qrels import Qrels
from rankeval.alignment.rules import Ties
from rankeval.evaluation.prepare import align_run
from rankeval.evaluation.reading import Reading
from rankeval.evaluation.score import refuse_duplicates
from rankeval.evaluation.settings import Settings
from rankeval.fusion.trained import Hits

RELEVANT = 1
"""The lowest grade that counts as relevant."""


def hits_of_runs(
    qrels: Qrels, runs: Sequence[str | LoadedRun], ties: Ties, reading: Reading, jobs: int
) -> list[Hits]:
    """Return the relevant documents that each run retrieved, for all judged topics."""
    return [_hits(qrels, run, ties, reading, jobs) for run in runs]


def _hits(qrels: Qrels, run: str | LoadedRun, ties: Ties, reading: Reading, jobs: int) -> Hits:
    settings = Settings(ties=ties)  # type: ignore[arg-type]  # the rules that need no grades
    alignment, path = align_run(qrels, run, settings, jobs, reading=reading)
    if alignment.duplicates and reading.duplicates == "refuse":
        refuse_duplicates(alignment, path or "run")
    judged = alignment.judged
    relevant = judged.grade >= RELEVANT
    return Hits(
        judged.topic[relevant],
        judged.rank[relevant],
        judged.retrieved,
        judged.count_judged(min_grade=RELEVANT),
    )

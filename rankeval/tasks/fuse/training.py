"""Learn from judgments what the ranks of each run are worth."""

from rankeval.alignment.qrels import Qrels
from rankeval.alignment.run_source import RunSource
from rankeval.evaluation.prepared import Prepared
from rankeval.evaluation.settings import Settings
from rankeval.fusion.trained import Hits
from rankeval.tasks.fuse.inputs import FusionInput

RELEVANT = 1
"""The lowest grade that counts as relevant."""


def hits_of_runs(qrels: Qrels, given: FusionInput) -> list[Hits]:
    """Return the relevant documents that each run retrieved, for all judged topics."""
    return [_hits(qrels, run, given) for run in given.runs]


def _hits(qrels: Qrels, run: RunSource, given: FusionInput) -> Hits:
    prepared = Prepared(qrels, settings=Settings(ties=given.ties), reading=given.reading)
    alignment, _ = prepared.align(run, given.jobs)
    judged = alignment.judged
    relevant = judged.grade >= RELEVANT
    return Hits(
        judged.topic[relevant],
        judged.rank[relevant],
        judged.retrieved,
        judged.count_judged(min_grade=RELEVANT),
    )

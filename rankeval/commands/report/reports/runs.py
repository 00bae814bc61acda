"""The runs of a report, each of which is read once for all that the report shows of its ranking."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from rankeval.base.frozen import frozen
from rankeval.evaluation.evaluate import results_of_each, results_of_runs, with_likely_reason
from rankeval.evaluation.prepared import CostsLike, Progress, asked_measures, prepare
from rankeval.evaluation.reading import Reading
from rankeval.evaluation.results import Results, RunResult
from rankeval.evaluation.run_names import RunNames
from rankeval.evaluation.score import score_run
from rankeval.evaluation.settings import Settings
from rankeval.ranking.align import Alignment
from rankeval.ranking.qrels import Qrels
from rankeval.ranking.run_source import RunSource


@frozen(eq=False)
class ReadRuns:
    """Runs after one reading: results for each list of measures, and ranks."""

    results: tuple[Results, ...]
    alignments: tuple[Alignment, ...]


def read_runs(
    judgments: Qrels,
    runs: Sequence[RunSource],
    lists: Iterable[Sequence[str]],
    settings: Settings,
    *,
    costs: CostsLike | None = None,
    reading: Reading,
    run_names: RunNames,
    jobs: int,
) -> ReadRuns:
    """Align each run once, and evaluate it for each list of measures.

    The warnings of results are about the measures of their list only.
    """
    every = [*lists]
    names = [name for of_list in every for name in of_list]
    together = prepare(judgments, names, settings, reading, costs=costs, as_given=True)
    prepared = [
        replace(together, asked=asked_measures(of_list, judgments, settings, as_given=True))
        for of_list in every
    ]

    def scored(
        run: RunSource, jobs: int, progress: Progress | None
    ) -> tuple[list[RunResult], Alignment]:
        alignment, path = together.align(run, jobs, progress)
        found = [
            with_likely_reason(score_run(of_list, alignment, path), of_list, alignment, run)
            for of_list in prepared
        ]
        return found, alignment

    found = results_of_each(scored, runs, jobs, None)
    results = tuple(
        results_of_runs(together, of_list, run_names)
        for of_list in zip(*(of_run for of_run, _ in found), strict=True)
    )
    return ReadRuns(results, tuple(alignment for _, alignment in found))

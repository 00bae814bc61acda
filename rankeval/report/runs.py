"""The runs of a report, each of which is read once for all that the report shows of its ranking."""

from collections.abc import Iterable, Sequence
from itertools import chain

from rankeval.alignment.align import Alignment
from rankeval.alignment.inputs import LoadedRun, RunLike
from rankeval.alignment.qrels import Qrels
from rankeval.evaluation.aggregation import aggregation
from rankeval.evaluation.evaluate import results_of_runs, with_likely_reason
from rankeval.evaluation.prepare import (
    CostsLike,
    Progress,
    align_run,
    asked_measures,
    extra_needs_of,
    facts_of,
)
from rankeval.evaluation.reading import Reading
from rankeval.evaluation.recommending import NOTHING_RECOMMENDED, refuse_without_unjudged
from rankeval.evaluation.results import Results, RunResult
from rankeval.evaluation.run_names import RunNames
from rankeval.evaluation.score import score_run
from rankeval.evaluation.settings import Settings
from rankeval.evaluation.several_runs import results_of_each
from rankeval.support.frozen import frozen


@frozen(eq=False)
class ReadRuns:
    """Runs after one reading: results for each list of measures, and ranks."""

    results: tuple[Results, ...]
    alignments: tuple[Alignment, ...]


def read_runs(
    judgments: Qrels,
    runs: Sequence[str | LoadedRun],
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
    asked = [asked_measures(names, judgments, settings, as_given=True)[0] for names in lists]
    for measures in asked:
        refuse_without_unjudged(measures, settings)
    needs = extra_needs_of([*chain(*asked)], costs, NOTHING_RECOMMENDED.facts, settings.depth)
    over_topics = aggregation(settings.aggregate, None, None)

    def scored(
        run: RunLike, jobs: int, progress: Progress | None
    ) -> tuple[list[RunResult], Alignment]:
        alignment, path = align_run(judgments, run, settings, jobs, progress, reading, needs)
        found = []
        for measures in asked:
            result = score_run(
                judgments,
                alignment,
                path,
                measures,
                settings,
                over_topics,
                reading=reading,
                cautious=True,
            )
            found.append(with_likely_reason(result, judgments, alignment, run, settings, reading))
        return found, alignment

    found = results_of_each(scored, runs, jobs, None)
    results = tuple(
        results_of_runs(facts_of(judgments), settings, over_topics, reading, of_list, run_names)
        for of_list in zip(*(of_run for of_run, _ in found), strict=True)
    )
    return ReadRuns(results, tuple(alignment for _, alignment in found))

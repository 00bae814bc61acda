"""Choose the topics to evaluate, and find the one that stops the evaluation."""

import numpy as np

from rankeval.ranking import RankedJudgments
from rankeval.support.arrays import Booleans, Integers
from rankeval.support.frozen import frozen
from rankeval.trec_eval.failure import BAD_TOPIC, NO_TOPIC, Failure, shown
from rankeval.trec_eval.flags import Options
from rankeval.trec_eval.judgment_files import Judgments
from rankeval.trec_eval.placeholder import with_placeholder
from rankeval.trec_eval.ranking import RankedRun
from rankeval.trec_eval.version import Version


@frozen(eq=False)
class Evaluated:
    """The topics to evaluate, in order.

    ======= ==============================================================================
    index   (T,) int64, their indices in the judgments
    judged  their rankings, cut at -M
    lacking (T,) marks topics that the run lacks; they are evaluated nevertheless
    n_all   number of topics in the file of judgments
    ======= ==============================================================================
    """

    index: Integers
    judged: RankedJudgments
    lacking: Booleans
    n_all: int

    def first(self, number: int) -> "Evaluated":
        """Return the first topics only."""
        chosen = np.arange(len(self.index)) < number
        return Evaluated(
            self.index[chosen], self.judged.select(chosen), self.lacking[chosen], self.n_all
        )


def chosen_topics(
    judgments: Judgments, ranking: RankedRun, options: Options, version: Version
) -> Evaluated:
    """Choose topics by the version's rules and the flags; Failure if none is left."""
    judged = ranking.alignment.judged
    lacking = judged.retrieved == 0
    chosen = np.ones(len(judged), dtype=bool)
    if options.only_topic is not None:
        chosen &= np.array([topic == options.only_topic for topic in judged.topics])
    if version.topics == "both":
        chosen &= ~lacking
    if not chosen.any():
        raise Failure(NO_TOPIC, "trec_eval: No queries with both results and relevance info")
    index = np.flatnonzero(chosen)
    rankings = judged.select(chosen)
    if lacking[index].any():
        rankings = with_placeholder(rankings, judgments.qrels, lacking[index], index)
    return Evaluated(index, rankings.truncated(options.depth), lacking[index], len(judged))


def stopped_by(
    evaluated: Evaluated,
    judgments: Judgments,
    ranking: RankedRun,
    options: Options,
    version: Version,
    *,
    needs_ranking: bytes | None,
) -> tuple[int, Failure | None]:
    """Return the number of topics before the first failure, and that failure, if any.

    `needs_ranking` is the first measure that needs the ranking; None if none does.
    """
    stops: list[tuple[int, Failure]] = []
    if not options.complete and evaluated.lacking.any():
        at = int(np.argmax(evaluated.lacking))
        topic = shown(evaluated.judged.topics[at])
        stops.append((at, _bad(f"result qid '{topic}' not found in qrels")))
    if needs_ranking is not None:
        unusable = judgments.unusable(evaluated.judged, evaluated.index, version)
        unusable |= ranking.twice[evaluated.index]
        if unusable.any():
            cause = _bad(f"Can't calculate measure '{shown(needs_ranking)}'")
            stops.append((int(np.argmax(unusable)), cause))
    return min(stops, key=lambda stop: stop[0], default=(len(evaluated.index), None))


def _bad(problem: str) -> Failure:
    return Failure(BAD_TOPIC, f"trec_eval: {problem}")

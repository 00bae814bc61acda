"""Choose the topics to evaluate, find the one that stops the evaluation, and the placeholder
document of version 10."""

from dataclasses import replace

import numpy as np

from rankeval.base.arrays import Booleans, Floats, Integers
from rankeval.base.frozen import frozen
from rankeval.ranking import RankedJudgments
from rankeval.ranking.qrels import Qrels
from rankeval.trec_eval.flags import Options
from rankeval.trec_eval.judgment_files import Judgments
from rankeval.trec_eval.tool_ranking import RankedRun
from rankeval.trec_eval.tool_version import BAD_TOPIC, NO_TOPIC, Failure, Version, shown

PLACEHOLDER = b"ceci_nest_pas_un_docno"
"""Docno of the placeholder."""

CLEARED = frozenset({b"num_ret", b"utility", b"rbp_resid"})
CLEARED_PREFIX = b"unj"
CLEARED_TEXT = b"relstring"
"""Printed names whose values are 0, or empty, for such a topic; names with parameters differ."""


def with_placeholder(
    judged: RankedJudgments, qrels: Qrels, lacking: Booleans, topic: Integers
) -> RankedJudgments:
    """Retrieve the placeholder for the lacking topics; `topic` has their indices in the qrels.

    The placeholder may be judged, like any document.
    """
    retrieved = np.where(lacking, 1, judged.retrieved)
    docno = qrels.docnos.plain.get(PLACEHOLDER, -1)
    found = qrels.find(topic, np.full(len(topic), docno))
    new = np.flatnonzero(lacking & (found >= 0))
    ones = np.ones(len(new), dtype=np.int64)
    order = np.argsort(np.concatenate((judged.topic, new)), kind="stable")
    sizes = np.diff(judged.offsets) + np.bincount(new, minlength=len(judged))
    judgment = np.concatenate((judged.judgment, found[new]))[order]
    return replace(
        judged,
        retrieved=retrieved,
        offsets=np.concatenate(([0], np.cumsum(sizes))),
        rank=np.concatenate((judged.rank, ones))[order],
        grade=qrels.grade[judgment],
        judgment=judgment,
        score=np.concatenate((judged.score, ones.astype(float)))[order],
        tie_first=np.concatenate((judged.tie_first, ones))[order],
        tie_last=np.concatenate((judged.tie_last, ones))[order],
    )


def cleared(name: bytes, values: Floats | list[bytes], lacking: Booleans) -> Floats | list[bytes]:
    """Clear the values that the placeholder gave to lacking topics."""
    if isinstance(values, list):
        if name != CLEARED_TEXT:
            return values
        return [b"''" if gone else v for v, gone in zip(values, lacking.tolist(), strict=True)]
    if name in CLEARED or name.startswith(CLEARED_PREFIX):
        return np.where(lacking, 0.0, values)
    return values


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
        topics = evaluated.judged.topics
        if ranking.twice:
            unusable |= np.array([topic in ranking.twice for topic in topics], dtype=bool)
        if unusable.any():
            at = int(np.argmax(unusable))
            cause = _bad(f"Can't calculate measure '{shown(needs_ranking)}'")
            said = _duplicates(topics[at], judgments, ranking, options)
            stops.append((at, Failure(BAD_TOPIC, said + cause.message) if said else cause))
    return min(stops, key=lambda stop: stop[0], default=(len(evaluated.index), None))


def _duplicates(topic: bytes, judgments: Judgments, ranking: RankedRun, options: Options) -> str:
    """Return trec_eval's line on a topic's first document by name that is there twice, or ""."""
    if topic in ranking.twice:
        preferences = options.rel_format in (b"prefs", b"qrels_prefs")
        place, docno = (
            "form_prefs_counts" if preferences else "form_res_qrels",
            ranking.twice[topic],
        )
    elif topic in judgments.repeated:
        place, docno = "form_res_rels", judgments.repeated[topic]
    else:
        return ""
    return f"trec_eval.{place}: duplicate docs {shown(docno)}\n"


def _bad(problem: str) -> Failure:
    return Failure(BAD_TOPIC, f"trec_eval: {problem}")

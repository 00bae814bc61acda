"""The grades that several judges together point to, and how each of them errs."""

from collections.abc import Mapping, Sequence

import numpy as np

from rankeval.base.dicts import seal
from rankeval.base.frozen import frozen
from rankeval.commands.judges.judge_agreement import JudgedPairs
from rankeval.io.parsers.columns import Columns
from rankeval.io.parsers.plain_parser import PlainDocnos
from rankeval.io.write import format_for, write
from rankeval.stats.judge_errors import dawid_skene

ByGrade = Mapping[float, float]


@frozen(eq=False)
class JudgesConsensus:
    """The most probable grade of each document by all judges, and the errors of each.

    ========== =======================================================================
    prevalence share of each grade
    confusion  by judge, where the true grade is this one (first), the probability that
               the judge gives that one
    lines      topic, docno and most probable grade, as lines of judgments
    ========== =======================================================================
    """

    prevalence: ByGrade
    confusion: Mapping[str, Mapping[float, ByGrade]]
    lines: Columns

    def __post_init__(self) -> None:
        seal(self)

    def write(self, path: str) -> None:
        """Write the judgments to a file, in TREC's format or that of its suffix."""
        write(path, format_for(path, None), "qrels", iter([self.lines]))


def consensus_of(pairs: JudgedPairs, names: Sequence[str]) -> JudgesConsensus:
    """Return the consensus of three judges or more, by Dawid and Skene's model."""
    found = dawid_skene(pairs.grades)
    grades = found.categories.tolist()
    kept, starts = np.unique(pairs.topic, return_index=True)
    lines = Columns(
        tuple(pairs.topics[topic] for topic in kept.tolist()),
        np.append(starts, len(pairs.topic)).astype(np.int64),
        PlainDocnos([pairs.docnos[docno] for docno in pairs.docno.tolist()]),
        found.grades,
        range(1, len(pairs.topic) + 1),
    )
    confusion = {
        name: {
            true: dict(zip(grades, given, strict=True))
            for true, given in zip(grades, matrix, strict=True)
        }
        for name, matrix in zip(names, found.confusion.tolist(), strict=True)
    }
    return JudgesConsensus(
        dict(zip(grades, found.prevalence.tolist(), strict=True)), confusion, lines
    )

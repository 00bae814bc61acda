"""Judgment groups (`-R qrels_jg`), over which measures average, and z-scores of values (`-Z`).

Each group of a topic is treated as a topic of its own over the same ranking, so the measures
are those of `-R qrels`.
"""

import os
from bisect import bisect_left
from collections.abc import Callable, Mapping
from dataclasses import field, replace
from itertools import pairwise
from typing import Any

import numpy as np

from rankeval.base.arrays import Booleans, Floats, Integers
from rankeval.base.frozen import frozen
from rankeval.errors import printable
from rankeval.ranking import Ideal, RankedJudgments
from rankeval.ranking.qrels import Qrels
from rankeval.ranking.rank import Ties
from rankeval.trec_eval import tool_measures as binary
from rankeval.trec_eval.evaluated_run import Evaluation
from rankeval.trec_eval.flags import Options
from rankeval.trec_eval.judgment_files import fields_of_lines, qrels_of
from rankeval.trec_eval.tool_files import cannot_read, malformed, read_text
from rankeval.trec_eval.tool_output import integer, real
from rankeval.trec_eval.tool_version import BAD_INPUT, BAD_ZSCORES, Failure, Version, shown

UNKNOWN = -1000000.0
"""The score of a value without a mean in the file, or off the mean at a deviation of 0."""

N_FIELDS = 4

Key = tuple[bytes, bytes]


@frozen
class ZScores:
    """Mean and standard deviation by topic and measure, sorted by both."""

    keys: tuple[Key, ...]
    moments: tuple[tuple[float, float], ...]

    def standardized(self, values: Floats, topics: tuple[bytes, ...], measure: bytes) -> Floats:
        """Return the standard scores of a measure's values."""
        return np.array(
            [
                self._score(topic, measure, value)
                for topic, value in zip(topics, values.tolist(), strict=True)
            ]
        )

    def _score(self, topic: bytes, measure: bytes, value: float) -> float:
        at = self._find(topic, measure)
        if at is None:
            return UNKNOWN
        mean, deviation = self.moments[at]
        if deviation == 0:
            return 0.0 if value == mean else UNKNOWN
        return (value - mean) / deviation

    def _find(self, topic: bytes, measure: bytes) -> int | None:
        """Return the index of a topic and measure, or None.

        trec_eval reads one line too far: after the measures of a topic it may find the first one
        of the next topic.
        """
        at = bisect_left(self.keys, (topic, measure))
        if at < len(self.keys) and self.keys[at] == (topic, measure):
            return at
        follows = 0 < at < len(self.keys) and self.keys[at - 1][0] == topic
        return at if follows and self.keys[at][1] == measure else None


def read_zscores(path: bytes, version: Version) -> ZScores:
    """Read lines of topic, measure, mean and deviation; Failure for a wrong file."""
    reader = version.zscores_reader
    text = read_text(path)
    if text is None:
        raise cannot_read(path, reader, "zscores", BAD_ZSCORES)
    moments: dict[Key, tuple[float, float]] = {}
    for number, line in enumerate(text.split(b"\n")[:-1], 1):
        fields = line.split()
        if len(fields) != N_FIELDS:
            raise malformed(path, reader, number, BAD_ZSCORES)
        moments.setdefault((fields[0], fields[1]), (real(fields[2]), real(fields[3])))
    keys = tuple(sorted(moments))
    return ZScores(keys, tuple(moments[key] for key in keys))


_READER = "get_qrels_jg"


@frozen(eq=False)
class GroupsFile:
    """Judgments by topic and group, M lines sorted by both, and G groups.

    ============ ============ ==========================================================
    qrels                     the documents that any group of a topic has judged
    group_topic  (G,) int64   the topic of each group
    line_group   (M,) int64   the group of each line
    judgment     (M,) int64   the index in `qrels` of the line's topic and document
    level        (M,) int64   its level
    ============ ============ ==========================================================
    """

    qrels: Qrels
    group_topic: Integers
    line_group: Integers
    judgment: Integers
    level: Integers
    ties: Ties = "docno"
    repeated: Mapping[bytes, bytes] = field(default_factory=dict)
    n_positive: int = 0

    def view(
        self, judged: RankedJudgments, chosen: Integers, options: Options, version: Version
    ) -> "GroupEvaluation":
        """Return the groups of the chosen topics."""
        groups = np.flatnonzero(np.isin(self.group_topic, chosen))
        topic = np.searchsorted(chosen, self.group_topic[groups])
        ranked = self._by_group(judged, groups, topic)
        ranked = ranked.condensed if options.judged_only else ranked
        inner = Evaluation(ranked, options.level, options.collection_size, version)
        return GroupEvaluation(inner, topic, len(judged))

    def _by_group(
        self, judged: RankedJudgments, groups: Integers, topic: Integers
    ) -> RankedJudgments:
        """Return the rankings once per group, with the judgments of that group."""
        lines = np.flatnonzero(np.isin(self.line_group, groups))
        group = np.searchsorted(groups, self.line_group[lines])
        rank_of = np.zeros(len(self.qrels.docno), dtype=np.int64)
        rank_of[judged.judgment] = judged.rank
        rank = rank_of[self.judgment[lines]]
        level = self.level[lines]
        ideal = np.lexsort((-level, group))
        retrieved = np.flatnonzero(rank > 0)
        rows = retrieved[np.lexsort((rank[retrieved], group[retrieved]))]
        bounds = np.arange(len(groups) + 1)
        return replace(
            judged,
            topics=tuple(b"%d" % number for number in groups.tolist()),
            retrieved=judged.retrieved[topic],
            offsets=np.searchsorted(group[rows], bounds),
            rank=rank[rows],
            grade=level[rows],
            judgment=lines[rows],
            score=np.zeros(len(rows)),
            tie_first=rank[rows],
            tie_last=rank[rows],
            ideal=Ideal(np.searchsorted(group, bounds), level[ideal]),
        )

    def unusable(self, judged: RankedJudgments, _chosen: Integers, _version: Version) -> Booleans:
        """Return no mark: every topic can be evaluated."""
        return np.zeros(len(judged), dtype=bool)


@frozen(eq=False)
class GroupEvaluation:
    """The groups of the evaluated topics, each as a topic of its own, and their topics."""

    groups: Evaluation
    topic: Integers
    n_topics: int

    def average(self, values: Floats) -> Floats:
        """Return the mean over the groups of each topic, added up in the order of their names."""
        sums = np.bincount(self.topic, weights=values, minlength=self.n_topics)
        return sums / np.bincount(self.topic, minlength=self.n_topics)


MEASURES: Mapping[bytes, Callable[[Evaluation, Any], Floats]] = {
    b"map_avgjg": binary.mean_average_precision,
    b"P_avgjg": binary.p_at,
    b"Rprec_mult_avgjg": binary.rprec_mult,
}
"""The values of groups, by the name of the measure that averages them."""


def read_groups_file(path: bytes, version: Version) -> GroupsFile:
    """Read judgments by group; Failure for a wrong file."""
    lines = [
        (topic, group, docno, integer(level))
        for topic, group, docno, level in fields_of_lines(path, _READER, "qrels", 4, version)
    ]
    lines.sort()
    for one, next_one in pairwise(lines):
        if one[:3] == next_one[:3]:
            raise Failure(
                BAD_INPUT,
                f"trec_eval.{_READER}: duplicate docs {shown(one[2])}\n"
                f"trec_eval: Quit in file '{printable(os.fsdecode(path))}'",
            )
    documents = list(dict.fromkeys((topic, docno) for topic, _, docno, _ in lines))
    qrels = qrels_of(
        [topic for topic, _ in documents], [docno for _, docno in documents], [0] * len(documents)
    )
    groups = {key: number for number, key in enumerate(sorted({line[:2] for line in lines}))}
    topic = np.array([qrels.code[line[0]] for line in lines])
    docno = np.array([qrels.docnos.plain[line[2]] for line in lines])
    return GroupsFile(
        qrels=qrels,
        group_topic=np.array([qrels.code[name] for name, _ in groups]),
        line_group=np.array([groups[line[:2]] for line in lines]),
        judgment=qrels.find(topic, docno),
        level=np.array([line[3] for line in lines], dtype=np.int64),
    )

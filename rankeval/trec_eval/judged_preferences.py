"""Read preferences between documents (`-R prefs`, `-R qrels_prefs`), and number the documents.

The documents in a topic's preferences have numbers: those retrieved by rank, from 0, then the
others by name. A group of judgments has one subgroup, whose levels order its documents, or
several, whose orders are joined.
"""

import os
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from functools import cached_property

import numpy as np

from rankeval.base.arrays import Booleans, Integers
from rankeval.base.frozen import frozen
from rankeval.errors import printable
from rankeval.ranking import RankedJudgments
from rankeval.ranking.qrels import Qrels
from rankeval.ranking.rank import Ties
from rankeval.trec_eval.flags import Options
from rankeval.trec_eval.judgment_files import fields_of_lines, qrels_of
from rankeval.trec_eval.preference_pairs import (
    Chain,
    Closure,
    Group,
    Matrix,
    UnusableError,
)
from rankeval.trec_eval.tool_output import real
from rankeval.trec_eval.tool_ranking import single_precision
from rankeval.trec_eval.tool_version import BAD_INPUT, Failure, Version

Line = tuple[bytes, bytes, bytes, bytes, float]
"""Topic, group, subgroup, document and level."""


@frozen(eq=False)
class TopicPreferences:
    """The groups of a topic, with numbers for documents, the retrieved ones first."""

    groups: tuple[Group, ...]
    n_documents: int
    n_retrieved: int

    @cached_property
    def preferred(self) -> Matrix:
        """The number of groups that prefer one document to another; 16 bits, as in trec_eval."""
        matrix = np.zeros((self.n_documents, self.n_documents), dtype=np.uint16)
        for group in self.groups:
            group.add_to(matrix)
        return matrix


EvaluatedPreferences = Sequence[TopicPreferences]
"""The preferences of the evaluated topics."""


@frozen(eq=False)
class PreferencesFile:
    """Preferences by topic; `qrels` has the documents that they mention.

    `groups` has a list of groups for each topic; a group is a list of subgroups, and a subgroup a
    list of lines: the index of the document in `qrels`, and its level.
    """

    qrels: Qrels
    groups: tuple[list[list[list[tuple[int, float]]]], ...]
    ties: Ties = "docno-ascending"
    repeated: Mapping[bytes, bytes] = field(default_factory=dict)
    n_positive: int = 0

    def view(
        self, judged: RankedJudgments, chosen: Integers, _options: Options, _version: Version
    ) -> EvaluatedPreferences:
        """Return the chosen topics, with numbers for documents."""
        bounds = judged.offsets.tolist()
        return [
            self._topic(topic, judged.judgment[bounds[t] : bounds[t + 1]].tolist())
            for t, topic in enumerate(chosen.tolist())
        ]

    def unusable(self, judged: RankedJudgments, chosen: Integers, _version: Version) -> Booleans:
        """Mark the topics whose preferences contradict each other."""
        unusable = np.zeros(len(chosen), dtype=bool)
        bounds = judged.offsets.tolist()
        for t, topic in enumerate(chosen.tolist()):
            try:
                self._topic(topic, judged.judgment[bounds[t] : bounds[t + 1]].tolist())
            except UnusableError:
                unusable[t] = True
        return unusable

    def _topic(self, topic: int, retrieved: list[int]) -> TopicPreferences:
        retrieved = list(dict.fromkeys(retrieved))
        start, stop = self.qrels.offsets[topic : topic + 2].tolist()
        names, docno = self.qrels.docnos.names, self.qrels.docno.tolist()
        lacking = set(range(start, stop)).difference(retrieved)
        rest = sorted(lacking, key=lambda judgment: names[docno[judgment]])
        number = {judgment: n for n, judgment in enumerate([*retrieved, *rest])}
        groups: list[Group] = []
        for subgroups in self.groups[topic]:
            numbered = [[(number[j], level) for j, level in lines] for lines in subgroups]
            if len(numbered) == 1:
                groups.append(Chain.from_lines(numbered[0], len(retrieved)))
            else:
                groups.append(Closure.from_subgroups(numbered, len(number), len(retrieved)))
        return TopicPreferences(tuple(groups), len(number), len(retrieved))


def read_prefs_file(path: bytes, version: Version) -> PreferencesFile:
    """Read lines of topic, group, subgroup, document and level."""
    fields = fields_of_lines(path, "get_prefs", "prefs", 5, version)
    return _by_topic(path, ((t, g, s, d, real(level)) for t, g, s, d, level in fields), version)


def read_qrels_prefs_file(path: bytes, version: Version) -> PreferencesFile:
    """Read qrels as preferences; the second field is the group, which has one subgroup."""
    fields = fields_of_lines(path, "get_qrels_prefs", "qrels", 4, version)
    return _by_topic(path, ((t, g, b"", d, real(level)) for t, g, d, level in fields), version)


def _by_topic(path: bytes, lines: Iterable[Line], version: Version) -> PreferencesFile:
    lines = list(lines)
    if not lines:
        raise Failure(BAD_INPUT, f"trec_eval: Quit in file '{printable(os.fsdecode(path))}'")
    levels = np.array([line[4] for line in lines])
    if version.single_precision:
        levels = single_precision(levels)
    documents = list(dict.fromkeys((line[0], line[3]) for line in lines))
    qrels = qrels_of([t for t, _ in documents], [d for _, d in documents], [0] * len(documents))
    topic = np.array([qrels.code[line[0]] for line in lines])
    docno = np.array([qrels.docnos.plain[line[3]] for line in lines])
    judgment = qrels.find(topic, docno).tolist()
    topics: list[dict[bytes, dict[bytes, list[tuple[int, float]]]]] = [
        defaultdict(lambda: defaultdict(list)) for _ in qrels.topics
    ]
    for at, line, document, level in zip(
        topic.tolist(), lines, judgment, levels.tolist(), strict=True
    ):
        topics[at][line[1]][line[2]].append((document, level))
    return PreferencesFile(
        qrels,
        tuple(
            [[groups[g][s] for s in sorted(groups[g])] for g in sorted(groups)] for groups in topics
        ),
    )

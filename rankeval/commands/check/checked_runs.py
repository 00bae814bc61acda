"""Survey a run topic by topic, and keep only counts."""

from collections import Counter
from collections.abc import Callable, Iterable
from itertools import islice, pairwise

import numpy as np

from rankeval.base.arrays import Booleans, Floats, Integers
from rankeval.base.wording import NAMED, count, listed
from rankeval.commands.check.findings import FileReport, spread
from rankeval.commands.check.oddities import Misspelt, Spellings
from rankeval.evaluation.likely_mistakes import SAMPLE, likely_reason, unlike
from rankeval.io.parsers.columns import Columns, stretches
from rankeval.io.parsers.line_errors import Problems
from rankeval.measures import parse_measure
from rankeval.ranking import RankedJudgments
from rankeval.ranking.align import align_columns
from rankeval.ranking.chunks import CHUNK
from rankeval.ranking.duplicates import duplicate_lines, repeated
from rankeval.ranking.qrels import Qrels
from rankeval.ranking.rank import Rules
from rankeval.ranking.tie_orders import RELEVANT_FIRST, RELEVANT_LAST, TieOrder, with_ties_broken

CUTOFFS = (5, 10, 20, 100)
MEASURE = "nDCG@10"


class RunSurvey:
    """Counts over the topics of a run, which are added in parts of whole topics."""

    def __init__(self, path: str, qrels: Qrels | None, problems: Problems) -> None:
        self._path = path
        self._problems = problems
        self._sizes: list[Integers] = []
        self._tags: set[bytes] = set()
        self._topics_with: Counter[str] = Counter()
        self._tied = 0
        self._across: Counter[int] = Counter()
        self._spellings = Spellings()
        self._against = None if qrels is None else AgainstJudgments(path, qrels)

    def add(self, columns: Columns) -> None:
        """Count the content of some whole topics."""
        self._sizes.append(np.diff(columns.starts))
        self._tags |= columns.tags
        names = columns.docnos.tolist()
        distinct = set(names)
        self._spellings.add(distinct)
        self._topics_with["chunks"] += _with_chunks(columns, names)
        self._topics_with["self"] += _with_own_name(columns, names)
        self._topics_with["rising"] += _topics_of(columns, _signs(columns.values) > 0)
        self._topics_with["against"] += _against_ranks(columns)
        self._topics_with["zero"] += _ranks_from_0(columns)
        self._add_ties(columns)
        pairs = repeated(columns)
        self._problems.add(duplicate_lines(columns, pairs, self._path))
        if self._against is not None:
            self._against.add(columns, distinct)

    def _add_ties(self, columns: Columns) -> None:
        """Count documents with equal scores, and topics in which a tie spans a cutoff."""
        stretch = stretches(columns)
        order = np.lexsort((-columns.values, stretch))
        equal = (_signs(columns.values[order]) == 0) & (np.diff(stretch) == 0)
        self._tied += int(np.count_nonzero(np.append(equal, False) | np.append(False, equal)))
        for cutoff in CUTOFFS:
            last = columns.starts[:-1][np.diff(columns.starts) > cutoff] + cutoff - 1
            self._across[cutoff] += int(np.count_nonzero(equal[last]))

    @property
    def empty(self) -> bool:
        """Return True if no line was added."""
        return not self._sizes

    def complete(self, report: FileReport, again: Callable[[], Iterable[Columns]]) -> None:
        """Add the facts to the report; `again` reads the file once more."""
        sizes = np.concatenate(self._sizes)
        lines = int(sizes.sum())
        tags = sorted(self._tags)
        report.facts.update(
            lines=lines,
            topics=len(sizes),
            documents_per_topic=spread(sizes),
            tags=[tag.decode("utf-8", "backslashreplace") for tag in tags],
            tied_documents=self._tied / lines,
            topics_with_a_tie_across={str(cutoff): self._across[cutoff] for cutoff in CUTOFFS},
        )
        report.warnings.extend(self._spellings.warnings(again))
        if len(tags) > 1:
            report.warnings.append(f"{len(tags)} run tags: {listed(tags)}")
        for kind, sentence in _SENTENCES.items():
            if self._topics_with[kind]:
                report.warnings.append(sentence.format(count(self._topics_with[kind], "topic")))
        if self._tied:
            spans = self._across[10]
            across = f"; a tie spans rank 10 in {count(spans, 'topic')}" if spans else ""
            share = f"{self._tied / lines:.1%}"
            report.warnings.append(f"{share} of the documents have equal scores{across}")
        if self._against is not None:
            self._against.complete(report)


_SENTENCES = {
    "self": "a document named like its topic in {}: see --drop-self",
    "rising": "scores that rise down the file in {}",
    "against": "ranks that disagree with scores in {}",
    "zero": "ranks that begin with 0 in {}, where MS MARCO's begin with 1",
    "chunks": "docnos that look like chunks of one document in {}: "
    r"see --collapse '#.*' or --collapse '_p\d+$'",
}


def _signs(values: Floats) -> Integers:
    """Return 1 where a value rises, -1 where it falls, and 0 where it stays."""
    before, after = values[:-1], values[1:]
    return (after > before).astype(np.int64) - (after < before)


def _topics_of(columns: Columns, between: Booleans) -> int:
    """Count the topics in which a condition holds for two consecutive lines."""
    stretch = stretches(columns)
    same = stretch[1:] == stretch[:-1]
    return len(np.unique(stretch[1:][between & same]))


def _ranks_from_0(columns: Columns) -> int:
    """Count the topics whose ranks begin with 0 in MS MARCO's columns, which have no tags."""
    ranks = columns.kept.get("rank")
    if ranks is None or columns.tags:
        return 0
    return ranks.take(columns.starts[:-1]).tolist().count(b"0")


def _against_ranks(columns: Columns) -> int:
    """Count the topics whose ranks and scores order documents differently."""
    ranks = columns.kept.get("rank")
    if ranks is None:
        return 0
    try:
        rank = np.array([float(text) for text in ranks.tolist()])
    except ValueError:
        return len(columns.topics)
    return _topics_of(columns, _signs(rank) * _signs(columns.values) > 0)


def _with_own_name(columns: Columns, names: list[bytes]) -> int:
    """Count the topics that have retrieved a document of their own name."""
    bounds = zip(columns.topics, pairwise(columns.starts.tolist()), strict=True)
    return sum(topic in names[start:stop] for topic, (start, stop) in bounds)


def _with_chunks(columns: Columns, names: list[bytes]) -> int:
    """Count the topics with docnos that differ only by the number of a chunk."""
    topics = 0
    for start, stop in pairwise(columns.starts.tolist()):
        chunks = [CHUNK.sub(b"", name) for name in names[start:stop] if CHUNK.search(name)]
        topics += len(set(chunks)) < len(chunks)
    return topics


class AgainstJudgments:
    """Counts over a run that need the judgments it will be evaluated with."""

    def __init__(self, path: str, qrels: Qrels) -> None:
        self._path = path
        self._qrels = qrels
        self._misspelt = Misspelt(qrels.docnos.names)
        self._present = np.zeros(len(qrels.topics), dtype=bool)
        self._without: list[bytes] = []
        self._n_without = 0
        self._top: Counter[int] = Counter()
        self._judged: Counter[int] = Counter()
        self._first: list[bytes] = []
        self._any_judged = False
        self._low = np.zeros(len(qrels.topics))
        self._high = np.zeros(len(qrels.topics))

    def add(self, columns: Columns, docnos: Iterable[bytes]) -> None:
        """Count the content of some whole topics."""
        self._misspelt.add(docnos)
        self._first = self._first or list(islice(docnos, SAMPLE))
        aligned = align_columns(self._qrels, [columns], Rules(repeated="first"), self._path)
        self._n_without += len(aligned.without)
        self._without += aligned.without[: NAMED - len(self._without)]
        judged = aligned.judged
        self._any_judged |= bool(len(judged.rank))
        self._present |= judged.retrieved > 0
        for cutoff in CUTOFFS:
            self._top[cutoff] += int(np.minimum(judged.retrieved, cutoff).sum())
            self._judged[cutoff] += int(judged.count_per_topic(judged.rank <= cutoff).sum())
        self._low += _value(judged, RELEVANT_LAST)
        self._high += _value(judged, RELEVANT_FIRST)

    def complete(self, report: FileReport) -> None:
        """Add the facts to the report."""
        n_missing = int(np.count_nonzero(~self._present))
        report.facts.update(
            topics_without_judgments=self._n_without,
            judged_topics_missing=n_missing,
            unjudged_in_the_top={
                str(k): 1 - self._judged[k] / self._top[k] if self._top[k] else None
                for k in CUTOFFS
            },
            ndcg_at_10_over_tie_orders=[float(self._low.mean()), float(self._high.mean())],
        )
        if not self._present.any():
            report.wrong["no topic in common with the judgments"] = 1
            if how := unlike(self._without, self._qrels.topics):
                report.warnings.append(f"topics {how}")
        if self._n_without:
            more = [b""] * (self._n_without - len(self._without))
            report.warnings.append(
                f"{count(self._n_without, 'topic')} without judgments: "
                f"{listed([*self._without, *more])}"
            )
        if n_missing:
            missing = [
                topic
                for topic, there in zip(self._qrels.topics, self._present.tolist(), strict=True)
                if not there
            ]
            report.warnings.append(f"{count(n_missing, 'judged topic')} missing: {listed(missing)}")
        misspelt = self._misspelt.warnings()
        report.warnings.extend(misspelt)
        if self._present.any() and not self._any_judged and not misspelt:
            reason = likely_reason(self._qrels, sorted(self._first))
            report.warnings.append(f"no document of the run is judged: {reason}")


def _value(judged: RankedJudgments, order: TieOrder) -> Floats:
    """Return nDCG@10 of each topic, 0 for those in other parts, with ties broken."""
    return parse_measure(MEASURE).values(with_ties_broken(judged, order))

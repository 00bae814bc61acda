"""Draw a sample of a pool, and more documents that distinguish the runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256

import numpy as np

from rankeval.base.arrays import Floats, Integers, offsets_of, owner
from rankeval.base.frozen import frozen
from rankeval.base.wording import count, decoded
from rankeval.choices import SAMPLES
from rankeval.commands.fuse.fused_inputs import FusionInput
from rankeval.errors import UsageError
from rankeval.evaluation.sampled_measures import SAMPLED, SampledMeasure, sampled_measures
from rankeval.evaluation.settings import Settings
from rankeval.fusion.pooling import down_to
from rankeval.measures import MeasuresLike
from rankeval.ranking.document_samples import (
    NEW,
    DocumentSample,
    parts_of_sample,
    require_sample,
    sample_of,
    shown_path,
)
from rankeval.ranking.qrels import QrelsLike
from rankeval.ranking.side_by_side import Together, read_side_by_side
from rankeval.stats.document_sampling import (
    allocate,
    average_precision_prior,
    by_bands,
    cut,
    draw,
    rate_for,
)
from rankeval.stats.sampled_values import PRECISION, STAT_AP

LEVEL = 0.01
"""The weight of the runs' mean weights relative to their variance, so that all can be drawn."""

NOT_DRAWN = -1.0


@frozen(eq=False)
class Draw:
    """Settings of documents that are drawn at random from a pool.

    ======== ===================================================================
    sample   one of SAMPLES; None for no first sample
    next     number of documents to draw besides those of a sample; or None
    budget   documents of a topic at most, of a first sample
    seed     of the random numbers; None is 0
    measures those whose differences between the runs are to narrow; or None
    depth    ranks of each run that are drawn from; None is the whole ranking
    ======== ===================================================================
    """

    sample: str | None
    next: int | None
    budget: int | None
    seed: int | None
    measures: MeasuresLike | None
    depth: int | None

    @property
    def wanted(self) -> bool:
        """True if anything is to be drawn."""
        return self.sample is not None or self.next is not None

    def refuse_settings(self) -> None:
        """Raise UsageError for settings of draws where nothing is drawn."""
        for name, value in (("seed=", self.seed), ("measures=", self.measures)):
            if value is not None:
                raise UsageError(
                    f"{name} is for documents that are drawn", expected="sample= or next= with it"
                )

    def check(self, judged: QrelsLike | None, others: Mapping[str, object]) -> None:
        """Raise UsageError for settings that do not go together; `others` do not with any draw."""
        name = "sample=" if self.next is None else "next="
        refused = dict(others)
        if self.next is None:
            refused |= {"judged=": judged, "measures=": self.measures}
        else:
            refused |= {"sample=": self.sample, "budget=": self.budget}
        for other, value in refused.items():
            if value is not None:
                raise UsageError(
                    f"{name} and {other} do not go together", remedy="drop one of them"
                )
        needed = ("budget=", self.budget) if self.next is None else ("judged=", judged)
        if needed[1] is None:
            raise UsageError(
                f"{name} needs {needed[0]}",
                expected="the number of documents of a topic"
                if self.next is None
                else "the sample that was drawn before, with its grades",
            )
        numbers = {"depth": self.depth, "budget": self.budget, "number of documents": self.next}
        for what, number in numbers.items():
            if number is not None and number < 1:
                raise UsageError(f"a {what} of {number} draws nothing", expected="1 or more")
        if self.seed is not None and self.seed < 0:
            raise UsageError(f"the seed {self.seed} is negative", expected="0 or more")

    def of(
        self, given: FusionInput, judged: QrelsLike | None
    ) -> tuple[DocumentSample, Listing, list[str]]:
        """Return the sample, the ranks of its documents, and the tags of the runs."""
        seed = self.seed or 0
        measures = sampled_measures(SAMPLED if self.measures is None else self.measures, Settings())
        pool, tags = listing(given, self.depth)
        if self.next is None or judged is None:
            return first_sample(pool, self.sample or "", self.budget or 0, seed), pool, tags
        found = parts_of_sample(judged, given.reading.qrels())
        if found is None:
            raise require_sample(shown_path(judged))
        before = sample_of(*found)
        joined = with_sampled(pool, before, more=self.depth is not None)
        return next_sample(before, joined, self.next, measures, seed), joined, tags


@frozen(eq=False)
class Listing:
    """D documents of T topics, and their ranks in R runs.

    ======= ============= =====================================================
    topics  T bytes       in increasing byte order
    offsets (T+1,) int64  topic t has the documents offsets[t] to offsets[t+1]
    docnos  D bytes       in increasing byte order within a topic
    ranks   (R, D) int64  0 where the run lacks the document
    ======= ============= =====================================================
    """

    topics: tuple[bytes, ...]
    offsets: Integers
    docnos: tuple[bytes, ...]
    ranks: Integers

    @classmethod
    def of(cls, ranks: dict[tuple[bytes, bytes], Integers], n_runs: int) -> Listing:
        """Sort documents by topic and docno."""
        keys = sorted(ranks)
        topics = tuple(dict.fromkeys(topic for topic, _ in keys))
        place = {topic: at for at, topic in enumerate(topics)}
        sizes = np.bincount([place[topic] for topic, _ in keys], minlength=len(topics))
        table = np.array([ranks[key] for key in keys], dtype=np.int64).reshape(-1, n_runs)
        return cls(topics, offsets_of(sizes), tuple(docno for _, docno in keys), table.T)

    @property
    def keys(self) -> list[tuple[bytes, bytes]]:
        """Topic and docno of each document."""
        named = owner(self.offsets).tolist()
        return [(self.topics[t], docno) for t, docno in zip(named, self.docnos, strict=True)]

    def prior(self) -> Floats:
        """Return statAP's prior of each document: the sum over runs of the weights of its ranks."""
        topic = owner(self.offsets)
        longest = np.zeros((len(self.ranks), len(self.topics)), dtype=np.int64)
        for length, ranks in zip(longest, self.ranks, strict=True):
            np.maximum.at(length, topic, ranks)
        return average_precision_prior(self.ranks, longest[:, topic]).sum(axis=0)


def listing(given: FusionInput, depth: int | None) -> tuple[Listing, list[str]]:
    """Return the first documents of the runs, or all of them, and the tags of the runs."""
    n_runs = len(given.runs)
    tags = [b""] * n_runs

    def use(batches: Iterator[Together]) -> dict[tuple[bytes, bytes], Integers]:
        found: dict[tuple[bytes, bytes], Integers] = {}
        for some in batches:
            batch = some.batch()
            near, places = down_to(batch.candidates, depth)
            tags[:] = [new or old for new, old in zip(some.tags, tags, strict=True)]
            names = batch.docnos.take(places).tolist()
            topics = [batch.topics[at] for at in near.topic.tolist()]
            found.update(zip(zip(topics, names, strict=True), near.ranks.T, strict=True))
        return found

    found = read_side_by_side(given.runs, given.forms(), given.rules, use, jobs=given.jobs)
    if not found:
        raise UsageError("the runs hold no document to draw", expected="runs with documents")
    return Listing.of(found, n_runs), [*map(decoded, tags)]


def first_sample(pool: Listing, how: str, budget: int, seed: int) -> DocumentSample:
    """Draw at most `budget` documents of each topic.

    "uniform" draws evenly; "stratified" as many from each band of best ranks, so that the sampling
    is thinner farther down; "by-rank" from strata of statAP's prior, each due the same.
    """
    if how not in SAMPLES:
        raise UsageError(
            f"a sample cannot be drawn by '{how}'", expected=f"one of {', '.join(SAMPLES)}"
        )
    stratum = np.zeros(len(pool.docnos), dtype=np.int64)
    sizes: list[Integers] = []
    first = 0
    prior = pool.prior()
    best = np.where(pool.ranks > 0, pool.ranks, pool.ranks.max() + 1).min(axis=0)
    for start, stop in zip(pool.offsets[:-1].tolist(), pool.offsets[1:].tolist(), strict=True):
        number, drawn = _strata(how, best[start:stop], prior[start:stop], budget)
        stratum[start:stop] = first + number
        first += len(drawn)
        sizes.append(drawn)
    size = np.concatenate(sizes)
    nobody = np.zeros(len(stratum), dtype=bool)
    chosen = draw(stratum, size, nobody, _lots(pool.topics, pool.offsets, seed, nobody))
    return DocumentSample(
        "the sample",
        pool.topics,
        pool.offsets,
        pool.docnos,
        stratum,
        (size / np.bincount(stratum))[stratum],
        np.where(chosen, np.nan, NOT_DRAWN),
        np.full(len(stratum), NEW),
    )


def _strata(how: str, best: Integers, prior: Floats, budget: int) -> tuple[Integers, Integers]:
    """Return the stratum of each document of a topic, from 0, and the draws of each stratum."""
    together = np.zeros(len(best), dtype=np.int64)
    if how == "uniform":
        number, mass = together, prior
    elif how == "stratified":
        _, number = np.unique(by_bands(best, budget // 2), return_inverse=True)
        mass = np.ones(len(best)) / np.bincount(number)[number]
    else:
        rate = rate_for(prior, together, np.zeros(1, dtype=np.int64), min(budget, len(best)))
        number, mass = cut(prior, together, rate), prior
    size = np.bincount(number)
    share: Floats = np.bincount(number, mass).astype(np.float64)
    return number, allocate(share, np.minimum(size, 1), size, budget)


def _lots(topics: Sequence[bytes], offsets: Integers, seed: int, drawn: np.ndarray) -> Floats:
    """Return random numbers of documents, which depend on their topic, the seed and the draws."""
    found = []
    bounds = zip(topics, offsets[:-1].tolist(), offsets[1:].tolist(), strict=True)
    for topic, start, stop in bounds:
        named = int.from_bytes(sha256(topic).digest()[:8])
        before = int(np.count_nonzero(drawn[start:stop]))
        found.append(np.random.default_rng([seed, named, before]).random(stop - start))
    return np.concatenate(found) if found else np.zeros(0)


def importance(pool: Listing, measures: Sequence[SampledMeasure]) -> Floats:
    """Return how informative a document is on the differences between runs, shape (D,).

    The square is the chance of relevance by statAP's prior, times the variance over the runs of
    the weights that the measures give to the document, each measure counting the same.
    """
    informative = np.zeros(len(pool.docnos))
    there = pool.ranks > 0
    for measure in measures:
        weights = np.where(there, _weights(measure, np.maximum(pool.ranks, 1)), 0.0)
        apart = weights.var(axis=0) + LEVEL * weights.mean(axis=0) ** 2
        informative += apart / max(float(apart.sum()), np.finfo(np.float64).tiny)
    return np.sqrt(informative * pool.prior())


def _weights(measure: SampledMeasure, ranks: Integers) -> Floats:
    flat = ranks.ravel()
    if measure.way in (
        PRECISION,
        STAT_AP,
    ):  # a relevant document counts in the precisions below it, too
        deepest = int(flat.max(initial=1))
        within = measure.weights(np.arange(1, deepest + 1)) > 0.0
        prior = average_precision_prior(np.arange(1, deepest + 1), deepest)
        return np.where(within, prior, 0.0)[ranks - 1]
    return measure.weights(flat).reshape(ranks.shape)


def next_sample(
    sample: DocumentSample,
    pool: Listing,
    n: int,
    measures: Sequence[SampledMeasure],
    seed: int,
) -> DocumentSample:
    """Draw `n` more documents, from strata of documents that distinguish the runs equally well.

    The strata of the sample are cut by ranks alone and get draws by ranks alone, never by grades:
    given how many of its documents were drawn before, a part of a stratum is a random sample of
    size n_h of N_h, and stays one when more are drawn. So the probability n_h/N_h is exact, and
    estimates are unbiased however often more is drawn.

    Documents of the runs that the sample lacks are a stratum of their own in each topic.
    """
    whole, drawn, group = _joined(sample, pool)
    if drawn.all():
        raise UsageError(
            "every document of the sample was drawn, and none is left",
            remedy="add the documents of the runs with depth=K",
        )
    informative = importance(pool, measures)
    before = np.bincount(group[drawn], minlength=int(group.max()) + 1)
    total = int(before.sum()) + n
    stratum = cut(informative, group, rate_for(informative, group, before, total))
    size = np.bincount(stratum)
    least = np.maximum(np.bincount(stratum[drawn], minlength=len(size)), np.minimum(size, 1))
    if least.sum() > total:
        raise UsageError(
            f"{count(n, 'document')} more are too few: there are documents in "
            f"{int(least.sum() - before.sum())} parts of the pool that nothing was drawn from yet",
            expected="a draw or more from each stratum, without which estimates are biased",
            remedy="draw more documents",
        )
    spread = np.sqrt(size * np.bincount(stratum, informative**2))
    sizes = allocate(spread, least, size, total)
    more = draw(stratum, sizes, drawn, _lots(pool.topics, pool.offsets, seed, drawn))
    return replace(
        whole,
        stratum=stratum,
        probability=(sizes / size)[stratum],
        grade=np.where(more, np.nan, whole.grade),
        lines=np.where(more, NEW, whole.lines),
    )


def _joined(sample: DocumentSample, pool: Listing) -> tuple[DocumentSample, np.ndarray, Integers]:
    """Return the sample with documents that only the runs have, the drawn ones, and strata."""
    topic = sample.topic.tolist()
    known = {(sample.topics[topic[row]], docno): row for row, docno in enumerate(sample.docnos)}
    rows = np.array([known.get(key, -1) for key in pool.keys])
    old = rows >= 0
    new_strata = int(sample.stratum.max()) + 1 + owner(pool.offsets)
    _, group = np.unique(np.where(old, sample.stratum[rows], new_strata), return_inverse=True)
    grade = np.where(old, sample.grade[rows], NOT_DRAWN)
    whole = replace(
        sample,
        topics=pool.topics,
        offsets=pool.offsets,
        docnos=pool.docnos,
        stratum=group,
        probability=np.where(old, sample.probability[rows], 1.0),
        grade=grade,
        lines=np.where(old, sample.lines[rows], NEW),
    )
    return whole, whole.drawn, group


def with_sampled(pool: Listing, sample: DocumentSample, *, more: bool) -> Listing:
    """Return the documents of a sample, and with `more` those that only the runs have, too.

    Only topics of the sample count.
    """
    n_runs = len(pool.ranks)
    topic = sample.topic.tolist()
    absent = np.zeros(n_runs, dtype=np.int64)
    ranks = {(sample.topics[topic[row]], name): absent for row, name in enumerate(sample.docnos)}
    topics = set(sample.topics)
    for key, of_runs in zip(pool.keys, pool.ranks.T, strict=True):
        if key in ranks or (more and key[0] in topics):
            ranks[key] = of_runs
    return Listing.of(ranks, n_runs)

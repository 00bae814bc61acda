"""Prepare an evaluation once for all runs, and align runs with it.

That is its judgments, its measures, the data that these need, and the rules of rankings.
"""

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, partial
from itertools import chain
from operator import attrgetter
from typing import Any

import numpy as np

from rankeval.base.arrays import Booleans, Integers
from rankeval.base.checked import checked
from rankeval.base.frozen import record, replace
from rankeval.errors import MeasureError, UsageError
from rankeval.evaluation.aggregation import Aggregation
from rankeval.evaluation.results import QrelsFacts
from rankeval.evaluation.settings import TOOLS, USUAL, Reading, Settings
from rankeval.io.blocks import display_name
from rankeval.io.formats import STRATUM, SUBTOPIC
from rankeval.measures import Measure, MeasuresLike, NamedMeasure, parse_measures
from rankeval.measures.facts import COSTS, ELSEWHERE, LISTS, STRATA, SUBTOPICS
from rankeval.ranking import RankedJudgments
from rankeval.ranking.align import BY_SCORE, Alignment, Rules, align, align_columns
from rankeval.ranking.duplicates import duplicate_error
from rankeval.ranking.items import (
    NO_FACTS,
    CatalogLike,
    CostsLike,
    ExtraNeeds,
    FeaturesLike,
    InteractionsLike,
    ItemFacts,
    catalog_from,
    costs_from,
    features_from,
    interactions_from,
)
from rankeval.ranking.qrels import Qrels, QrelsLike, judgments_from
from rankeval.ranking.run_source import RunSource

DEFAULT_MEASURES = "AP nDCG@10 RR P@10 R@1000 Rprec ERR@20"

later: Any = partial
"""A call that is still to be made, which a field takes that may be later."""

FEW_JUDGMENTS = 1 << 16
"""Judgments that results may keep in memory, until somebody reads what is derived from them.

More of them would be in memory once for each result of a loop over runs."""

Progress = Callable[[str, int], None]
"""Callback that is given a path and the number of bytes read from it."""


def judgments_of(
    qrels: QrelsLike, measures: MeasuresLike | None = None, reading: Reading = USUAL
) -> Qrels:
    """Load judgments, with the column of strata or subtopics if the measures need it."""
    if isinstance(qrels, Qrels):
        return qrels
    form = reading.qrels_form()
    asked = parse_measures("" if measures is None else measures)
    needs = [need for named in asked for need in named.measure.considers]
    if STRATA in needs or SUBTOPICS in needs:
        form = replace(form, label=STRATUM if STRATA in needs else SUBTOPIC)
    return judgments_from(qrels, form, reading.duplicates)


def facts_of(judgments: Qrels) -> QrelsFacts:
    """Return the facts about judgments that results hold; digests of few are made when read."""
    few = len(judgments.grade) <= FEW_JUDGMENTS
    made: Any = later if few else lambda function, given: function(given)
    return QrelsFacts(
        path=judgments.path,
        topics=len(judgments.topics),
        judgments=len(judgments.grade),
        digest=made(attrgetter("digest"), judgments),
        by_topic=made(_digests_of_topics, judgments),
        dropped=dict(sorted(judgments.dropped.items())),
    )


def _digests_of_topics(judgments: Qrels) -> dict[str, str]:
    names = (topic.decode("utf-8", "surrogateescape") for topic in judgments.topics)
    return dict(zip(names, map("{:08x}".format, judgments.topic_digests.tolist()), strict=True))


def asked_measures(
    measures: MeasuresLike | None, qrels: Qrels, settings: Settings
) -> list[NamedMeasure]:
    """Apply the settings to the measures, and return them.

    A measure that is named in two ways, as with `map AP`, is returned once for each.
    """
    if measures is None:
        usual = (settings.like and TOOLS[settings.like].measures) or DEFAULT_MEASURES
        if usual == DEFAULT_MEASURES and qrels.highest_grade > 4:
            usual = usual.replace("ERR@", "ERR(max_rel='qrels')@")
        measures = usual.split()  # none has a name of several words, which takes a while to see
    asked: dict[tuple[str, str], NamedMeasure] = {}
    for named in parse_measures(measures, settings.meanings):
        measure = settings.apply_to(named)
        key = str(measure), named.as_given
        note = "" if "trec_eval" in (settings.like or "") else named.note
        if measure is not named.measure or note != named.note:
            named = replace(named, measure=measure, note=note)  # noqa: PLW2901  its own for the settings
        asked.setdefault(key, named)
    if not asked:
        raise UsageError("no measure to compute", expected="one measure or more, such as nDCG@10")
    return list(asked.values())


def require_topics(asked: Iterable[NamedMeasure]) -> None:
    """Raise MeasureError for a measure of a whole run, where values of topics are needed."""
    for named in asked:
        if named.measure.definition.of_run:
            raise MeasureError(
                f"{named.measure} is one number for a whole run, without values of topics",
                expected="measures of topics, such as nDCG@10",
                remedy=f"leave it out; rankeval eval computes {named.measure}",
            )


def _needs_of(
    measures: Sequence[Measure], costs: CostsLike | None, facts: ItemFacts, settings: Settings
) -> ExtraNeeds:
    """Return the data of a run that the measures need besides its judged documents.

    `facts` are known of items.
    """
    needs = [need for measure in measures for need in measure.considers]
    if costs is not None and COSTS not in needs:
        raise UsageError(
            "costs are given, but no measure takes them",
            expected="a measure such as TBG, UMeasure, or INST(max_rel=3,out='EC')",
        )
    of_lists = [measure for measure in measures if LISTS in measure.considers]
    if of_lists and settings.judged_only:
        raise UsageError(
            f"{of_lists[0]} looks at all documents that are shown, and unjudged ones are removed",
            remedy="drop --judged-only and -J, or leave the measure out",
        )
    depths: Any = [measure.parameters["cutoff"] for measure in of_lists]
    return ExtraNeeds(
        elsewhere=ELSEWHERE in needs,
        costs=None if costs is None else costs_from(costs),
        listed=min(max(depths, default=0), settings.depth or sys.maxsize),
        facts=facts,
    )


@checked
@record
class Items:
    """What measures of recommenders need to know of items, and of the users who know them.

    ============ =========================================================================
    train        interactions of users with items: all that judgments can be,
                 {user: [item, ...]}, pairs, or a sparse matrix
    exclude_seen leave out the items that a user has interacted with in `train`
    catalog      items that could be recommended: their number, a path, or the items
    features     a path, a table with a column of items, or {item: {feature: value}}
    ============ =========================================================================

    >>> from rankeval import evaluate
    >>> from rankeval.options import Items
    >>> run = {"u1": {"i1": 0.9, "i2": 0.4}, "u2": {"i1": 0.8}}
    >>> known = Items(train={"u1": ["i7"], "u2": ["i1"]}, catalog=4)
    >>> evaluate({"u1": {"i1": 1}, "u2": {"i2": 1}}, run, "Coverage@2", items=known).to_dict()
    {'run': {'Coverage@2': 0.5}}
    """

    train: InteractionsLike | None = None
    exclude_seen: bool = False
    catalog: CatalogLike | None = None
    features: FeaturesLike | None = None

    def __post_init__(self) -> None:
        if self.exclude_seen and self.train is None:
            raise UsageError(
                "to leave out items that users have seen, their interactions are needed",
                expected="train, the interactions of users",
                remedy="give train with exclude_seen",
            )

    def read(self, reading: Reading) -> tuple[ItemFacts, dict[str, Any]]:
        """Return the facts, and where they come from, for the results."""
        form = reading.qrels_form()
        train, catalog, features = self.train, self.catalog, self.features
        facts = ItemFacts(
            None if train is None else interactions_from(train, form),
            None if catalog is None else catalog_from(catalog),
            None if features is None else features_from(features, form.columns.get("docno")),
        )
        number = None if facts.catalog is None or facts.catalog.items else facts.catalog.size
        return facts, {
            "train": _where(train),
            "exclude_seen": self.exclude_seen,
            "catalog": _where(catalog) if number is None else number,
            "item_features": _where(features),
        }


def _where(given: object) -> str | None:
    """Return the file that was given; "given" for values in memory, None for nothing."""
    if given is None:
        return None
    return os.fspath(given) if isinstance(given, str | os.PathLike) else "given"


class Prepared:
    """An evaluation as it is prepared once, before any run is read.

    =========== ==========================================================================
    judgments   the judgments
    asked       the measures, with the settings applied and the names that the user gave
    measures    each of them once, in the order in which they are first named
    settings    the conventions of the evaluation
    over_topics the rule, weights and groups by which values of topics become one number
    needs       the data of rankings that the measures need besides judged documents
    items       where facts of items come from, for the results; {} for none
    cautious    True to warn of data that the measures cannot use
    bounds      True to compute the bounds of what judging unjudged documents could change
    =========== ==========================================================================
    """

    def __init__(
        self,
        qrels: QrelsLike,
        measures: MeasuresLike | None = None,
        settings: Settings = USUAL,
        *,
        over_topics: Aggregation | None = None,
        costs: CostsLike | None = None,
        items: Items | None = None,
        bounds: bool = False,
    ) -> None:
        """Read the judgments and all else that the measures need."""
        if bounds and (settings.judged_only or settings.ties == "expected"):
            raise UsageError(
                "bounds are of unjudged documents at fixed ranks",
                remedy="drop --bounds, or -J (--judged-only) and --ties expected",
            )
        self.settings, self.bounds, self.cautious = settings, bounds, measures is not None
        self.over_topics = over_topics or Aggregation(settings.aggregate)
        self.judgments = judgments_of(qrels, measures, settings)
        self.asked = asked_measures(measures, self.judgments, settings)
        self.measures = list({str(one.measure): one.measure for one in self.asked}.values())
        facts, self.items = (NO_FACTS, {}) if items is None else items.read(settings)
        self.needs = _needs_of(self.measures, costs, facts, settings)

    @cached_property
    def qrels(self) -> QrelsFacts:
        """The facts about the judgments that results have."""
        return facts_of(self.judgments)

    @cached_property
    def rules(self) -> Rules:
        """The rules that make rankings, without the items that users have seen."""
        seen = self.needs.facts.train if self.items.get("exclude_seen") else None
        return self.settings.rules(seen)

    def marks_of(self, measure: Measure, judged: RankedJudgments) -> list[str]:
        """Return the parts of a signature that name data besides judgments, by digests."""
        if self.rules.seen is None and not measure.considers:
            return []
        every = [("seen", self.rules.seen), *((n.name, n.of(judged)) for n in measure.considers)]
        return [f"{name}:{one.digest}" for name, one in every if getattr(one, "digest", None)]

    @cached_property
    def facts(self) -> dict[str, str | float | bool | None]:
        """The settings, and the rules over topics and of reading, by name, for the results."""
        return self.settings.facts(**self.over_topics.facts())

    @cached_property
    def is_plain(self) -> bool:
        """True if rankings are judged documents by descending score, and nothing else counts."""
        qrels, by_score = self.judgments, {**vars(self.rules), "scores": None} == vars(BY_SCORE)
        judged_only = not self.needs.beyond_judged and qrels.subtopics is None is qrels.strata
        return self.settings.order == "score" and by_score and judged_only

    def align(
        self, run: RunSource, jobs: int = 1, progress: Progress | None = None
    ) -> tuple[Alignment, str]:
        """Align a run; return it and its path, "" for a run in memory.

        InputError for a document that is listed twice, unless the settings choose between lines.
        """
        given: Any = run.given
        plain = self.dictionaries(given)
        # Other names may be no characters.
        if plain and all(map(str.isascii, map("".join, chain([given], given.values())))):
            others = given.keys() - self.judgments.code_of_text.keys()
            without = tuple(sorted(map(str.encode, others)))
            lines = sum(map(len, given.values()))
            return Alignment(*plain, b"run", without, (), lines), ""
        form = self.settings.run_form()
        run = run.lines(form)
        dropped = run.dropped
        if run.parts is None:
            read = None if progress is None else partial(progress, run.path)
            found = align(
                self.judgments,
                run.path,
                self.rules,
                form,
                needs=self.needs,
                jobs=jobs,
                progress=read,
            )
            dropped = {} if form.problems is None else form.problems.counts
        else:
            place = run.path or "run"
            found = align_columns(self.judgments, run.parts, self.rules, place, needs=self.needs)
        self.refuse_duplicates(found, run)
        return replace(found, dropped=dict(dropped)) if dropped else found, run.path

    def dictionaries(
        self, run: object, *, relevant_only: bool = False
    ) -> tuple[RankedJudgments, Booleans] | None:
        """Align {topic: {docno: score}}, and mark the topics that it has.

        None for what is no plain dictionary, or needs a closer look. With `relevant_only`, other
        judged documents need not be found.
        """
        if type(run) is not dict or not self.is_plain:
            return None
        from rankeval.ranking.dictionaries import align_run  # files need none of it

        single = self.settings.single_precision
        found = align_run(self.judgments, run, single_precision=single, relevant_only=relevant_only)
        if found is None:
            return None
        judged, codes = found
        present = np.zeros(len(judged), dtype=bool)
        present[codes if len(codes) < len(present) else slice(None)] = True
        return judged, present

    def refuse_duplicates(self, alignment: Alignment, run: RunSource) -> None:
        """Raise InputError for the first document that is listed twice in a topic."""
        if alignment.duplicates and self.settings.duplicates == "refuse":
            first, *more = sorted(alignment.duplicates, key=attrgetter("line"))
            counted = "line" if run.path else "row" * run.is_rows
            name = display_name(run.path) or "run"
            raise duplicate_error(first, len(more), name, counted=counted)


ONE_ORDER = ("docno", "input", "rank")
"""The rules for ties that give every document one rank, whatever its grade."""


def grades_of(qrels: Qrels, topic: bytes) -> dict[bytes, tuple[int, float]]:
    """Return the judged documents of a topic, with the index of the judgment and the grade."""
    code = qrels.code[topic]
    start, stop = qrels.offsets[code : code + 2].tolist()
    docnos = qrels.docno[start:stop].tolist()
    grades = qrels.grade[start:stop].astype(float).tolist()
    return {
        qrels.docnos.names[docno]: (judgment, grade)
        for judgment, docno, grade in zip(range(start, stop), docnos, grades, strict=True)
    }


def require_one_order(settings: Settings) -> None:
    """Raise UsageError unless ties are broken in an order that does not depend on grades."""
    if settings.ties not in ONE_ORDER:
        raise UsageError(
            f"with ties '{settings.ties}', documents have no fixed ranks to compare",
            expected="ties by docno, input or rank",
        )


def least_relevant(measure: Measure) -> float:
    """Return the least grade that a measure counts as relevant: its rel=, or any above 0."""
    rel = measure.parameters.get("rel")
    return rel if isinstance(rel, int | float) else sys.float_info.min


def is_condensed(measure: Measure, settings: Settings) -> bool:
    """Return True where unjudged documents are removed: by a setting, or by the measure itself."""
    return settings.judged_only or bool(measure.parameters.get("judged_only"))


def measured_ranking(
    measure: Measure, settings: Settings, whole: RankedJudgments
) -> RankedJudgments:
    """Return the ranking that a measure looks at: cut at the depth, without what is removed."""
    judged = whole if settings.depth is None else whole.truncated(settings.depth)
    return judged.condensed if is_condensed(measure, settings) else judged


def running_values(measure: Measure, judged: RankedJudgments, depths: Integers) -> dict[int, float]:
    """Return the value of the only topic's ranking cut at each depth.

    A document at rank r adds the value at r minus the value at r - 1.
    """
    values = measure.values(judged.prefixes(depths))
    return dict(zip(depths.tolist(), values.tolist(), strict=True))

"""Prepare an evaluation once for all runs: judgments, measures, and the data these need."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property, partial
from itertools import chain
from operator import attrgetter
from typing import Any

import numpy as np

from rankeval.base.arrays import Booleans
from rankeval.base.checked import checked
from rankeval.base.frozen import Given, Value, frozen, later
from rankeval.errors import MeasureError, UsageError
from rankeval.evaluation.aggregation import Aggregation
from rankeval.evaluation.reading import Reading
from rankeval.evaluation.results import QrelsFacts
from rankeval.evaluation.settings import TOOLS, USUAL, Settings
from rankeval.io.formats import STRATUM, SUBTOPIC, Form
from rankeval.io.sources.blocks import display_name
from rankeval.measures import Measure, MeasuresLike, NamedMeasure, parse_measures
from rankeval.measures.declare.facts import (
    CATALOG,
    COSTS,
    ELSEWHERE,
    FEATURES,
    LISTS,
    STRATA,
    SUBTOPICS,
    TRAIN,
    Need,
)
from rankeval.ranking import RankedJudgments
from rankeval.ranking.align import (
    BY_SCORE,
    NO_EXTRA_NEEDS,
    Alignment,
    ExtraNeeds,
    Rules,
    align,
    align_columns,
)
from rankeval.ranking.duplicates import duplicate_error
from rankeval.ranking.items import (
    NO_FACTS,
    CatalogLike,
    CostsLike,
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

FEW_JUDGMENTS = 1 << 10
"""Judgments that results may keep in memory, until somebody reads what is derived from them.

More of them would be in memory once for each result of a loop over runs."""

Progress = Callable[[str, int], None]
"""Callback that is given a path and the number of bytes read from it."""


def judgments_of(
    qrels: QrelsLike,
    measures: MeasuresLike | None = None,
    reading: Reading = USUAL,
) -> Qrels:
    """Load judgments, with the labels that the measures need."""
    if isinstance(qrels, Qrels):
        return qrels
    form, label = reading.qrels_form(), label_for(measures)
    form = form if label is None else replace(form, label=label)
    return judgments_from(qrels, form, reading.duplicates)


def facts_of(judgments: Qrels) -> QrelsFacts:
    """Return the facts about judgments that results hold."""
    return QrelsFacts(
        path=judgments.path,
        topics=len(judgments.topics),
        judgments=len(judgments.grade),
        digest=when_read(judgments, attrgetter("digest"), judgments),
        by_topic=when_read(judgments, _digests_of_topics, judgments),
        dropped=dict(sorted(judgments.dropped.items())),
    )


def _digests_of_topics(judgments: Qrels) -> dict[str, str]:
    names = (topic.decode("utf-8", "surrogateescape") for topic in judgments.topics)
    return dict(zip(names, map("{:08x}".format, judgments.topic_digests.tolist()), strict=True))


def when_read(
    judgments: Qrels, function: Callable[Given, Value], *given: Given.args, **named: Given.kwargs
) -> Value:
    """Return the value of a function for a field that may be later; at once for many judgments.

    Until then the field keeps what the function is given in memory, and so the judgments.
    """
    few = len(judgments.grade) <= FEW_JUDGMENTS
    return later(function, *given, **named) if few else function(*given, **named)


def label_for(measures: MeasuresLike | None) -> str | None:
    """Return the column of labels that the measures need from the judgments, or None."""
    asked = parse_measures("" if measures is None else measures)
    wanted = [need for named in asked for need in named.measure.considers]
    return next((label for need, label in LABELS if need in wanted), None)


LABELS: Sequence[tuple[Need, str]] = [(STRATA, STRATUM), (SUBTOPICS, SUBTOPIC)]
"""The column of the qrels that holds what a measure needs."""


def _needs_of(
    asked: Iterable[NamedMeasure], costs: CostsLike | None, facts: ItemFacts, settings: Settings
) -> ExtraNeeds:
    """Return the data of a run that the measures need besides its judged documents.

    `facts` are known of items. MeasureError if a measure needs a fact that is not given.
    """
    measures = [named.measure for named in asked]
    if costs is not None and not any(COSTS in measure.considers for measure in measures):
        raise UsageError(
            "costs are given, but no measure takes them",
            expected="a measure such as TBG, UMeasure, or INST(max_rel=3,out='EC')",
        )
    deepest = 0
    for measure in (measure for measure in measures if LISTS in measure.considers):
        if settings.judged_only:
            raise UsageError(
                f"{measure} looks at all documents that are shown, and unjudged ones are removed",
                remedy="drop --judged-only and -J, or leave the measure out",
            )
        for need in measure.considers:
            if need in FACTS and getattr(facts, need.name) is None:
                raise MeasureError(f"{measure} needs {need.what}", expected=need.given)
        cutoff: Any = measure.parameters["cutoff"]
        deepest = max(deepest, cutoff)
    return ExtraNeeds(
        elsewhere=any(ELSEWHERE in measure.considers for measure in measures),
        costs=None if costs is None else costs_from(costs),
        listed=deepest if settings.depth is None else min(deepest, settings.depth),
        facts=facts,
    )


FACTS = (TRAIN, CATALOG, FEATURES)
"""The needs that ItemFacts answer, by the names of its fields."""


@checked
@frozen(eq=False)
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

    def sources(self) -> list[object]:
        """Return what may be paths."""
        return [self.train, self.catalog, self.features]

    def read(self, reading: Reading) -> tuple[ItemFacts, dict[str, Any]]:
        """Return the facts, and where they come from, for the results."""
        form = reading.qrels_form()
        train, catalog, features = self.train, self.catalog, self.features
        of_catalog = None if catalog is None else catalog_from(catalog)
        is_number = of_catalog is not None and not of_catalog.items
        facts = ItemFacts(
            None if train is None else interactions_from(train, form),
            of_catalog,
            None if features is None else features_from(features, form.columns.get("docno")),
        )
        return facts, {
            "train": _where(train),
            "exclude_seen": self.exclude_seen,
            "catalog": of_catalog.size if of_catalog is not None and is_number else _where(catalog),
            "item_features": _where(features),
        }


def _where(given: object) -> str | None:
    """Return the file that was given; "given" for values in memory, None for nothing."""
    if given is None:
        return None
    return os.fspath(given) if isinstance(given, str | os.PathLike) else "given"


def asked_measures(
    measures: MeasuresLike | None,
    qrels: Qrels,
    settings: Settings,
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
        note = settings.note(named)
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


@frozen(eq=False)
class Prepared:
    """An evaluation as it is prepared once, before any run is read.

    =========== ==========================================================================
    judgments   the judgments
    asked       the measures, with the settings applied and the names that the user gave
    settings    the conventions of the evaluation
    over_topics the rule, weights and groups by which values of topics become one number
    needs       the data of rankings that the measures need besides judged documents
    items       where facts of items come from, for the results; {} for none
    cautious    True to warn of data that the measures cannot use
    bounds      True to compute the bounds of what judging unjudged documents could change
    =========== ==========================================================================
    """

    judgments: Qrels
    asked: Sequence[NamedMeasure] = ()
    settings: Settings = USUAL
    over_topics: Aggregation = field(default_factory=Aggregation)
    needs: ExtraNeeds = NO_EXTRA_NEEDS
    items: Mapping[str, Any] = field(default_factory=dict)
    cautious: bool = False
    bounds: bool = False

    @cached_property
    def measures(self) -> list[Measure]:
        """Each measure once, in the order in which they are first named."""
        return list({str(named.measure): named.measure for named in self.asked}.values())

    @cached_property
    def qrels(self) -> QrelsFacts:
        """The facts about the judgments that results have."""
        return facts_of(self.judgments)

    @property
    def seen(self) -> Qrels | None:
        """The interactions whose items are left out of the rankings; None for none."""
        return self.needs.facts.train if self.items.get("exclude_seen") else None

    @cached_property
    def marks(self) -> list[str]:
        """The part of a signature that says whose items are left out."""
        return [] if self.seen is None else [f"seen:{self.seen.digest}"]

    @cached_property
    def facts(self) -> dict[str, str | float | bool | None]:
        """The settings, and the rules over topics and of reading, by name, for the results."""
        return self.settings.facts(**self.over_topics.facts())

    @cached_property
    def rules(self) -> Rules:
        """The rules that make rankings of the lines of a run."""
        rules = self.settings.rules()
        return rules if self.seen is None else replace(rules, seen=self.seen)

    @cached_property
    def is_plain(self) -> bool:
        """True if rankings are judged documents by descending score, and nothing else counts."""
        return (
            self.settings.order == "score"
            and {**vars(self.rules), "scores": None} == vars(BY_SCORE)
            and not self.needs.beyond_judged
            and self.judgments.subtopics is None
            and self.judgments.strata is None
        )

    def form(self) -> Form:
        """Return the form of a run, with a new count of wrong lines."""
        return self.settings.run_form()

    def align(
        self, run: RunSource, jobs: int = 1, progress: Progress | None = None
    ) -> tuple[Alignment, str]:
        """Align a run; return it and its path, "" for a run in memory.

        InputError for a document that is listed twice, unless the settings choose between lines.
        """
        plain = self._of_dictionaries(run.given)
        if plain is not None:
            return plain, ""
        form = self.form()
        run = run.lines(form)
        alignment = self._aligned(run, form, jobs, progress)
        self.refuse_duplicates(alignment, run)
        return alignment, run.path

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
        present[codes] = True
        return judged, present

    def _of_dictionaries(self, run: Any) -> Alignment | None:
        """Return the alignment of plain dictionaries; None if they need a closer look."""
        found = self.dictionaries(run)
        if found is None:
            return None
        judged, present = found
        # Others may be no characters.
        if not all(map(str.isascii, map("".join, chain([run], run.values())))):
            return None
        return Alignment(
            judged=judged,
            present=present,
            last_tag=b"run",
            without=tuple(
                sorted(topic.encode() for topic in run.keys() - self.judgments.code_of_text.keys())
            ),
            duplicates=(),
            lines=sum(map(len, run.values())),
        )

    def _aligned(
        self, run: RunSource, form: Form, jobs: int, progress: Progress | None
    ) -> Alignment:
        qrels, rules, needs = self.judgments, self.rules, self.needs
        path = run.path
        if run.parts is not None:
            alignment = align_columns(qrels, run.parts, rules, path or "run", needs=needs)
            return replace(alignment, dropped=run.dropped)
        read = None if progress is None else partial(progress, path)
        alignment = align(qrels, path, rules, form, needs=needs, jobs=jobs, progress=read)
        dropped = dict(form.problems.counts) if form.problems else {}
        return replace(alignment, dropped=dropped)

    def refuse_duplicates(self, alignment: Alignment, run: RunSource) -> None:
        """Raise InputError for the first document that is listed twice in a topic."""
        if not alignment.duplicates or self.settings.duplicates != "refuse":
            return
        first = min(alignment.duplicates, key=lambda duplicate: duplicate.line)
        more = len(alignment.duplicates) - 1
        name = display_name(run.path) or "run"
        counted = "line" if run.path else "row" * run.is_rows
        raise duplicate_error(first, more, name, counted=counted)


def prepare(
    qrels: QrelsLike,
    measures: MeasuresLike | None,
    settings: Settings = USUAL,
    *,
    over_topics: Aggregation | None = None,
    costs: CostsLike | None = None,
    items: Items | None = None,
    bounds: bool = False,
) -> Prepared:
    """Read the judgments and all else that the measures need."""
    if bounds:
        _require_open_judgments(settings)
    judgments = judgments_of(qrels, measures, settings)
    asked = asked_measures(measures, judgments, settings)
    facts, named = (NO_FACTS, {}) if items is None else items.read(settings)
    return Prepared(
        judgments=judgments,
        asked=asked,
        settings=settings,
        over_topics=over_topics or Aggregation(settings.aggregate),
        needs=_needs_of(asked, costs, facts, settings),
        items=named,
        cautious=measures is not None,
        bounds=bounds,
    )


def _require_open_judgments(settings: Settings) -> None:
    """Raise UsageError if unjudged documents are dropped, or ties leave their ranks open."""
    if settings.judged_only or settings.ties == "expected":
        raise UsageError(
            "bounds are of unjudged documents at fixed ranks",
            remedy="drop --bounds, or -J (--judged-only) and --ties expected",
        )

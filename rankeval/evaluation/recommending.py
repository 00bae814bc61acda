"""Training interactions, catalogue and features that an evaluation of recommenders is given."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import field
from functools import cached_property
from typing import Any

from rankeval.base.frozen import frozen
from rankeval.base.wording import listed
from rankeval.errors import UsageError
from rankeval.evaluation.reading import Reading
from rankeval.evaluation.results import Notice
from rankeval.evaluation.settings import Settings
from rankeval.measures import NamedMeasure
from rankeval.measures.declare.needs import CATALOG, FEATURES, LISTS, TRAIN
from rankeval.ranking.qrels import Qrels
from rankeval.ranking.qrels_source import InteractionsLike, interactions_from
from rankeval.ranking.recommended import NO_FACTS, CatalogLike, FeaturesLike, ItemFacts


@frozen(eq=False)
class ItemData:
    """Facts of items, and whether items that users have seen are left out of their rankings.

    `given` are the options behind this, for the settings of the results.
    """

    facts: ItemFacts = NO_FACTS
    exclude_seen: bool = False
    given: dict[str, Any] = field(default_factory=dict)

    @property
    def seen(self) -> Qrels | None:
        """The interactions whose items are left out of the rankings; None for none."""
        return self.facts.train if self.exclude_seen else None

    @cached_property
    def marks(self) -> list[str]:
        """Return the part of a signature that says whose items are left out."""
        return [f"seen:{self.seen.digest}"] if self.seen is not None else []

    def unused(self, asked: Sequence[NamedMeasure]) -> list[Notice]:
        """Return a warning of what was given, and no measure takes."""
        idle = [
            option.encode()
            for option, given, need in (
                ("train", self.facts.train if not self.exclude_seen else None, TRAIN),
                ("catalog", self.facts.catalog, CATALOG),
                ("features", self.facts.features, FEATURES),
            )
            if given is not None and not any(need in named.measure.considers for named in asked)
        ]
        return [Notice(f"no measure takes {listed(idle)}, which changes nothing")] if idle else []

    def unrelated(self, judgments: Qrels) -> list[Notice]:
        """Return a warning of interactions that have no user, or no item, of the judgments."""
        train = self.facts.train
        if train is None:
            return []
        lacking = []
        if self.exclude_seen and set(train.topics).isdisjoint(judgments.topics):
            lacking.append("users")
        if judgments.docnos.plain.keys().isdisjoint(train.docnos.plain):
            lacking.append("items")
        alike = "check that both files name them alike"
        return [
            Notice(f"train has none of the {kind} in the judgments; {alike}") for kind in lacking
        ]


NO_ITEM_DATA = ItemData()


@frozen(eq=False)
class ItemInputs:
    """Hold the arguments of `rankeval.evaluate` that are about items."""

    train: InteractionsLike | None = None
    exclude_seen: bool = False
    catalog: CatalogLike | None = None
    item_features: FeaturesLike | None = None

    def read(self, reading: Reading) -> ItemData:
        """Read what is given; UsageError for seen items without the interactions that name them."""
        train, features = self.train, self.item_features
        if self.exclude_seen and train is None:
            raise UsageError(
                "to leave out items that users have seen, their interactions are needed",
                expected="train, the interactions of users",
                remedy="give train with exclude_seen",
            )
        if train is None and self.catalog is None and features is None:
            return NO_ITEM_DATA
        from rankeval.ranking.items import catalog_from, features_from

        form = reading.qrels()
        catalog = None if self.catalog is None else catalog_from(self.catalog)
        return ItemData(
            ItemFacts(
                None if train is None else interactions_from(train, form),
                catalog,
                None if features is None else features_from(features, form.columns.get("docno")),
            ),
            self.exclude_seen,
            {
                "train": _where(train),
                "exclude_seen": self.exclude_seen,
                "catalog": catalog.size
                if catalog is not None and not catalog.items
                else _where(self.catalog),
                "item_features": _where(features),
            },
        )


NO_ITEMS = ItemInputs()


def _where(given: object) -> str | None:
    """Return the file that was given; "given" for values in memory, None for nothing."""
    if given is None:
        return None
    return os.fspath(given) if isinstance(given, str | os.PathLike) else "given"


def refuse_without_unjudged(asked: Iterable[NamedMeasure], settings: Settings) -> None:
    """Raise UsageError for measures of lists whose unjudged documents are removed."""
    if not settings.removes_unjudged:
        return
    of_lists = [str(named.measure) for named in asked if LISTS in named.measure.considers]
    if of_lists:
        raise UsageError(
            f"{of_lists[0]} looks at all documents that are shown, and unjudged ones are removed",
            remedy="drop --judged-only and -J, or leave the measure out",
        )

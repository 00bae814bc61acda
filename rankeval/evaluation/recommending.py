"""Training interactions, catalogue and features that an evaluation of recommenders is given."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any

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


def item_warnings(
    facts: ItemFacts, seen: Qrels | None, judgments: Qrels, asked: Sequence[NamedMeasure]
) -> list[Notice]:
    """Return warnings of facts that no measure takes, and of interactions of others' items.

    Items that users have `seen` are left out of their rankings.
    """
    train = facts.train
    idle = [
        option.encode()
        for option, given, need in (
            ("train", train if seen is None else None, TRAIN),
            ("catalog", facts.catalog, CATALOG),
            ("features", facts.features, FEATURES),
        )
        if given is not None and not any(need in named.measure.considers for named in asked)
    ]
    warnings = [f"no measure takes {listed(idle)}, which changes nothing"] * bool(idle)
    lacking = []
    if seen is not None and set(seen.topics).isdisjoint(judgments.topics):
        lacking.append("users")
    if train is not None and judgments.docnos.plain.keys().isdisjoint(train.docnos.plain):
        lacking.append("items")
    alike = "check that both files name them alike"
    warnings += [f"train has none of the {kind} in the judgments; {alike}" for kind in lacking]
    return [*map(Notice, warnings)]


def read_items(
    reading: Reading,
    train: InteractionsLike | None,
    catalog: CatalogLike | None,
    features: FeaturesLike | None,
    *,
    exclude_seen: bool,
) -> tuple[ItemFacts, dict[str, Any]]:
    """Read what is given about items; return it, and where it comes from, for the results.

    UsageError for seen items without the interactions that name them.
    """
    if exclude_seen and train is None:
        raise UsageError(
            "to leave out items that users have seen, their interactions are needed",
            expected="train, the interactions of users",
            remedy="give train with exclude_seen",
        )
    if train is None and catalog is None and features is None:
        return NO_FACTS, {}
    from rankeval.ranking.items import catalog_from, features_from

    form = reading.qrels()
    of_catalog = None if catalog is None else catalog_from(catalog)
    is_number = of_catalog is not None and not of_catalog.items
    facts = ItemFacts(
        None if train is None else interactions_from(train, form),
        of_catalog,
        None if features is None else features_from(features, form.columns.get("docno")),
    )
    return facts, {
        "train": _where(train),
        "exclude_seen": exclude_seen,
        "catalog": of_catalog.size if of_catalog is not None and is_number else _where(catalog),
        "item_features": _where(features),
    }


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

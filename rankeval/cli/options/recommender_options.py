"""Options for measures of recommenders: interactions, catalogue and features of items."""

from typing import Annotated, Any

from rankeval.base.frozen import frozen
from rankeval.cli.options.file_options import READ
from rankeval.cli.options.panels import RECOMMENDERS


@frozen
class RecommenderOptions:
    """Training interactions, items that users have seen, the catalogue, and features of items."""

    train: Annotated[
        str | None,
        RECOMMENDERS(
            "--train",
            "FILE",
            "Users' training interactions with items, for MIUF, ARP and Serendipity: lines of "
            "user and item, or judgments in any format.",
        ),
        READ,
    ] = None
    exclude_seen: Annotated[
        bool,
        RECOMMENDERS(
            "--exclude-seen",
            "Drop from each topic's ranking what it has interactions with in --train, and "
            "close up the ranks, before anything else.",
        ),
    ] = False
    catalog: Annotated[
        str | None,
        RECOMMENDERS(
            "--catalog",
            "N|FILE",
            "Items that could be recommended, for Coverage, Gini and Serendipity: their "
            "number, or a file with one item a line.",
        ),
        READ,
    ] = None
    item_features: Annotated[
        str | None,
        RECOMMENDERS(
            "--item-features",
            "FILE.csv",
            "Features of items, for ILD: a column docno, and a column for each feature.",
        ),
        READ,
    ] = None

    def by_option(self) -> dict[str, object]:
        """Return what was given by the names of the options."""
        return {f"--{name.replace('_', '-')}": value for name, value in self.stated().items()}

    def stated(self) -> dict[str, Any]:
        """Return the options as arguments of `rankeval.evaluate`."""
        return {
            "train": self.train,
            "exclude_seen": self.exclude_seen,
            "catalog": self.catalog,
            "item_features": self.item_features,
        }

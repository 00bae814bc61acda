"""Options for several collections, which replace QRELS and runs."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any

from rankeval.base.frozen import frozen
from rankeval.cli.options.evaluating_options import WarningOptions
from rankeval.cli.options.file_options import READ, refuse_overwriting
from rankeval.cli.options.panels import COLLECTIONS, READING

if TYPE_CHECKING:
    from rankeval.commands.collections.read_collections import Collection
    from rankeval.commands.collections.task import CollectionResults


@frozen
class CollectionOptions:
    """The file of collections."""

    collections: Annotated[
        str | None,
        READING(
            COLLECTIONS,
            "FILE",
            "Use every [collection.NAME] of FILE, such as rankeval.toml, instead of "
            "QRELS and runs; see docs/collections.md.",
        ),
        READ,
    ] = None

    def read(
        self, measures: Sequence[str] | None, written: Iterable[str | None], **stated: Any
    ) -> "tuple[Collection, ...]":
        """Read the collections; options of the command line take precedence.

        No output may be a file that the collections name.
        """
        from rankeval.commands.collections.read_collections import read_collections, restated

        found = [
            restated(collection, measures=measures, **stated)
            for collection in read_collections(self.collections)
        ]
        inputs = [path for one in found for path in (one.qrels, *one.runs.values())]
        refuse_overwriting(read=inputs, written=written)
        return tuple(found)


def collection_warnings(
    results: "CollectionResults", digits: int | None, running: WarningOptions
) -> Iterator[str]:
    """Yield the warnings of all collections, and the runs that are missing."""
    yield from map(str, results.missing)
    for result in results:
        for line in running.of_runs(result.results.runs, digits):
            yield f"collection {result.collection.name}: {line}"

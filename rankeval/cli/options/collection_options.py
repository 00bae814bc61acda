"""Options for several collections, which replace QRELS and runs."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Annotated, Any

from rankeval.base.frozen import frozen
from rankeval.choices import OnRunError
from rankeval.cli.options.evaluating_options import RunningOptions, reading_progress
from rankeval.cli.options.file_options import READ, refuse_overwriting
from rankeval.cli.options.panels import COLLECTIONS, READING

if TYPE_CHECKING:
    from rankeval.evaluation.results import Results


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

    def evaluated(
        self,
        measures: Sequence[str] | None,
        written: Iterable[str | None],
        running: RunningOptions,
        on_run_error: OnRunError = "refuse",
        **stated: Any,
    ) -> "Results":
        """Evaluate the collections; options of the command line take precedence.

        No output may be a file that the collections name.
        """
        from rankeval.commands.collections.read_collections import read_collections, restated
        from rankeval.commands.collections.task import evaluate_collections, is_there

        found = [
            restated(collection, measures=measures, **stated)
            for collection in read_collections(self.collections)
        ]
        runs = [path for one in found for path in one.runs.values()]
        refuse_overwriting(read=[*(one.qrels for one in found), *runs], written=written)
        there = [path for path in runs if is_there(path)]
        with reading_progress(there, wanted=not running.quiet) as progress:
            return evaluate_collections(
                found, on_run_error=on_run_error, jobs=running.jobs, progress=progress
            )

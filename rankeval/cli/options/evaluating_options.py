"""The options of commands that evaluate runs, and hand on what `evaluate` takes."""

from collections.abc import Iterable
from dataclasses import fields
from typing import TYPE_CHECKING, Any, TypeVar

from rankeval.base.frozen import frozen
from rankeval.cli.options.convention_options import Conventions
from rankeval.cli.options.file_options import RunFile, RunNaming, run_names
from rankeval.cli.options.measure_options import CostParts, added
from rankeval.cli.options.reading_options import ReadingOptions
from rankeval.cli.options.running_options import RunningOptions

if TYPE_CHECKING:  # --help must not wait for numpy
    from rankeval.evaluation.reading import Reading
    from rankeval.evaluation.settings import Settings

Group = TypeVar("Group")


@frozen
class EvaluatingOptions(Conventions, ReadingOptions, RunningOptions):
    """The options behind the keywords of `rankeval.evaluate`."""

    parts: CostParts = None
    run_names: RunNaming = "tag"

    def settings(self, **more: object) -> "Settings":
        """Return the conventions."""
        return self._group(Conventions).settings(**more)

    def reading(self) -> "Reading":
        """Return how files are read."""
        return self._group(ReadingOptions).reading()

    def keywords(self, runs: Iterable[RunFile]) -> dict[str, Any]:
        """Return the keywords of `evaluate` for these runs."""
        return {
            **added(self.parts),
            "settings": self.settings(),
            "reading": self.reading(),
            "run_names": run_names(self.run_names, runs),
            "jobs": self.jobs,
        }

    def _group(self, kind: type[Group]) -> Group:
        """Return those of the options that are a group's."""
        return kind(**{one.name: getattr(self, one.name) for one in fields(kind)})  # type: ignore[arg-type]  # groups are dataclasses

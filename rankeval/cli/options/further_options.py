"""Options of some commands: texts, statistics, and all options of an evaluation in one group."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from rankeval.base.frozen import declared, record
from rankeval.choices import FusedTieRule
from rankeval.cli.options.evaluating_options import (
    Conventions,
    CostParts,
    ReadingOptions,
    RunningOptions,
    added,
)
from rankeval.cli.options.file_options import RunFile, RunNaming, run_names
from rankeval.cli.options.panels import RANKINGS, READ, STATISTICS, TEXTS

if TYPE_CHECKING:  # --help must not wait for numpy
    from rankeval.evaluation.settings import Settings

Queries = Annotated[
    str | None,
    TEXTS(
        "--queries FILE",
        "Queries of the topics: TSV, JSON Lines, or TREC topics.",
        common=True,
    ),
    READ,
]


@record
class QueryOptions:
    """The queries of topics."""

    queries: Queries = None

    def given(self) -> dict[str, Any]:
        """Return the options as the library takes them."""
        return {**vars(self)}


@record
class TextOptions(QueryOptions):
    """The queries of topics, and the texts of documents."""

    docs: Annotated[
        str | None,
        TEXTS(
            "--docs FILE",
            "Texts of the documents: TSV or JSON Lines.",
            common=True,
        ),
        READ,
    ] = None


def _risk(value: float | None) -> float | None:
    """Return the value of --alpha; UsageError for one that is no risk."""
    if value is None:
        return None
    from rankeval.stats.checked_arrays import require_risk

    return require_risk(value, "--alpha")


Alpha = Annotated[
    float | None,
    STATISTICS(
        "--alpha RISK",
        "Significance level: the risk of finding a difference where there is none. Default: 0.05.",
        callback=_risk,
    ),
]


BaselineRun = Annotated[
    RunFile | None,
    STATISTICS(
        "--baseline RUN",
        "Run to compare the others with; it is shown first. Default: the first run.",
        common=True,
    ),
]


RunCostsFile = Annotated[
    str | None,
    STATISTICS(
        "--run-costs FILE",
        "What each run costs, for the plot tradeoff: a header, then lines of run and number.",
    ),
    READ,
]


Seed = Annotated[int | None, STATISTICS("--seed N", "Seed for random numbers. Default: 0.", min=0)]


TiesOfRuns = Annotated[
    FusedTieRule,
    RANKINGS(
        "--ties RULE",
        "Order of equal scores in the runs, before ranks are taken. docno (default): docno "
        "descending, as in trec_eval; input: as in the file; rank: by the rank column.",
    ),
]


Group = TypeVar("Group")


@record
class EvaluatingOptions(Conventions, ReadingOptions, RunningOptions):
    """The options behind the keywords of `rankeval.evaluate`."""

    parts: CostParts = None
    run_names: RunNaming = "tag"

    def settings(self, **more: object) -> "Settings":
        """Return the conventions, and how files are read."""
        reading = self._group(ReadingOptions).stated()
        return self._group(Conventions).settings(**reading, **more)

    def keywords(self, runs: Iterable[RunFile]) -> dict[str, Any]:
        """Return the keywords of `evaluate` for these runs."""
        return {
            **added(self.parts),
            "settings": self.settings(),
            "run_names": run_names(self.run_names, runs),
            "jobs": self.jobs,
        }

    def _group(self, kind: type[Group]) -> Group:
        """Return those of the options that are a group's."""
        return kind(**{name: getattr(self, name) for name in declared(kind)})

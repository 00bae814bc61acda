"""Options of commands that evaluate: measures, conventions, reading, collections, warnings."""

import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from rankeval.base.frozen import record
from rankeval.choices import FILE_FORMATS, OrderRule, TieRule, Tool, TopicRule, listed
from rankeval.cli.options.file_options import RunFile, refuse_overwriting
from rankeval.cli.options.option_groups import Stated, stated
from rankeval.cli.options.panels import (
    COLLECTIONS,
    MEASURES,
    OTHER,
    RANKINGS,
    READ,
    READING,
    complete_measures,
)
from rankeval.endings import tell
from rankeval.errors import UsageError, printable

if TYPE_CHECKING:  # --help must not wait for numpy
    from rankeval.cli.options.output_options import Printout
    from rankeval.evaluation.results import Results, RunResult
    from rankeval.evaluation.settings import Settings


option = partial(MEASURES, "--measure -m MEASURE", autocompletion=complete_measures, common=True)
"""The option that names measures, with the help text of a command."""


def by_default(measures: str) -> Any:
    """Return the option that names measures, with the words for what a command takes without it."""
    usage = '-m "nDCG@10 AP"; separated by spaces, repeatable'
    return option(f"Measures: {usage}. Default: {measures}.")


Measures = Annotated[
    list[str] | None,
    option(
        'Measures to compute: -m "nDCG@10 AP P@5"; separated by spaces, repeatable. '
        "Default: a set of common measures."
    ),
]
PARTS = {
    "costs": "lines of docno and cost, for TBG, UMeasure, IFT and out='EC'",
    "groups": "lines of topic and group, to add values by group",
    "weights": "lines of topic and weight, for means",
    "train": "lines of user and item, for MIUF, ARP and Serendipity",
    "seen": "as train, whose items are also dropped from the rankings first",
    "catalog": "a file of items or their number, for Coverage, Gini and Serendipity",
    "features": "a table with a column docno, for ILD",
}
"""What --with can name: the parts, and the files that hold them."""
OF_ITEMS = ("train", "seen", "catalog", "features")


COSTS: Mapping[str, str] = {"costs": PARTS["costs"]}
GROUPED: Mapping[str, str] = {**COSTS, "groups": PARTS["groups"]}
CLUSTERED: Mapping[str, str] = {
    **GROUPED,
    "clusters": "lines of topic and cluster, such as variants of a question: tests are over the "
    "means of clusters",
}


def _with(parts: Mapping[str, str]) -> Any:
    told = "; ".join(f"{part}: {what}" for part, what in parts.items())
    return MEASURES("--with PART=FILE", f"Add what some measures need. {told}. Repeatable.")


CostParts = Annotated[list[RunFile] | None, _with(COSTS)]
GroupedParts = Annotated[list[RunFile] | None, _with(GROUPED)]
ClusteredParts = Annotated[list[RunFile] | None, _with(CLUSTERED)]
AllParts = Annotated[list[RunFile] | None, _with(PARTS)]


def added(given: Iterable[RunFile] | None, parts: Collection[str] = COSTS) -> dict[str, Any]:
    """Return the parts of --with as arguments of `rankeval.evaluate`; UsageError for others."""
    found: dict[str, Any] = {}
    items: dict[str, Any] = {}
    for file in given or ():
        part = file.name or ""
        if part not in parts:
            raise UsageError(
                f"'{file.name or file.path}' is not a part that can be added",
                place="--with",
                expected=" or ".join(f"{part}=FILE" for part in parts),
            )
        keyword = "train" if part == "seen" else part
        fields = items if part in OF_ITEMS else found
        if keyword in fields:
            raise UsageError(f"{part} is given twice", place="--with", remedy="drop one of the two")
        fields[keyword] = file.path
        if part == "seen":
            items["exclude_seen"] = True
    if items:
        from rankeval.evaluation.prepared import Items  # likewise

        found["items"] = Items(**items)
    return found


LARGE = 50 << 20
"""Total bytes from which on progress is shown."""


@contextmanager
def reading_progress(
    paths: Sequence[str], *, wanted: bool
) -> Iterator[Callable[[str, int], None] | None]:
    """Show the progress of reading, if the files are large and stderr is a terminal."""
    from rankeval.io.blocks import is_rereadable  # --help reads nothing
    from rankeval.io.files import size_of

    sizes = {path: size_of(path) for path in paths if is_rereadable(path)}
    if not wanted or sum(sizes.values()) < LARGE or not sys.stderr.isatty():
        yield None
        return
    from rankeval.output.progress import showing_progress

    with showing_progress(sizes) as update:
        yield update


Jobs = Annotated[
    int | None,
    OTHER(
        "--jobs N",
        "Number of threads that work at once. Default: one per processor.",
        min=1,
    ),
]


@record
class WarningOptions:
    """Warnings and progress."""

    quiet: Annotated[
        bool, OTHER("--quiet", "Print no warnings and no progress on stderr.", common=True)
    ] = False

    verbose: Annotated[
        bool,
        OTHER(
            "--verbose -v",
            "Print all tables, and every warning in full. Default: the main tables, and a line for "
            "each kind of warning, about the run that it affects most.",
            common=True,
        ),
    ] = False

    def warn(self, lines: Iterable[str]) -> None:
        """Print warnings on stderr, unless --quiet is given; a terminal has notes."""
        if self.quiet:
            return
        shown = [*map(printable, lines)]
        if sys.stderr.isatty():
            from rankeval.output.style import Style  # --help needs none of it
            from rankeval.output.text import note
            from rankeval.output.writing import for_terminal

            style = for_terminal(Style(), sys.stderr)
            tell("".join([f"{note(line, style)}\n" for line in shown]))
        else:
            tell("".join([f"rankeval: warning: {line}\n" for line in shown]))

    def of_runs(
        self,
        runs: Sequence["RunResult"],
        digits: int | None = None,
        *,
        said: bool = False,
    ) -> list[str]:
        """Return the warnings of runs whose numbers have some decimals, in brief or in full.

        `said` is True where the result itself says that -v says more.
        """
        from rankeval.evaluation.results import notice_lines  # --help needs no numpy
        from rankeval.output.text import MORE

        full = [*notice_lines(runs, digits)]
        brief = full if self.verbose else [*notice_lines(runs, digits, brief=True)]
        return brief if said or brief == full else [*brief[:-1], f"{brief[-1]}; {MORE}"]

    def write(self, page: "Printout", result: object, warnings: Iterable[str]) -> None:
        """Print a result, and its warnings below; these where a reader leaves early, too."""
        try:
            page.write(result)
        except BrokenPipeError:
            self.warn(warnings)
            raise
        self.warn(warnings)


@record
class RunningOptions(WarningOptions):
    """Warnings, progress and threads."""

    jobs: Jobs = None


Columns = Annotated[
    str | None,
    READING(
        "--columns ROLE=NAME,...",
        "Names of columns that differ from the usual ones: topic=id,docno=item,score=points.",
    ),
]
QrelsFormat = Annotated[
    str | None,
    READING(
        "--qrels-format FORMAT",
        f"Format of the qrels: {', '.join(FILE_FORMATS)}. Default: detected from the content.",
        any_of=FILE_FORMATS,
    ),
]
RunFormat = Annotated[
    str | None,
    READING(
        "--run-format FORMAT", "Format of the runs, as for --qrels-format.", any_of=FILE_FORMATS
    ),
]
OnError = Annotated[
    str | None,
    READING(
        "--on-error RULE",
        "Malformed lines. refuse (default): reject the file; skip: drop and count them.",
        any_of=("refuse", "skip"),
    ),
]
Duplicates = Annotated[
    str | None,
    READING(
        "--duplicates RULE",
        "Documents listed twice for a topic. refuse (default): reject the file; first, "
        "last, best: keep only that line.",
        any_of=("refuse", "first", "last", "best"),
    ),
]
Collapse = Annotated[
    str | None,
    RANKINGS(
        "--collapse [RULE:]REGEX",
        "Collapse chunks into documents: delete what REGEX matches from each docno, such as "
        r"'#\d+$', or keep only its first group. RULE ranks the documents: first (default), by "
        "the best rank of a chunk; max, sum: by the largest score, or the sum of scores.",
    ),
]


@record
class ReadingOptions:
    """The options of how files are read."""

    columns: Columns = None
    qrels_format: QrelsFormat = None
    run_format: RunFormat = None
    on_error: OnError = None
    duplicates: Duplicates = None
    collapse: Collapse = None

    def stated(self) -> Stated:
        """Return the options that were given, named as in `rankeval.options.Settings`."""
        return stated(vars(self))


@record
class Conventions:
    """The options behind `rankeval.options.Settings`."""

    like: Annotated[
        Tool | None,
        MEASURES(
            "--like TOOL",
            f"Follow another tool's conventions: {listed(Tool)}. Other options override them.",
        ),
    ] = None
    min_grade: Annotated[
        float | None,
        MEASURES(
            "--min-grade -l GRADE",
            "Lowest relevant grade, for measures that do not set rel= themselves.",
        ),
    ] = None
    topics: Annotated[
        TopicRule | None,
        RANKINGS(
            "--topics RULE",
            "Topics to evaluate. judged (default): every judged topic, with 0 where the run "
            "lacks it; both: only judged topics that the run has.",
        ),
    ] = None
    skip_no_relevant: Annotated[
        bool, RANKINGS("--skip-no-relevant", "Leave out topics that have no relevant document.")
    ] = False
    depth: Annotated[
        int | None,
        RANKINGS("--depth -M K", "Keep only the first K documents of each topic.", common=True),
    ] = None
    judged_only: Annotated[
        bool, RANKINGS("--judged-only -J", "Drop unjudged documents from the rankings first.")
    ] = False
    drop_self: Annotated[
        bool,
        RANKINGS(
            "--drop-self",
            "First drop each document that has the name of its topic: queries that are documents "
            "(Quora, ArguAna) retrieve themselves.",
        ),
    ] = False
    ties: Annotated[
        TieRule | None,
        RANKINGS(
            "--ties RULE",
            "Order of equal scores. docno (default): docno descending, as in trec_eval; "
            "input: as in the file; rank: by the rank column; best, worst: by grade; "
            "expected: the mean over all orders.",
        ),
    ] = None
    order: Annotated[
        OrderRule | None,
        RANKINGS("--order COLUMN", "Column that orders the documents: score (default) or rank."),
    ] = None

    def stated(self) -> Stated:
        """Return the options that were given, named as in `rankeval.options.Settings`."""
        return stated(vars(self))

    def settings(self, **more: object) -> "Settings":
        """Return the conventions; options not given are as the tool or rankeval has them."""
        from rankeval.evaluation.settings import Settings

        return Settings.like_tool(**self.stated(), **stated(more))


@record
class CollectionOptions:
    """The file of collections."""

    collections: Annotated[
        str | None,
        READING(
            f"{COLLECTIONS} FILE",
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
        **stated: Any,
    ) -> "Results":
        """Evaluate the collections; options of the command line take precedence.

        No output may be a file that the collections name.
        """
        from rankeval.commands.collections.read_collections import read_collections, restated
        from rankeval.commands.collections.task import evaluate_collections, is_there

        found = [
            restated(collection, measures=measures, **stated)
            for collection in read_collections(str(self.collections))
        ]
        runs = [path for one in found for path in one.runs.values()]
        refuse_overwriting(read=[*(one.qrels for one in found), *runs], written=written)
        there = [path for path in runs if is_there(path)]
        with reading_progress(there, wanted=not running.quiet) as progress:
            return evaluate_collections(found, jobs=running.jobs, progress=progress)

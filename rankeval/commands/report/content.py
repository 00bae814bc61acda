"""The content of a report, as values that the page shows."""

import os
from collections.abc import Mapping
from html import escape
from pathlib import PurePath

from rankeval.base.arrays import Floats
from rankeval.base.checked import checked
from rankeval.base.frozen import frozen
from rankeval.base.wording import count
from rankeval.errors import UsageError
from rankeval.evaluation.shown_texts import ShownTexts
from rankeval.io.formats.named_values import RunCosts
from rankeval.plots.form import Numbers
from rankeval.version import __version__


@frozen
class Value:
    """The value of a run over all topics, with its interval and test.

    =========== ==============================================================================
    value       None where undefined
    low, high   ends of the interval of a mean; None without one
    deviation   of the values of a system's runs, with n - 1; None for one run
    difference  from the baseline; None for the baseline itself, and where it is undefined
    ends        of the interval of the difference; None without one
    p_value     of the test against the baseline, corrected over the report; None without
    probability that the run is better, of a test that gives probabilities; None without
    verdict     "better" or "worse" where the test shows a difference, else ""
    wins        topics on which the run is above, equal to and below the baseline; None without one
    best        True for the best value of the measure
    =========== ==============================================================================
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    deviation: float | None = None
    difference: float | None = None
    ends: tuple[float, float] | None = None
    p_value: float | None = None
    probability: float | None = None
    verdict: str = ""
    wins: tuple[int, int, int] | None = None
    best: bool = False


@frozen(eq=False)
class MeasureSection:
    """One measure of a report.

    ========= ================================================================================
    loss      True where less is better
    signature states how it was computed
    summary   the values over all topics, by run
    order     places of the runs in the order in which they are shown, the best first
    values    (runs, topics) float64; NaN where undefined, or where a run lacks the topic
    ========= ================================================================================
    """

    name: str
    loss: bool
    signature: str
    summary: tuple[Value, ...]
    order: tuple[int, ...]
    values: Floats


@frozen
class ReportPicture:
    """A plot as an SVG element, with its title and its numbers.

    `numbers` is None where the table of topics holds them.
    """

    kind: str
    title: str
    svg: str
    numbers: Numbers | None


@frozen
class TopicRankings:
    """The first documents of all runs on one topic.

    ======== =================================================================================
    docnos   each once
    grades   of these; None for an unjudged one
    rankings by run, the places in `docnos` of its first documents, the first rank first
    ======== =================================================================================
    """

    docnos: tuple[str, ...]
    grades: tuple[float | None, ...]
    rankings: tuple[tuple[int, ...], ...]


@frozen
class Explorer:
    """The topics of a report, and the data on them.

    ======== =================================================================================
    topics   all that some run has, in order
    groups   name of a topic's group, by topic
    depth    number of first ranks that are shown
    rankings by topic, of those on which the runs differ most; none where ties leave no one order
    texts    queries of topics, and texts of the documents in `rankings`
    unranked why there are no rankings of any topic
    ======== =================================================================================
    """

    topics: tuple[str, ...]
    groups: Mapping[str, str]
    depth: int
    rankings: Mapping[str, TopicRankings]
    texts: ShownTexts
    unranked: str = "Without one order of equal scores, there are no rankings to show."


@frozen(eq=False)
class Report:
    """One HTML page of an evaluation: everything that it shows.

    `save("report.html")` writes the page, and a notebook shows it.

    ========= ================================================================================
    qrels     path, numbers and digest of the judgments
    runs      names and paths, the baseline first
    sections  one for each measure
    pictures  plots of the first measure, and of curves
    explorer  topics, rankings and texts
    title     heading; "" for one that counts the runs
    print_all True to print everything, and not four pages
    costs     what each run costs; None if that is not known
    digests   SHA-256 of the files of the judgments and of each run, by path
    alpha     1 - the level of the intervals of means, each by itself
    method    a sentence on test, correction and interval; "" for a single run
    settings  conventions that were set, by name
    warnings  what a reader of the numbers must know
    decisive  the warnings among these that change a conclusion
    command   makes the report again
    versions  of rankeval and of what it computes with, by name
    topics    how many topics were averaged, if not all judged ones; "" for all
    verdict   sentences on the first measure: the leader, its lead, runs without a significant one
    conventions a sentence on those that are not the default; none for the default ones
    ========= ================================================================================
    """

    qrels: Mapping[str, object]
    runs: tuple[tuple[str, str], ...]
    sections: tuple[MeasureSection, ...]
    pictures: tuple[ReportPicture, ...]
    explorer: Explorer
    title: str
    print_all: bool
    costs: RunCosts | None
    digests: Mapping[str, str]
    alpha: float
    method: str
    settings: Mapping[str, object]
    warnings: tuple[str, ...]
    decisive: tuple[str, ...]
    command: str
    versions: Mapping[str, str]
    topics: str = ""
    verdict: tuple[str, ...] = ()
    conventions: tuple[str, ...] = ()
    version: str = __version__

    def __repr__(self) -> str:
        """Return the beginning of the page."""
        runs, topics = count(len(self.runs), "run"), count(len(self.explorer.topics), "topic")
        title = self.title or f"Evaluation of {runs}"
        return "\n".join([f"{title}, {topics}", *self.verdict])

    def to_html(self) -> str:
        """Return the page, which needs no other file."""
        from rankeval.commands.report.show import page

        return "".join(page(self))

    @checked
    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file that ends in .html or .htm, whole or not at all."""
        from rankeval.commands.report.show import write_page

        name = os.fspath(path)
        require_page(name)
        write_page(self, name)

    def _repr_html_(self) -> str:
        """Return the page in a frame of its own, whose styles and scripts touch nothing else."""
        style = "width:100%;height:40em;border:1px solid #8884"
        return (
            f'<iframe sandbox="allow-scripts" style="{style}" title="report" '
            f'srcdoc="{escape(self.to_html())}"></iframe>'
        )


SUFFIXES = (".html", ".htm")


def require_page(path: str) -> None:
    """Raise UsageError for a file that is named like no page."""
    if PurePath(path).suffix.lower() not in SUFFIXES:
        raise UsageError(
            "a report is an HTML page", place=path, expected=f"one of {' '.join(SUFFIXES)}"
        )

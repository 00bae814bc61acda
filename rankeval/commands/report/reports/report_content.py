"""The content of a report, as values that the page shows."""

from collections.abc import Mapping

from rankeval.base.frozen import frozen
from rankeval.evaluation.rankings import JudgedDocument
from rankeval.plots.kinds import Numbers
from rankeval.version import __version__


@frozen
class Value:
    """A value of a run: over all topics with its interval and test, or of one topic.

    =========== ==============================================================================
    value       None where undefined
    low, high   ends of the interval of a mean; None without one
    deviation   of the values of a system's runs, with n - 1; None for one run
    difference  from the baseline; None for the baseline itself, and where it is undefined
    ends        of the interval of the difference; None without one
    p_value     of the test against the baseline, corrected over the report; None without
    probability that the run is better, of a test that gives probabilities; None without
    verdict     "better" or "worse" where the test shows a difference, else ""
    best        True for the best value of the measure
    shade       of a topic's value, from 0 to 9; None where undefined
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
    best: bool = False
    shade: int | None = None


@frozen
class TopicRow:
    """The values of all runs on one topic."""

    topic: str
    values: tuple[Value, ...]


@frozen
class MeasureSection:
    """One measure: its signature, the values over all topics by run, and those of every topic."""

    name: str
    loss: bool
    signature: str
    summary: tuple[Value, ...]
    topics: tuple[TopicRow, ...]


@frozen
class Picture:
    """A plot as an SVG element, with its title, what it shows, and its numbers.

    `numbers` is empty where the tables of topics hold them.
    """

    kind: str
    title: str
    words: str
    svg: str
    numbers: tuple[Numbers, ...] = ()


@frozen
class TopicDocuments:
    """The judged documents of one topic among the first ranks of any run.

    ========= ================================================================================
    topic     name
    documents the best grades first, and then the best ranks
    left_out  number of further documents, with lower grades or ranks
    unjudged  number of unjudged documents among the first ranks of each run
    ========= ================================================================================
    """

    topic: str
    documents: tuple[JudgedDocument, ...]
    left_out: int
    unjudged: tuple[int, ...]


@frozen
class Documents:
    """The documents of the topics on which the runs differ most.

    `depth` is the number of first ranks; `every` is True if all topics are there.
    """

    depth: int
    topics: tuple[TopicDocuments, ...]
    every: bool


@frozen
class InputFile:
    """A file that was read.

    ======== =================================================================================
    name     "Judgments", or the name of the run
    path     "" for values in memory
    digest   SHA-256 of the file's bytes; "" for a pipe
    check    what `rankeval check` says of the file, as text; "" for a pipe
    warnings the warnings among them
    ======== =================================================================================
    """

    name: str
    path: str
    digest: str = ""
    check: str = ""
    warnings: tuple[str, ...] = ()


@frozen
class Report:
    """Everything that the page shows.

    ========= ================================================================================
    qrels     path, numbers and digest of the judgments
    runs      names and paths, the baseline first
    sections  one for each measure
    pictures  plots of the first measure, and of curves
    documents judged documents by topic; None where ties leave them without one rank
    files     the judgments, and then the runs
    alpha     1 - the level of the intervals of means, each by itself
    method    a sentence on test, correction and interval; "" for a single run
    settings  conventions that were set, by name
    warnings  what a reader of the numbers must know
    command   makes the report again
    versions  of rankeval and of what it computes with, by name
    topics    how many topics were averaged, if not all judged ones; "" for all
    verdict   sentences on the first measure: who leads, by how much, from whom it is not told
    conventions a sentence on those that are not the default; none for the default ones
    ========= ================================================================================
    """

    qrels: Mapping[str, object]
    runs: tuple[tuple[str, str], ...]
    sections: tuple[MeasureSection, ...]
    pictures: tuple[Picture, ...]
    documents: Documents | None
    files: tuple[InputFile, ...]
    alpha: float
    method: str
    settings: Mapping[str, object]
    warnings: tuple[str, ...]
    command: str
    versions: Mapping[str, str]
    topics: str = ""
    verdict: tuple[str, ...] = ()
    conventions: tuple[str, ...] = ()
    version: str = __version__

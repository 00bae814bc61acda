"""Take anything that can be a run: files, mappings, tables, columns, rows, lines in memory."""

import os
import stat
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import field, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, cast

from rankeval.base.checked import checked
from rankeval.base.dicts import ByDocument, ByTopic
from rankeval.base.frozen import frozen
from rankeval.base.wording import count, described
from rankeval.errors import UsageError
from rankeval.io.formats import trec
from rankeval.io.formats.detect_format import IN_MEMORY, ReadableFile
from rankeval.io.formats.file_format import Form
from rankeval.io.formats.formats import check_name
from rankeval.io.parsers.column_names import require_roles
from rankeval.io.parsers.columns import Columns
from rankeval.io.python_values import columns_of, is_row
from rankeval.io.read import map_blocks
from rankeval.io.sources.blocks import display_name, is_rereadable
from rankeval.io.sources.parts import STDIN
from rankeval.io.topic_order import held_whole, itself
from rankeval.ranking.in_memory import (
    NO_NAMES,
    AnyTable,
    Columnwise,
    DataTable,
    Rows,
    TaggedRun,
    as_table,
    file_to_read,
    is_lazy,
    is_ranx,
    parts_in_memory,
)
from rankeval.ranking.topk import Gathered, TopK, from_topk

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

Result = TypeVar("Result")

Scores = Mapping[str, Mapping[str, float]]
"""{topic: {docno: score}}."""

PAIR = ("docno", "score")
"""What is meant where a topic has rows of two fields, which are no rows of a run."""


@checked
@frozen(eq=False)
class Seeds:
    """Several runs of one system, such as one for each random seed.

    The system has the mean of its runs for every topic, and tests count the variance of topics and
    of runs. A path with {seed}, such as "runs/{seed}/bm25.run", is the same for files. UsageError
    for fewer than two runs.

    >>> from rankeval import Seeds, evaluate
    >>> first, second = {"q1": {"d1": 2, "d7": 1}}, {"q1": {"d7": 2, "d1": 1}}
    >>> results = evaluate({"q1": {"d1": 1}}, {"dense": Seeds([first, second])}, "RR")
    >>> score = results["dense"]["RR"]
    >>> score.mean, round(score.deviation, 4), [seed.mean for seed in score.seeds]
    (0.75, 0.3536, [1.0, 0.5])
    """

    runs: "Sequence[RunLike]"

    def __post_init__(self) -> None:
        if isinstance(self.runs, str | os.PathLike) or len(self.runs) < 2:
            raise UsageError(
                f"{described(self.runs)} are no runs of one system",
                expected="two runs or more, one for each seed",
            )


@frozen(eq=False)
class RunSource:
    """A run, and how its lines are read: from a file, or from a value in memory.

    path    the file that the lines come from; "" for none
    parts   the lines, block by block; None if they were not read yet
    dropped lines that are wrong and were left out, counted by kind
    given   the run as the caller gave it; None if only its lines are known
    name    the name that the caller gave the run; "" for none
    is_rows True for the lines of a table, whose rows count from 0 in messages
    """

    path: str = ""
    parts: tuple[Columns, ...] | None = None
    dropped: Mapping[str, int] = field(default_factory=dict)
    given: Any = None
    name: str = ""
    is_rows: bool = False

    @classmethod
    def of(cls, run: "RunLike") -> "RunSource":
        """Take a run; nothing is read, and what is no run is refused when its lines are."""
        if isinstance(run, Run):
            return run.source
        if isinstance(run, RunSource):
            return run
        return cls(os.fspath(run) if isinstance(run, str | os.PathLike) else "", given=run)

    @property
    def is_file(self) -> bool:
        """True if the lines are read from the file at `path`."""
        return self.parts is None and isinstance(self.given, str | os.PathLike)

    @property
    def is_by_topic(self) -> bool:
        """True for {topic: {docno: score}}."""
        return isinstance(self.given, Mapping) and as_table(self.given) is None

    @property
    def whole_topics(self) -> Iterator[Columns] | None:
        """The lines in pieces of whole topics; None if topics may be scattered."""
        return self.given.pieces() if isinstance(self.given, TopK | Gathered) else None

    @property
    def n_lines(self) -> int:
        """An estimate of the lines of a run in memory."""
        values: Iterable[object] = [self.given if self.parts is None else self.parts]
        if isinstance(self.given, Mapping):
            values = self.given.values()
        return sum(len(v) for v in values if isinstance(v, Sized) and getattr(v, "shape", 1) != ())

    def lines(self, form: Form) -> "RunSource":
        """Parse a run in memory; a file stays as it is.

        UsageError for what is no run.
        """
        if self.is_file or self.parts is not None:
            return self
        file = file_to_read(self.given, form)
        if file is None:
            is_rows = not self.is_by_topic and not is_ranx(self.given)
            return RunSource(parts=_columns_of(self.given, form), is_rows=is_rows)
        path, form = file
        if form.begun is None:
            return RunSource.of(path)
        found = _read(path, form)
        return replace(found, path="") if path == IN_MEMORY else found

    def as_read(self, form: Form) -> "RunSource":
        """Parse a run in memory, as `lines` does, but for arrays, which stay as they are."""
        return self.lines(form) if self.whole_topics is None else self

    @property
    def is_iterator(self) -> bool:
        """True for rows that can be gone through only once."""
        given = self.given
        return isinstance(given, Iterator) and not (
            isinstance(given, DataTable) or hasattr(given, "read")
        )

    def once(self, form: Form) -> "RunSource":
        """Read the lines of an open file or an iterator, which can be read only once."""
        return self.lines(form) if self.is_iterator or hasattr(self.given, "read") else self

    def again(self, form: Form, *, jobs: int = 1) -> "RunSource":
        """Return the run in a form that can be read again: lines in memory, unless a file can."""
        run = self.lines(form)
        if run.is_file and not is_rereadable(run.path):
            return _read(run.path, form, jobs=jobs)
        return run

    def map_parts(
        self, form: Form, work: Callable[[Columns], Result], *, jobs: int = 1
    ) -> Generator[Result, None, None]:
        """Yield what `work` returns for each part of the lines, such as a block of a file."""
        run = self.lines(form)
        if run.parts is None:
            yield from map_blocks(run.path, form, work, jobs=jobs)
        else:
            yield from map(work, run.parts)


class Run:
    """A run, to be kept under a name where it is used several times.

    ======= ================================================================================
    source  a path or an open file, {topic: {docno: score}}, a table of pandas, Polars, pyarrow
            or the like, a LazyFrame, {column: values}, or rows
    name    in results; by default the run's tag, or that of its file
    columns names of columns, where they do not tell their roles: {"topic": "user",
            "docno": "item"}
    format  that of a file; by default found by its content
    ======= ================================================================================

    Every function that takes a run takes all of these, too. A file is read where the run is used.

    Topics and documents are found as text and as integers: `run["7"][12]`. UsageError for what
    holds no run.

    >>> from rankeval import Run, evaluate
    >>> bm25 = Run({"q1": {"d1": 0.5, "d2": 0.75}}, name="bm25")
    >>> bm25["q1"]["d2"]
    0.75
    >>> evaluate({"q1": {"d1": 1}}, bm25, "RR").to_dict()
    {'bm25': {'RR': 0.5}}
    """

    source: RunSource

    @checked
    def __init__(
        self,
        source: "RunLike",
        *,
        name: str = "",
        columns: Mapping[str, str] | None = None,
        format: str | None = None,  # noqa: A002  the word of every other reader
    ) -> None:
        """Take a run; a file that needs `columns` or a `format` is read at once."""
        if isinstance(source, Seeds):
            raise UsageError("Seeds are several runs of one system", expected="one run")
        found = RunSource.of(source)
        check_name(format)
        form = Form("run", format, require_roles(columns or {}), ranks=True)
        if found.is_file and (columns or format):
            found = _read(found.path, form)
        elif not found.is_file and not isinstance(found.given, TopK):
            found = found.again(form)
        vars(self)["source"] = replace(found, name=name or found.name)

    @classmethod
    @checked
    def from_topk(
        cls,
        ids: "ArrayLike",
        scores: "ArrayLike | None" = None,
        topics: "ArrayLike | None" = None,
        pad: int | str | bytes = -1,
        *,
        name: str = "",
    ) -> "Run":
        """Make a run of the first k documents of n topics, given as an array (n, k).

        ====== =============================================================================
        ids    documents as integers, text or bytes, in an array of NumPy, a tensor, a table of
               pandas or Polars, or a list of rows
        scores of the same shape; without it, the order of the columns is the ranking
        topics n names; by default the numbers 0 to n - 1 of the rows
        pad    stands where a row has fewer than k documents; None, NaN and "" among names, and
               a masked place (`numpy.ma`) hold no document either
        name   in results
        ====== =============================================================================

        Integers match names that are the same digits: 7 is the document "7".

        Everything is copied, some rows at a time, so that the run stays as it is where the arrays
        change. Names take as little memory as integers do. Tensors may need gradients, and be of
        bfloat16 or on another device.

        Raises UsageError for arrays that do not fit, InputError for a score that is not finite, for
        what is no name, and for a topic that has two rows.

        >>> from rankeval import Evaluator, Run
        >>> run = Run.from_topk([[11, 12, 13], [12, 14, -1]])
        >>> Evaluator({0: {12: 1}, 1: {12: 1, 15: 1}}, "RR R@3").means(run)
        {'RR': 0.75, 'R@3': 0.75}
        >>> run = Run.from_topk([["tea", "cup"]], [[0.5, 0.75]], topics=["ann"])
        >>> Evaluator({"ann": {"cup": 1}}, "RR").means(run)
        {'RR': 1.0}
        """
        return cls(from_topk(ids, scores, topics, pad), name=name)

    @property
    def name(self) -> str:
        """The name that was given; "" for none."""
        return self.source.name

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Run cannot be changed: Run(source, {name}=...) makes another")

    def __repr__(self) -> str:
        """Show the name and where the run comes from."""
        named = f" {self.name}" if self.name else ""
        if self.source.is_file:
            return f"<Run{named} of {display_name(self.source.path)}>"
        if isinstance(self.source.given, TopK):
            return f"<Run{named}: {self.source.given.size}>"
        documents = sum(map(len, self._rankings.values()))
        return f"<Run{named}: {count(len(self), 'topic')}, {count(documents, 'document')}>"

    @cached_property
    def _rankings(self) -> ByTopic[ByDocument[float]]:
        """The scores by topic and docno, read at their first use."""
        found: ByTopic[ByDocument[float]] = ByTopic()
        for part in self.source.map_parts(Form("run"), itself):
            found.update((_as_text(topic), ByDocument()) for topic in part.empty)
            docnos = [_as_text(docno) for docno in part.docnos.tolist()]
            values = part.values.tolist()
            for topic, (start, end) in zip(
                part.topics, pairwise(part.starts.tolist()), strict=True
            ):
                ranking = found.setdefault(_as_text(topic), ByDocument())
                ranking.update(zip(docnos[start:end], values[start:end], strict=True))
        return found

    def __getitem__(self, topic: str | int) -> ByDocument[float]:
        """Return {docno: score} of a topic; 7 finds the topic "7", and 12 the document "12"."""
        return self._rankings[topic]

    def __contains__(self, topic: object) -> bool:
        """Return True for a topic of the run."""
        return topic in self._rankings

    def __iter__(self) -> Iterator[str]:
        return iter(self._rankings)

    def __len__(self) -> int:
        """Count the topics."""
        return len(self._rankings)


def _as_text(name: bytes) -> str:
    return name.decode("utf-8", "surrogateescape")


RUN_IN_WORDS = (
    "a path, an open file, {topic: {docno: score}}, a table, {column: values} or rows "
    "of topic, docno and score"
)

RunLike = Annotated[
    Scores
    | str
    | os.PathLike[str]
    | ReadableFile
    | Columnwise
    | AnyTable
    | Rows
    | TaggedRun
    | Run
    | TopK
    | RunSource
    | Seeds,
    RUN_IN_WORDS,
]
"""A run: path, open file, {topic: {docno: score}}, table, {column: values}, rows, ranx's Run;
or several runs of one system."""

RunsLike = Annotated[
    RunLike | Sequence[RunLike] | Mapping[str, RunLike],
    f"a run, several, or {{name: run}}; a run is {RUN_IN_WORDS}",
]
"""One run, several, or {name: run}."""


def _read(path: str, form: Form, *, jobs: int = 1) -> RunSource:
    """Read a run and keep all of its lines."""
    parts = tuple(held_whole(map_blocks(path, form, itself, jobs=jobs), path))
    return RunSource(path, parts, dict(form.problems.counts) if form.problems else {})


def _columns_of(run: Any, form: Form) -> tuple[Columns, ...]:
    """Return the lines of a value in memory."""
    if isinstance(run, Seeds):
        raise UsageError("Seeds are several runs of one system", expected="one run")
    if isinstance(run, TopK | Gathered):
        return tuple(run.pieces())
    if is_ranx(run):
        return (_tagged(run),)
    found = None
    if getattr(run, "shape", None) != ():
        found = parts_in_memory(run, replace(form, what="run"))
    if found is None and isinstance(run, Mapping):
        found = (columns_of(cast("Scores", run), trec.RUN),)
    if found is None:
        raise _no_run(run)
    return found or (columns_of({}, trec.RUN),)


def _tagged(run: Any) -> Columns:
    """Return a run of ranx, whose name is its tag."""
    columns = columns_of(run.to_dict(), trec.RUN)
    if run.name:
        tag = str(run.name).encode("utf-8", "surrogateescape")
        columns = replace(columns, tags=frozenset([tag]), last_tag=tag)
    return columns


def _no_run(run: object) -> UsageError:
    return UsageError(
        f"{described(run)} is no run",
        expected=RUN_IN_WORDS,
    )


def run_sources(
    runs: RunsLike, columns: Mapping[str, str] = NO_NAMES, *, by_topic: bool = False
) -> tuple[list[RunSource], tuple[str | None, ...] | None]:
    """Return one run or several, and the names of {name: run} or of each Run, or None.

    `columns` are the names of columns by their roles. A dictionary of empty ones is refused, as
    it may hold topics or named runs; with `by_topic`, it is one run.
    """
    if not by_topic and _are_empty(runs):
        raise _unclear("the dictionary holds empty dictionaries: topics of one run, or named runs")
    named = _named(runs, columns)
    listed = [*map(RunSource.of, _listed(runs, columns) if named is None else named.values())]
    if named is not None:
        return listed, (*named,)
    names = [source.name or None for source in listed]
    return listed, (*names,) if any(names) else None


def _listed(runs: RunsLike, columns: Mapping[str, str]) -> list[RunLike]:
    if _is_single(runs):
        return [runs]
    if not isinstance(runs, Iterable) or getattr(runs, "shape", None) == ():
        raise _no_run(runs)
    together = list(runs)
    if not together:
        return [together] if isinstance(runs, Iterator) else []  # rows that have ended
    return [together] if is_row(together[0], "run", columns) else together


def _is_single(runs: object) -> bool:
    return (
        isinstance(runs, str | os.PathLike | Mapping | DataTable | Run | RunSource | Seeds | TopK)
        or is_ranx(runs)
        or hasattr(runs, "read")
        or hasattr(runs, "__dataframe__")
        or is_lazy(runs)
        or getattr(getattr(runs, "dtype", None), "names", None) is not None
    )


def _named(runs: object, columns: Mapping[str, str]) -> dict[str, RunLike] | None:
    """Return the runs of {name: run}; None for anything else, such as one run by topic.

    UsageError for a mapping that holds runs, and something else.
    """
    if not isinstance(runs, Mapping) or not runs or as_table(runs, "run", columns) is not None:
        return None
    are_runs = [_is_run(value, columns) for value in runs.values()]
    if not any(are_runs):
        return None
    if not all(are_runs):
        other = next(name for name, is_run in zip(runs, are_runs, strict=True) if not is_run)
        raise _unclear(f"the dictionary holds runs, and {described(runs[other])} under {other!r}")
    return {str(name): run for name, run in runs.items()}


def _are_empty(runs: object) -> bool:
    """Return True for a dictionary of empty ones: of topics, or of named runs."""
    return (
        isinstance(runs, Mapping)
        and bool(runs)
        and all(isinstance(value, Mapping) and not value for value in runs.values())
    )


def _unclear(problem: str) -> UsageError:
    return UsageError(
        problem,
        expected="one run, {topic: {docno: score}}, or named runs, {name: run}",
        remedy="write {'NAME': run} for named runs, and [run] for one run",
    )


def _is_run(value: object, columns: Mapping[str, str]) -> bool:
    """Return True for a run, False for {docno: score} and for anything else."""
    if isinstance(value, dict | Mapping):  # to be a dict is quicker to find out
        if isinstance(next(iter(value.values()), None), float | int):  # a score of a topic
            return False
        return (as_table(value, "run", columns) is not None and len(value) > 1) or (
            bool(value) and all(isinstance(ranking, Mapping) for ranking in value.values())
        )
    if _is_single(value) or isinstance(value, Iterator):
        return True
    first = value[0] if isinstance(value, Sequence) and value else None
    return is_row(first, "run", columns) and len(cast("Sequence[Any]", first)) > len(PAIR)


def name_given(run: object) -> str | None:
    """Return the name of a Run; None for a run without one."""
    return (run.name or None) if isinstance(run, Run) else None


def file_given(run: object) -> str:
    """Return the path that a run was given as; "" for a value in memory."""
    given = _given(run)
    return os.fspath(given) if isinstance(given, str | os.PathLike) else ""


def _given(run: object) -> object:
    """Return a run as it was given."""
    source = run.source if isinstance(run, Run) else run
    return source.given if isinstance(source, RunSource) else source


def refuse_stdin_twice(*inputs: object) -> None:
    """Raise UsageError if standard input, or a pipe, is more than one of the inputs."""
    given = (_given(value) for value in inputs if value is not None)
    paths: list[str] = [os.fspath(v) for v in given if isinstance(v, str | os.PathLike)]
    if paths.count(STDIN) > 1:
        raise UsageError(
            "standard input (-) is named more than once, but can be read only once",
            remedy="write it to a file first",
        )
    pipes = set()
    for path in paths:
        pipe = _pipe(path)
        if pipe is not None and pipe in pipes:
            raise UsageError(
                "this pipe is named more than once, but can be read only once",
                place=display_name(path),
                remedy="write it to a file first",
            )
        pipes.add(pipe)


def _pipe(path: str) -> tuple[int, int] | None:
    """Return a key that all names of a pipe share; None for other files."""
    from pathlib import Path

    try:
        found = os.fstat(0) if path == STDIN else Path(path).stat()
    except (OSError, ValueError):  # opening it will report the error
        return None
    return (found.st_dev, found.st_ino) if stat.S_ISFIFO(found.st_mode) else None

"""Take anything that can be a run: files, mappings, tables, columns, rows, lines in memory."""

import os
import stat
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar, cast

import numpy as np

from rankeval.base.checked import checked
from rankeval.base.frozen import ByDocument, ByTopic, field, record, replace
from rankeval.base.wording import count, described
from rankeval.errors import InputError, UsageError
from rankeval.io import formats
from rankeval.io.blocks import display_name, is_rereadable
from rankeval.io.column_names import find_roles, require_roles
from rankeval.io.columns import Columns
from rankeval.io.files import STDIN, StrPath
from rankeval.io.formats import IN_MEMORY, Form, ReadableFile, check_name
from rankeval.io.python_values import columns_of, encoded, is_ranking, is_row
from rankeval.io.read import map_blocks
from rankeval.io.topic_order import gathered, held_whole, itself
from rankeval.ranking.duplicates import without_rows
from rankeval.ranking.in_memory import (
    NO_NAMES,
    AnyTable,
    ByTopicAndDocument,
    Columnwise,
    DataTable,
    Rows,
    TaggedRun,
    as_table,
    collected,
    file_to_read,
    is_ranx,
    names_of_columns,
    parts_in_memory,
)
from rankeval.ranking.topk import from_topk, ranking_of, text_of

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

Result = TypeVar("Result")

Scores = Mapping[str, Mapping[str, float]]
"""{topic: {docno: score}}."""


@checked
@record
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
        if isinstance(self.runs, str) or not hasattr(self.runs, "__len__") or len(self.runs) < 2:
            raise UsageError(
                f"{described(self.runs)} are not several runs of one system",
                expected="two runs or more, one for each seed",
            )


@record
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
        """Take a run; nothing is read, and a wrong run is refused when its lines are read."""
        if isinstance(run, RunSource):
            return run
        if isinstance(run, Run):
            return run.source
        path = os.fspath(run) if isinstance(run, str | os.PathLike) else ""
        given = collected(run)
        name = "" if given is run else getattr(run, "name", None) or ""  # of a run of ranx
        return cls(path, given=given, name=str(name))

    @property
    def is_file(self) -> bool:
        """True if the lines are read from the file at `path`."""
        return self.parts is None and isinstance(self.given, str | os.PathLike)

    @property
    def is_by_topic(self) -> bool:
        """True for {topic: {docno: score}}."""
        return isinstance(self.given, Mapping) and as_table(self.given) is None

    def lines(self, form: Form) -> "RunSource":
        """Parse a run in memory; a file stays as it is.

        UsageError for what cannot be read as a run.
        """
        if self.is_file or self.parts is not None:
            return self
        file = file_to_read(self.given, form)
        if file is None:
            parts = _columns_of(self.given, form)
            dropped = dict(form.problems.counts) if form.problems else {}
            is_rows = not self.is_by_topic
            return RunSource(parts=parts, dropped=dropped, name=self.name, is_rows=is_rows)
        path, form = file
        if form.begun is None:
            return RunSource.of(path)
        found = _read(path, form)
        return replace(found, path="") if path == IN_MEMORY else found

    def once(self, form: Form) -> "RunSource":
        """Read the lines of an open file or an iterator, which can be read only once."""
        return self.lines(form) if _is_once(self.given) or hasattr(self.given, "read") else self

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


def _is_once(given: object) -> bool:
    """Return True for rows that can be gone through only once."""
    return isinstance(given, Iterator) and not (
        isinstance(given, DataTable) or hasattr(given, "read")
    )


class Run(ByTopicAndDocument):
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

    A run is a mapping, {topic: {docno: score}}. Topics and documents are found as text and as
    integers: `run["7"][12]`. UsageError for what holds no run.

    >>> from rankeval import Run, evaluate
    >>> bm25 = Run({"q1": {"d1": 0.5, "d2": 0.75}}, name="bm25")
    >>> bm25["q1"]["d2"], dict(bm25)
    (0.75, {'q1': {'d1': 0.5, 'd2': 0.75}})
    >>> bm25.save("bm25.run")
    >>> Run("bm25.run") == bm25
    True
    >>> evaluate({"q1": {"d1": 1}}, bm25, "RR").to_dict()
    {'bm25': {'RR': 0.5}}
    """

    LAYOUT = formats.RUN

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
        found = RunSource.of(source)
        check_name(format)
        form = Form("run", format, require_roles(columns or {}), ranks=True)
        if found.is_file and (columns or format):
            found = _read(found.path, form)
        elif not found.is_file:
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

        Everything is copied, so that the run stays as it is where the arrays change. Tensors may
        need gradients, and be of bfloat16 or on another device.

        Raises UsageError for arrays that do not fit, InputError for a score that is not finite, for
        what is not a name, and for a topic that has two rows.

        >>> from rankeval import Evaluator, Run
        >>> run = Run.from_topk([[11, 12, 13], [12, 14, -1]])
        >>> Evaluator({0: {12: 1}, 1: {12: 1, 15: 1}}, "RR R@3").means(run)
        {'RR': 0.75, 'R@3': 0.75}
        >>> run = Run.from_topk([["tea", "cup"]], [[0.5, 0.75]], topics=["ann"])
        >>> Evaluator({"ann": {"cup": 1}}, "RR").means(run)
        {'RR': 1.0}
        """
        return cls(RunSource(parts=(from_topk(ids, scores, topics, pad),)), name=name)

    @property
    def name(self) -> str:
        """The name that was given; "" for none."""
        return self.source.name

    @property
    def _tag(self) -> str:
        """The name, else the tag of the first lines."""
        if self.name:
            return self.name
        parts = self.source.map_parts(Form("run"), itself)
        return next((_as_text(part.last_tag) for part in parts if part.last_tag), "")

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Run cannot be changed: Run(source, {name}=...) makes another")

    def __repr__(self) -> str:
        """Show the name and where the run comes from."""
        named = f" {self.name}" if self.name else ""
        if self.source.is_file:
            return f"<Run{named} of {display_name(self.source.path)}>"
        documents = sum(map(len, self._rankings.values()))
        return f"<Run{named}: {count(len(self), 'topic')}, {count(documents, 'document')}>"

    @cached_property
    def _rankings(self) -> ByTopic[ByDocument[float]]:
        """The scores by topic and docno, read at their first use."""
        found: ByTopic[ByDocument[float]] = ByTopic()
        for part in self.source.map_parts(Form("run"), itself):
            docnos = [_as_text(docno) for docno in part.docnos.tolist()]
            values = part.values.tolist()
            for topic, (start, end) in zip(
                part.topics, pairwise(part.starts.tolist()), strict=True
            ):
                ranking = found.setdefault(_as_text(topic), ByDocument())
                ranking.update(zip(docnos[start:end], values[start:end], strict=True))
            for topic in part.empty:
                found.setdefault(_as_text(topic), ByDocument())
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
    | StrPath
    | ReadableFile
    | Columnwise
    | AnyTable
    | Rows
    | TaggedRun
    | Run
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
    named = _by_name(run, form)
    if len(named) > 1:
        raise UsageError(
            f"the table holds {count(len(named), 'run')}: {', '.join(named)}",
            expected="one run",
            remedy="choose the rows of one",
        )
    found = next(iter(named.values()), None)
    if found is None and getattr(run, "shape", None) != ():
        found = parts_in_memory(run, replace(form, what="run"))
    if found is None and isinstance(run, Mapping):
        found = (columns_of(cast("Scores", run), formats.RUN),)
    if found is None:
        raise UsageError(f"{described(run)} cannot be read as a run", expected=RUN_IN_WORDS)
    return found or (columns_of({}, formats.RUN),)


Kind = Literal["run", "table", "empty", "empties", "named", "listed", "scores", "other"]

SCORE = (float, int)

NO_RUNS = ("scores", "listed", "empty", "named", "other")
"""What cannot be a run in {name: run}."""


ONE_RUN = (str, os.PathLike, Run, RunSource, Seeds, Columns)


def what_is(  # noqa: PLR0911  one for each kind
    given: object, columns: Mapping[str, str] = NO_NAMES
) -> Kind:
    """Say what a value is that was given as a run, or as several; the one place that asks.

    ======= ================================================
    run     one run, in any form but a table
    table   a table, or {column: values}
    empty   a dictionary, a list or the like without anything
    empties {topic: {}}, or {name: {}}
    named   {name: run}
    listed  several runs, or the documents of a topic
    scores  {docno: score}
    other   anything else
    ======= ================================================

    `columns` are names of columns by roles.
    """
    if isinstance(given, dict) or (isinstance(given, Mapping) and not isinstance(given, Run)):
        return _what_mapping_is(given, columns)
    if isinstance(given, ONE_RUN) or hasattr(given, "read") or is_ranx(given):
        return "run"
    if as_table(given, "run", columns) is not None:
        return "table"
    if isinstance(given, Iterator):
        return "run"
    if not isinstance(given, Iterable) or getattr(given, "shape", None) == ():
        return "other"
    for first in given:
        return "run" if _is_row(first, columns) else "listed"
    return "empty"


def _what_mapping_is(given: Mapping[Any, Any], columns: Mapping[str, str]) -> Kind:
    if not given:
        return "empty"
    if isinstance(next(iter(given.values())), SCORE):
        return "scores"
    if as_table(given, "run", columns) is not None:
        return "table"
    kinds = [what_is(value, columns) for value in given.values()]
    if set(kinds) == {"empty"}:
        return "empties"
    if not all(kind in NO_RUNS for kind in kinds):
        return "named"
    is_ranked = (isinstance(value, Mapping) or is_ranking(value) for value in given.values())
    return "run" if all(is_ranked) else "scores"


def _is_row(first: object, columns: Mapping[str, str]) -> bool:
    """Return True for a row of a run; (docno, score) is one of a topic's documents."""
    is_pair = isinstance(first, tuple | list) and len(first) == 2
    return is_row(first, "run", columns) and not (is_pair and not hasattr(first, "_fields"))


def run_sources(
    runs: RunsLike, columns: Mapping[str, str] = NO_NAMES, *, by_topic: bool = False
) -> tuple[list[RunSource], tuple[str | None, ...] | None]:
    """Return one run or several, and the names of {name: run} or of each Run, or None.

    `columns` are the names of columns by their roles. A dictionary of empty ones is of named runs;
    with `by_topic`, of topics.
    """
    given: Any = runs
    if _is_once(given):
        given = list(given)  # rows, or runs
        if not given:
            raise InputError("has no rows", place="run", expected="one row or more")
    kind = what_is(given, columns)
    if kind == "named" or (kind == "empties" and not by_topic):
        for name, run in given.items():
            if (of_run := what_is(run, columns)) in NO_RUNS and of_run != "empty":
                raise UsageError(
                    f"the dictionary holds runs, and {described(run)} under {name!r}",
                    expected="one run, {topic: {docno: score}}, or named runs, {name: run}",
                    remedy="write {'NAME': run} for named runs, and [run] for one run",
                )
        return [*map(RunSource.of, given.values())], tuple(map(str, given))
    if kind == "table" and (named := _by_name(given, Form("run", columns=columns, ranks=True))):
        sources = [RunSource(parts=parts, is_rows=True) for parts in named.values()]
        return sources, tuple(name or None for name in named)
    several = kind == "listed" or (kind == "empty" and not isinstance(given, Mapping))
    listed = [*map(RunSource.of, given if several else [given])]
    names = [source.name or None for source in listed]
    return listed, (*names,) if any(names) else None


def named_runs(
    *given: "RunLike | Mapping[str, RunLike]", columns: Mapping[str, str] = NO_NAMES
) -> tuple["list[RunLike]", list[str | None]]:
    """Take each run out of its {name: run}, with the name; None for a run without one."""
    every = [run_sources(one, columns, by_topic=True) for one in given]
    for sources, _ in every:
        if len(sources) != 1:
            raise UsageError(f"found {count(len(sources), 'run')}", expected="one run")
    return [source for (source,), _ in every], [own[0] if own else None for _, own in every]


def _by_name(table: Any, form: Form) -> dict[str, tuple[Columns, ...]]:
    """Return the lines of each run of a table with a column of their names; none without one."""
    table = as_table(table, "run", form.columns)
    if table is None:
        return {}
    if "tag" not in (find_roles(names_of_columns(table), "run", form.columns) or ()):
        return {}
    found: dict[bytes, list[Columns]] = {}
    for part in parts_in_memory(table, replace(form, what="run", keep=True)) or ():
        tags = np.array(part.kept["tag"].tolist(), dtype=object)
        for tag in dict.fromkeys(tags.tolist()):
            own = without_rows(replace(part, kept={}), np.flatnonzero(tags != tag))
            found.setdefault(tag, []).append(own)
    return {_as_text(tag): tuple(parts) for tag, parts in found.items()}


def name_given(run: object) -> str | None:
    """Return the name of a Run; None for a run without one."""
    return (run.name or None) if isinstance(run, Run) else None


def file_given(run: object) -> str:
    """Return the path that a run was given as; "" for a value in memory."""
    source = run.source if isinstance(run, Run) else run
    given = source.given if isinstance(source, RunSource) else source
    return os.fspath(given) if isinstance(given, str | os.PathLike) else ""


def refuse_stdin_twice(*inputs: object) -> None:
    """Raise UsageError if standard input, or a pipe, is more than one of the inputs."""
    known: set[object] = set()
    for path in filter(None, map(file_given, inputs)):
        is_stdin = path == STDIN
        keys = set[object]([STDIN] * is_stdin)
        with suppress(OSError, ValueError):  # opening it will report the error
            found = os.fstat(0) if is_stdin else os.stat(path)  # noqa: PTH116  it takes any text
            if stat.S_ISFIFO(found.st_mode):
                keys.add((found.st_dev, found.st_ino))  # which all names of a pipe share
        if keys & known:
            raise UsageError(
                f"{'standard input (-)' if is_stdin else 'this pipe'} is named more than once, but "
                "can be read only once",
                place="" if is_stdin else display_name(path),
                remedy="write it to a file first",
            )
        known |= keys


Batch = Columns | dict[str, Mapping[Any, float]]
"""Rankings of some topics: the lines of arrays, or {topic: {docno: score}}."""


class Batches:
    """Batches whose topics are all different; threads may add them at once."""

    def __init__(self) -> None:
        """Begin without any."""
        self._rankings: dict[str, Any] = {}
        self._parts: list[Columns] = []
        self._owner: dict[bytes, Batch] = {}

    def add(self, batch: Batch) -> None:
        """Add a batch, whole or not at all; UsageError for a topic that is there."""
        names = (
            [*batch.topics, *batch.empty]
            if isinstance(batch, Columns)
            else encoded([*batch], "topic")
        )
        for place, name in enumerate(names):
            if self._owner.setdefault(name, batch) is not batch:  # one step, also among threads
                for own in {*names[:place]}:
                    del self._owner[own]
                raise UsageError(
                    f"topic {name.decode(errors='backslashreplace')!r} was added before",
                    remedy="add each topic once, or call reset() between two runs",
                )
        if isinstance(batch, Columns):
            self._parts.append(batch)
        else:
            self._rankings.update(batch)

    def run(self) -> RunLike:
        """Return one run of all batches."""
        if not self._parts:
            return {**self._rankings}
        return RunSource(parts=(columns_of(self._rankings, formats.RUN), *self._parts))


def batch_of(
    ids: "RunLike | ArrayLike",
    scores: "ArrayLike | None",
    topics: "ArrayLike | None",
    pad: int | str | bytes,
) -> Batch:
    """Return arrays of several topics, lists of one topic, or any run as a batch."""
    if isinstance(topics, str | bytes | int | np.integer):
        return {text_of(topics, "topic"): ranking_of(topics, ids, scores)}
    given: Any = ids
    is_rows = isinstance(given, Sequence) and bool(given) and isinstance(given[0], list)
    is_array = getattr(given, "ndim", 0) == 2 and not hasattr(given, "columns")
    if topics is not None or scores is not None or is_rows or is_array:
        return from_topk(given, scores, topics, pad)
    source = RunSource.of(given)
    if source.is_by_topic:
        return {
            text_of(topic, "topic"): dict(ranking) if isinstance(ranking, Mapping) else ranking
            for topic, ranking in source.given.items()
        }
    return gathered(source.again(Form("run")).parts or ())

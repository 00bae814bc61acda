"""The runs to fuse or to pool, and the rules by which they are read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from rankeval.base.frozen import frozen
from rankeval.base.threads import usable_threads
from rankeval.choices import FusedTieRule
from rankeval.evaluation.reading import Reading
from rankeval.fusion.side_by_side import Together, read_side_by_side
from rankeval.io.formats.file_format import Form
from rankeval.io.sources.blocks import display_name
from rankeval.ranking.rank import Rules
from rankeval.ranking.run_source import RunLike, RunSource, refuse_stdin_twice

Result = TypeVar("Result")


@frozen(eq=False)
class FusionInput:
    """Runs to fuse, and the rules by which they are read."""

    runs: Sequence[RunSource]
    ties: FusedTieRule
    reading: Reading
    jobs: int

    @classmethod
    def of(
        cls,
        runs: Sequence[RunLike],
        ties: FusedTieRule,
        reading: Reading,
        jobs: int | None,
        *others: object,
    ) -> FusionInput:
        """Make runs that can be read more than once."""
        refuse_stdin_twice(*runs, *others)
        threads = usable_threads(jobs)
        form = replace(reading.run_form(), ranks=ties == "rank")
        read = [RunSource.of(run).again(form, jobs=threads) for run in runs]
        return cls(read, ties, reading, threads)

    def read(
        self,
        use: Callable[[Iterator[Together]], Result],
        forms: Sequence[Form] | None = None,
        **more: Any,
    ) -> Result:
        """Return `use` of the topics of all runs, as `read_side_by_side`; `more` are for that."""
        rules = Rules(ties=self.ties, repeated=self.reading.duplicates, chunks=self.reading.chunks)
        forms = self.forms() if forms is None else forms
        return read_side_by_side(self.runs, forms, rules, use, jobs=self.jobs, **more)

    def paths(self) -> list[str]:
        """Return the paths of the runs; empty for one that is in memory."""
        return [run.path for run in self.runs]

    def names(self) -> list[str]:
        """Return the runs as messages name them."""
        return [
            display_name(path) if path else f"run {number}"
            for number, path in enumerate(self.paths(), 1)
        ]

    def forms(self) -> list[Form]:
        """Return the forms by which the runs are read, with a tally of wrong lines each."""
        return [replace(self.reading.run_form(), ranks=self.ties == "rank") for _ in self.runs]

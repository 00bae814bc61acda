"""Suites: gates that rankeval.toml describes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rankeval.base.checked import checked
from rankeval.base.frozen import field, frozen, replace
from rankeval.base.wording import nearest
from rankeval.commands.collections.read_collections import in_path
from rankeval.commands.gate.rules import KINDS, Rule, parse_rule
from rankeval.commands.toml_tables import (
    COLLECTION,
    CONVENTIONS,
    NUMBER,
    OWN_FILE,
    SUITE,
    TEXT,
    TableReader,
    TypedKeys,
    find_tables,
    tables_of,
)
from rankeval.errors import RankevalError, UsageError, placed
from rankeval.evaluation.run_names import RunNames
from rankeval.evaluation.settings import Settings
from rankeval.io.files import RunFile, systems_of

DECISION: TypedKeys = {"policy": TEXT, "bound": TEXT, "alpha": NUMBER}
OF_COLLECTIONS = (SUITE, COLLECTION, "measures")
PATHS = ("qrels", "golden", "group")
KEYS = (*PATHS, "baseline", "runs", "collections", "rules", *DECISION, *CONVENTIONS)


@frozen
class Suite:
    """A gate as a file describes it; fields that the file does not set are None or empty.

    `source` is the file, and `place` the file and table for messages. Paths in the file are
    relative to its folder; here they are relative to the working directory. With `collections`,
    the suite means one for each of these names, which replaces {collection} in paths. `decision`
    and `conventions` hold the fields of `Decision` and `Settings` that are set.
    """

    source: str = ""
    place: str = ""
    name: str = ""
    collections: tuple[str, ...] = ()
    qrels: str | None = None
    baseline: RunFile | None = None
    runs: tuple[RunFile, ...] = ()
    rules: tuple[Rule, ...] = ()
    golden: str | None = None
    group: str | None = None
    decision: Mapping[str, Any] = field(default_factory=dict)
    conventions: Mapping[str, Any] = field(default_factory=dict)

    def overlaid(self, other: Suite) -> Suite:
        """Return this suite with what another one sets.

        Its rules come last, and so replace those of the same kind for the same measure.
        """
        changes = {n: value for n, value in vars(other).items() if value not in (None, "", ())}
        changes["decision"] = {**self.decision, **other.decision}
        changes["conventions"] = {**self.conventions, **other.conventions}
        return replace(self, **{**changes, "rules": (*self.rules, *other.rules)})

    def files(self) -> tuple[str, str, tuple[str, ...]]:
        """Return judgments, baseline and candidates; UsageError if one is not set."""
        if self.qrels is None or self.baseline is None or not self.runs:
            expected = "QRELS BASELINE CANDIDATE, or a suite with qrels, baseline and runs"
            raise UsageError("a file is missing", place=self.place, expected=expected)
        return self.qrels, self.baseline.path, tuple(run.path for run in self.runs)

    @contextmanager
    def errors_placed(self) -> Iterator[None]:
        """Add the file and the table to errors that have no place."""
        try:
            yield
        except RankevalError as error:
            raise placed(error, error.place or self.place) from error

    def names_of_runs(self) -> RunNames:
        """Return the names of baseline and candidates."""
        return RunNames(given=[run.name for run in (self.baseline, *self.runs) if run])

    def settings(self) -> Settings:
        """Return the conventions of the evaluation."""
        return Settings.like_tool(**self.conventions)

    def of_collections(self) -> tuple[Suite, ...]:
        """Return the suites of the collections; the suite itself without any."""
        return tuple(self._of_collection(name) for name in self.collections) or (self,)

    def _of_collection(self, name: str) -> Suite:
        runs = [
            run and RunFile(in_path(run.path, name), run.name)
            for run in (self.baseline, *self.runs)
        ]
        named: dict[str, Any] = {
            key: in_path(path, name) for key in PATHS if (path := getattr(self, key))
        }
        whole = replace(self, baseline=runs[0], runs=tuple(filter(None, runs[1:])), **named)
        return replace(whole, collections=(), name="/".join(filter(None, (self.name, name))))


@checked
def read_suites(
    names: Sequence[str] | None = None, path: str | Path | None = None
) -> tuple[Suite, ...]:
    r"""Read suites of a file, by default of the nearest one.

    ===== ==================================================================================
    names of suites; None for all, or for the keys of a file without suites
    path  file of suites; by default rankeval.toml, here or above
    ===== ==================================================================================

    Keys above the suites hold for all of them.

    >>> from pathlib import Path
    >>> from rankeval.options import read_suites
    >>> _ = Path("rankeval.toml").write_text(
    ...     "[suite.commit.rules]\nmin = {'RR' = 0.5}\n[suite.nightly.rules]\nmin = {'RR' = 0.6}\n"
    ... )
    >>> [suite.name for suite in read_suites()]
    ['commit', 'nightly']
    """
    file = Path(path) if path is not None else find_tables()
    if file is None:
        raise UsageError(
            f"cannot find {OWN_FILE}, here or above",
            remedy="write one with rankeval init, name it with --config, or give "
            "QRELS BASELINE CANDIDATE",
        )
    return _SuiteReader(file).suites(tables_of(file), names)


class _SuiteReader(TableReader):
    """Makes suites of tables."""

    def suites(self, table: Mapping[str, Any], names: Sequence[str] | None) -> tuple[Suite, ...]:
        tables = self._tables(table, SUITE)
        self._check_keys(table, (*KEYS, *OF_COLLECTIONS), "")
        for name in names or ():
            if name not in tables:
                expected = nearest(name, [*tables], cutoff=0.5) if tables else "no --suite"
                self._refuse("", f"has no suite '{name}'", expected)
        # Runs of collections, which have names, may lie in the same file.
        others = (*OF_COLLECTIONS, *(["runs"] if isinstance(table.get("runs"), dict) else []))
        whole = self._suite({key: table[key] for key in table if key not in others})
        asked = tables if names is None else dict.fromkeys(names)
        return tuple(self._suite(tables[name], name, whole) for name in asked) or (whole,)

    def _suite(self, table: Mapping[str, Any], name: str = "", above: Suite | None = None) -> Suite:
        """Return the suite of a table, whose keys hold before those above it."""
        where = f"{SUITE}.{name}" if name else ""
        self._check_keys(table, KEYS, where)

        def path(key: str) -> str:
            return self._path(key, self._typed(key, table[key], *TEXT, where), where)

        def run(key: str, text: Any) -> RunFile:
            text = self._typed(key, text, *TEXT, where)
            return RunFile.from_argument(text, lambda path: self._path(key, path, where))

        named = [run("runs", text) for text in self._texts("runs", table.get("runs", []), where)]
        matching = [RunFile(path, one.name) for one in named for path in systems_of([one.path])]
        own = Suite(
            baseline=run("baseline", table["baseline"]) if "baseline" in table else None,
            runs=tuple(dict.fromkeys(matching)),
            collections=tuple(self._texts("collections", table.get("collections", []), where)),
            rules=tuple(self._rules(table.get("rules", {}), f"{where}.rules".lstrip("."))),
            decision=self._fields(table, DECISION, where),
            conventions=self._fields(table, CONVENTIONS, where),
            **{key: path(key) for key in PATHS if key in table},
        )
        found = own if above is None else above.overlaid(own)
        return replace(found, name=name, source=self._source, place=self._place(where))

    def _rules(self, value: Any, where: str) -> Iterator[Rule]:
        kinds = self._typed("rules", value, dict, 'such as max-drop = { "nDCG@10" = "2%" }', where)
        self._check_keys(kinds, KINDS, where)
        for kind, limits in kinds.items():
            example, place = f'{kind} = {{ "nDCG@10" = 0.5 }}', f"{self._place(where)}: {kind}"
            for measure, amount in self._typed(kind, limits, dict, example, where).items():
                self._typed(measure, amount, (int, float, str), '0.01 or "2%"', where)
                yield parse_rule(f"{measure}={amount}", kind, place=place)

"""Suites: gates that rankeval.toml describes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankeval.base.checked import checked
from rankeval.base.frozen import frozen
from rankeval.base.wording import nearest
from rankeval.commands.collections.read_collections import in_path
from rankeval.commands.gate.rules import KINDS, Decision, Rule, overlaid, parse_rule
from rankeval.errors import RankevalError, UsageError, placed
from rankeval.io.formats.toml_tables import (
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
from rankeval.io.sources.parts import RunFile, systems_of

if TYPE_CHECKING:  # reading a suite needs no arithmetic, and the command's --help none at all
    from rankeval.evaluation.run_names import RunNames
    from rankeval.evaluation.settings import Settings

DECISION: TypedKeys = {"policy": TEXT, "bound": TEXT, "alpha": NUMBER}
LAYERS: Mapping[str, TypedKeys] = {
    "decision": DECISION,
    "conventions": CONVENTIONS,
}
"""The fields of a suite that keep keys together: those of a class of options."""
PATHS = ("qrels", "golden", "group")
OTHERS = ("baseline", "runs", "collections", "measures", "rules")
KEYS = (*PATHS, *OTHERS, *DECISION, *CONVENTIONS)


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
    measures: tuple[str, ...] = ()
    rules: tuple[Rule, ...] = ()
    golden: str | None = None
    group: str | None = None
    decision: Mapping[str, Any] = field(default_factory=dict)
    conventions: Mapping[str, Any] = field(default_factory=dict)

    def overlaid(self, other: Suite) -> Suite:
        """Return this suite with the fields and rules that another one sets.

        A rule of the other suite replaces one of the same kind for the same measure.
        """
        found = {one.name: getattr(other, one.name) for one in fields(other)}
        changes = {name: value for name, value in found.items() if value not in (None, "", ())}
        layers = {name: {**getattr(self, name), **found[name]} for name in LAYERS}
        whole = replace(self, **{**changes, **layers})
        return replace(whole, rules=overlaid(self.rules, other.rules, whole.settings()))

    def files(self) -> tuple[str, str, tuple[str, ...]]:
        """Return judgments, baseline and candidates; UsageError if one is not set."""
        if self.qrels is None or self.baseline is None or not self.runs:
            found = {"qrels": self.qrels, "baseline": self.baseline, "runs": self.runs}
            raise UsageError(
                f"no {' and no '.join(name for name, value in found.items() if not value)}",
                place=self.place,
                expected="QRELS BASELINE CANDIDATE, or a suite that names them",
            )
        return self.qrels, self.baseline.path, tuple(run.path for run in self.runs)

    @contextmanager
    def errors_placed(self) -> Iterator[None]:
        """Add the file and the table to errors that have no place."""
        try:
            yield
        except RankevalError as error:
            raise placed(error, error.place or self.place) from error

    def inputs(self) -> list[str | None]:
        """Return the files that the suite reads, besides its baseline."""
        runs = [run.path for run in self.runs]
        return [self.source or None, self.qrels, self.golden, self.group, *runs]

    def names_of_runs(self) -> RunNames:
        """Return the names of baseline and candidates."""
        from rankeval.evaluation.run_names import RunNames

        return RunNames(given=[run.name for run in (self.baseline, *self.runs) if run])

    def settings(self) -> Settings:
        """Return the conventions of the evaluation."""
        from rankeval.evaluation.settings import Settings

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


def names_of_suites(path: str | Path | None = None) -> list[str]:
    """Return the names of the suites in a file, by default in the nearest one."""
    file = Path(path) if path is not None else find_tables()
    suites = {} if file is None else tables_of(file).get(SUITE)
    return list(suites) if isinstance(suites, dict) else []


class _SuiteReader(TableReader):
    """Makes suites of tables: each key is converted as its field of `Suite` says."""

    def suites(self, table: Mapping[str, Any], names: Sequence[str] | None) -> tuple[Suite, ...]:
        tables = table.get(SUITE, {})
        if not isinstance(tables, dict) or not all(isinstance(t, dict) for t in tables.values()):
            self._refuse("", "suite is not a table of suites", "[suite.NAME]")
        self._check_keys(table, (*KEYS, SUITE, COLLECTION), "")
        for name in names or ():
            if name not in tables:
                expected = nearest(name, [*tables], cutoff=0.5) if tables else "no --suite"
                self._refuse("", f"has no suite '{name}'", expected)
        # Runs of collections, which have names, may lie in the same file.
        others = (SUITE, COLLECTION, *(["runs"] if isinstance(table.get("runs"), dict) else []))
        whole = self._suite({key: table[key] for key in table if key not in others})
        asked = tables if names is None else dict.fromkeys(names)
        return tuple(self._suite(tables[name], name, whole) for name in asked) or (whole,)

    def _suite(self, table: Mapping[str, Any], name: str = "", above: Suite | None = None) -> Suite:
        """Return the suite of a table, whose keys hold before those above it."""
        where = f"{SUITE}.{name}" if name else ""
        self._check_keys(table, KEYS, where)
        facts: dict[str, Any] = {
            layer: self._fields(table, known, where) for layer, known in LAYERS.items()
        }
        for key, convert in self._converters().items():
            if key in table:
                facts[key] = convert(key, table[key], where)
        with self._errors_placed(where):
            own = Suite(**facts)
            found = own if above is None else above.overlaid(own)
            _ = found.settings(), Decision(**found.decision)
        return replace(found, name=name, source=self._source, place=self._place(where))

    def _converters(self) -> Mapping[str, Callable[[str, Any, str], Any]]:
        one = {"baseline": self._baseline, "runs": self._runs, "rules": self._rules}
        texts = dict.fromkeys(("measures", "collections"), self._several)
        return {**dict.fromkeys(PATHS, self._file), **one, **texts}

    def _several(self, key: str, value: Any, where: str) -> tuple[str, ...]:
        return tuple(self._texts(key, value, where))

    def _file(self, key: str, value: Any, where: str) -> str:
        return self._path(key, self._typed(key, value, *TEXT, where), where)

    def _baseline(self, key: str, value: Any, where: str) -> RunFile:
        return self._run(key, self._typed(key, value, *TEXT, where), where)

    def _run(self, key: str, text: str, where: str) -> RunFile:
        return RunFile.from_argument(text, lambda path: self._path(key, path, where))

    def _runs(self, key: str, value: Any, where: str) -> tuple[RunFile, ...]:
        """Return the runs that paths match, which may have * or {seed}."""
        found: list[RunFile] = []
        for run in (self._run(key, text, where) for text in self._texts(key, value, where)):
            matching = systems_of([run.path])
            if run.name and len(matching) > 1:
                problem = f"'{run.name}' names {len(matching)} runs"
                self._refuse(where, problem, "a name for each, or {seed} in the path")
            found += [RunFile(path, run.name) for path in matching]
        return tuple(dict.fromkeys(found))

    def _rules(self, key: str, value: Any, where: str) -> tuple[Rule, ...]:
        where = f"{where}.{key}" if where else key
        kinds = self._typed(key, value, dict, 'such as max-drop = { "nDCG@10" = "2%" }', where)
        self._check_keys(kinds, KINDS, where)
        rules = []
        for kind, limits in kinds.items():
            example, place = f'{kind} = {{ "nDCG@10" = 0.5 }}', f"{self._place(where)}: {kind}"
            for measure, amount in self._typed(kind, limits, dict, example, where).items():
                self._typed(measure, amount, (int, float, str), '0.01 or "2%"', where)
                rules.append(parse_rule(f"{measure}={amount}", kind, place=place))
        return tuple(rules)

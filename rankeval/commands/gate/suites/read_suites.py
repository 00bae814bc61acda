"""Read suites: gates that are described in rankeval.toml, or under [tool.rankeval]."""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

from rankeval.base.checked import checked
from rankeval.base.wording import nearest
from rankeval.choices import NamingRule
from rankeval.commands.collections.read_collections import PLACEHOLDER
from rankeval.commands.gate.rules.all_kinds import KINDS, kind_named, rule
from rankeval.commands.gate.rules.rule import Rule
from rankeval.commands.gate.suites.suite import Suite
from rankeval.errors import UsageError
from rankeval.io.formats.toml_tables import (
    COLLECTION,
    CONVENTIONS,
    LARGEST,
    NUMBER,
    OWN_FILE,
    READING,
    SHARED_FILE,
    SUITE,
    TEXT,
    TableReader,
    TypedKeys,
    find_tables,
    required_section,
    section_of,
)
from rankeval.io.sources.parts import RunFile
from rankeval.io.sources.seed_files import systems_of

RULES = "rules"
RULE_KEYS = dict.fromkeys(kind.name for kind in KINDS)

COLLECTIONS = "collections"
_PATHS = (COLLECTIONS, "qrels", "baseline", "golden", "group")
_OF_SYSTEMS = ("baseline", "golden", "runs")
"""Keys that hold names of systems where a suite is over collections."""
_NAMED = ("baseline", "runs")
"""Keys whose entries may give a run its name."""
_RUN: TypedKeys = {"path": TEXT, "name": TEXT}
"""The keys of a run that is written as a table."""
_DECISION: TypedKeys = {
    **dict.fromkeys(("policy", "correction", "bound", "group-by"), TEXT),
    "run-names": TEXT,
    **dict.fromkeys(("alpha", "at-power"), NUMBER),
}
_QUOTED = re.compile(r""""[^"\n]*"|'[^'\n]*'""")
KEYS = (*_PATHS, "runs", "measures", RULES, *_DECISION, *CONVENTIONS, *READING)


@checked
def read_suite(name: str | None = None, path: str | Path | None = None) -> Suite:
    r"""Read the suite of that name from a file, by default from the nearest one.

    ==== ===================================================================================
    name of the suite; None for the only one of the file, or the keys of a file without suites
    path file of suites; by default rankeval.toml or pyproject.toml, here or above
    ==== ===================================================================================

    Keys above the suites hold for all of them.

    >>> from pathlib import Path
    >>> from rankeval.gating import read_suite
    >>> _ = Path("rankeval.toml").write_text("rules.max-drop = {'nDCG@10' = '2%'}\n")
    >>> [str(rule) for rule in read_suite().rules]
    ['max-drop nDCG@10=2%']
    """
    reader, table = _opened(path)
    return reader.suite(table, name)


@checked
def read_suites(
    names: Sequence[str] | None = None, path: str | Path | None = None
) -> tuple[Suite, ...]:
    r"""Read the suites of these names from a file, all for None, by default from the nearest file.

    ===== ==================================================================================
    names of suites; None for all
    path  file of suites; by default rankeval.toml or pyproject.toml, here or above
    ===== ==================================================================================

    >>> from pathlib import Path
    >>> from rankeval.gating import read_suites
    >>> _ = Path("rankeval.toml").write_text(
    ...     "[suite.commit.rules]\nmin = {'RR' = 0.5}\n[suite.nightly.rules]\nmin = {'RR' = 0.6}\n"
    ... )
    >>> [suite.name for suite in read_suites()]
    ['commit', 'nightly']
    """
    reader, table = _opened(path)
    asked = reader.names(table) if names is None else tuple(dict.fromkeys(names))
    return tuple(reader.suite(table, name) for name in asked)


def _opened(path: str | Path | None) -> tuple["_SuiteReader", Mapping[str, Any]]:
    """Return the reader of a file of suites, by default of the nearest one, and its tables."""
    file = Path(path) if path is not None else find_tables()
    if file is None:
        raise UsageError(
            f"found no {OWN_FILE}, and no {SHARED_FILE} with [tool.rankeval], here or above",
            remedy="write one, name it with --config, or give QRELS BASELINE CANDIDATE",
        )
    return _SuiteReader(file), required_section(file)


def names_of_suites(path: str | Path | None = None) -> list[str]:
    """Return the names of the suites in a file, by default in the nearest one."""
    file = Path(path) if path is not None else find_tables()
    table = None if file is None else section_of(file)
    suites = {} if table is None else table.get("suite")
    return list(suites) if isinstance(suites, dict) else []


def suite_words(path: str | None = None) -> list[str]:
    """Return the file of suites, and each quoted text in it as a path; never raise an error.

    Without a path these are all files that may hold suites, here and above. A report that says
    why a suite could not be read must not overwrite what the suite names.
    """
    here = Path.cwd()
    found = [folder / name for folder in (here, *here.parents) for name in (OWN_FILE, SHARED_FILE)]
    words = []
    for file in found if path is None else [Path(path)]:
        with suppress(OSError, ValueError), file.open("rb") as stream:
            text = stream.read(LARGEST).decode("utf-8", "surrogateescape")
            words += [str(file), *(str(file.parent / one[1:-1]) for one in _QUOTED.findall(text))]
    return words


class _SuiteReader(TableReader):
    """Reads and checks the suites of one file."""

    def names(self, table: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the names of all suites; InputError if there are none."""
        found = tuple(self._suites(table))
        if not found:
            self._refuse("", "holds no suite", "[suite.NAME]")
        return found

    def _suites(self, table: Mapping[str, Any]) -> Mapping[str, Mapping[str, Any]]:
        suites: Mapping[str, Any] = table.get(SUITE, {})
        if not isinstance(suites, dict) or not all(isinstance(s, dict) for s in suites.values()):
            self._refuse("", "suite is not a table of suites", "[suite.NAME]")
        self._check_keys(table, (*KEYS, SUITE, COLLECTION), "")
        return suites

    def suite(self, table: Mapping[str, Any], name: str | None) -> Suite:
        suites = self._suites(table)
        if name is None and len(suites) > 1:
            self._refuse("", "holds several suites", f"--suite {' or '.join(suites)}")
        chosen = name if name is not None else next(iter(suites), "")
        if chosen and chosen not in suites:
            none = "no --suite: the file has none"
            expected = nearest(chosen, [*suites], cutoff=0.5) if suites else none
            self._refuse("", f"has no suite '{chosen}'", expected)
        collected = COLLECTIONS in table or COLLECTIONS in suites.get(chosen, {})
        above = {  # without suites, collections, and runs of collections by name
            key: value
            for key, value in table.items()
            if not (key in (SUITE, COLLECTION) or (key == "runs" and isinstance(value, dict)))
        }
        facts = self._facts(above, "", collected=collected)
        with self._errors_placed(""):
            whole = self._checked(Suite(**facts))
        if chosen:
            where = f"{SUITE}.{chosen}"
            self._check_keys(suites[chosen], KEYS, where)
            own = Suite(**self._facts(suites[chosen], where, collected=collected))
            with self._errors_placed(where):
                return self._checked(replace(whole.overlaid(own), name=chosen))
        return whole

    def _checked(self, suite: Suite) -> Suite:
        """Return the suite with its place; raise an error for unknown values."""
        where = f"{SUITE}.{suite.name}" if suite.name else ""
        placed = replace(suite, source=self._source, place=self._place(where))
        placed.settings()
        placed.reading()
        placed.decision()
        rule, rules = placed.run_names, get_args(NamingRule)
        if rule is not None and rule not in rules:
            self._refuse(where, f"run-names is '{rule}'", f"one of {', '.join(rules)}")
        if placed.collections is not None and placed.qrels:
            placed.files()
        return placed

    def _facts(self, table: Mapping[str, Any], where: str, *, collected: bool) -> dict[str, Any]:
        facts: dict[str, Any] = {
            **self._fields(table, _DECISION, where),
            **self._runs(table, where, collected=collected),
            "conventions": self._fields(table, CONVENTIONS, where),
            "files_read": self._fields(table, READING, where),
        }
        for key, value in table.items():
            if key == RULES:
                facts[RULES] = self._rules(value, where)
            elif key in _PATHS and key not in _NAMED:
                text = self._typed(key, value, str, "a path", where)
                facts[key.replace("-", "_")] = self._located(key, text, where, collected=collected)
            elif key == "measures":
                facts[key] = tuple(self._texts(key, value, where))
                facts["measures_place"] = self._place(where)
        return facts

    def _located(self, key: str, text: str, where: str, *, collected: bool) -> str:
        """Return the path of a text; the text itself where it is the name of a system."""
        named = collected and key in _OF_SYSTEMS and PLACEHOLDER not in text
        return text if named and text else self._path(key, text, where)

    def _runs(self, table: Mapping[str, Any], where: str, *, collected: bool) -> dict[str, Any]:
        """Return the baseline and the runs of a table, with their names."""
        facts: dict[str, Any] = {}
        named: dict[str, str] = {}
        for key in (key for key in _NAMED if key in table):
            value = table[key]
            if key == "baseline" and isinstance(value, list):
                self._refuse(where, f"{key} is {value!r}", "a path")
            paths: list[str] = []
            for entry in value if isinstance(value, list) else [value]:
                run = self._run(key, entry, where, collected=collected)
                matching = [run.path] if collected or key != "runs" else systems_of([run.path])
                paths += matching
                if run.name is not None and key == "baseline":
                    facts["baseline_name"] = run.name
                elif run.name is not None:
                    if len(matching) > 1:
                        problem = f"'{run.name}' names {len(matching)} runs"
                        self._refuse(where, problem, "a name for each, or {seed} in the path")
                    named[matching[0]] = run.name
            runs = tuple(dict.fromkeys(paths))
            facts[key] = runs if key == "runs" else paths[0]
        return {**facts, "named": named}

    def _run(self, key: str, entry: Any, where: str, *, collected: bool) -> RunFile:
        """Return a run with its name."""

        def located(text: str) -> str:
            return self._located(key, text, where, collected=collected)

        if not isinstance(entry, dict):
            text = self._typed(key, entry, str, "a path, NAME=PATH, or { path, name }", where)
            return RunFile.from_argument(text, located)
        self._check_keys(entry, _RUN, where)
        run = self._fields(entry, _RUN, where)
        if "path" not in run:
            self._refuse(
                where, f"{key} names a run without a path", '{ path = "FILE", name = "NAME" }'
            )
        if not run.get("name", "NAME"):
            self._refuse(where, f"{key} has an empty name", 'name = "NAME"')
        return RunFile(located(run["path"]), run.get("name"))

    def _rules(self, table: object, where: str) -> tuple[Rule, ...]:
        where = f"{where}.{RULES}" if where else RULES
        if not isinstance(table, dict):
            self._refuse(where, "is not a table", 'such as max-drop = { "nDCG@10" = "2%" }')
        self._check_keys(table, RULE_KEYS, where)
        rules = []
        for word, limits in table.items():
            if not isinstance(limits, dict):
                expected = f'measures and limits: {word} = {{ "nDCG@10" = 0.5 }}'
                self._refuse(where, f"{word} is not a table", expected)
            for measure, amount in limits.items():
                if isinstance(amount, bool) or not isinstance(amount, int | float | str):
                    self._refuse(where, f"the limit of {measure} is not a number", '0.01 or "2%"')
                place = f"{self._place(where)}: {word}"
                rules.append(rule(kind_named(word), measure, amount, place=place))
        return tuple(rules)

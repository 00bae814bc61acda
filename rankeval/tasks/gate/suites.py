"""Suites: gates that are described in rankeval.toml, or under [tool.rankeval]."""

import difflib
from collections.abc import Mapping
from dataclasses import field, fields, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from rankeval.errors import UsageError
from rankeval.support.frozen import frozen
from rankeval.tasks.gate.rules import Rule, RuleKind, rule
from rankeval.tasks.toml_tables import (
    COLLECTION,
    CONVENTIONS,
    INTEGER,
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

if TYPE_CHECKING:  # reading a suite needs no arithmetic, and the command's --help none at all
    from rankeval.evaluation.reading import Reading
    from rankeval.evaluation.settings import Settings
    from rankeval.tasks.gate.decision import Decision

Choice = TypeVar("Choice", bound=StrEnum)
RULES = "rules"


@frozen
class Suite:
    """A gate as a file describes it; fields that the file does not set are None or empty.

    `source` is the file, and `place` the file and table for messages. Paths in the file are
    relative to its directory; here they are relative to the working directory. `conventions`
    holds the fields of `Settings` that are set, and `files_read` those of `Reading`.
    """

    source: str = ""
    place: str = ""
    name: str = ""
    qrels: str | None = None
    baseline: str | None = None
    runs: tuple[str, ...] = ()
    measures: tuple[str, ...] = ()
    rules: tuple[Rule, ...] = ()
    policy: str | None = None
    test: str | None = None
    correction: str | None = None
    family: str | None = None
    bound: str | None = None
    alpha: float | None = None
    at_power: float | None = None
    planned_drop: float | None = None
    seed: int | None = None
    sequential: str | None = None
    conventions: Mapping[str, Any] = field(default_factory=dict)
    files_read: Mapping[str, Any] = field(default_factory=dict)

    def overlaid(self, other: "Suite") -> "Suite":
        """Return this suite with the fields and rules that another one sets.

        A rule of the other suite replaces one of the same kind for the same measure.
        """
        from rankeval.tasks.gate.measures import overlaid_rules

        set_there = {
            one.name: value
            for one in fields(other)
            if (value := getattr(other, one.name)) not in (None, "", ())
        }
        whole = replace(
            self,
            **{
                **set_there,
                "conventions": {**self.conventions, **other.conventions},
                "files_read": {**self.files_read, **other.files_read},
            },
        )
        return replace(whole, rules=overlaid_rules(self.rules, other.rules, whole.settings()))

    def files(self) -> "Files":
        """Return the files; UsageError if one is not set."""
        if self.qrels is None or self.baseline is None or not self.runs:
            found = {"qrels": self.qrels, "baseline": self.baseline, "runs": self.runs}
            lacking = [name for name, value in found.items() if not value]
            raise UsageError(
                f"no {' and no '.join(lacking)}",
                place=self.place,
                expected="QRELS BASELINE CANDIDATE, or a suite that names them",
            )
        return Files(self.qrels, self.baseline, self.runs)

    def settings(self) -> "Settings":
        """Return the conventions of the evaluation."""
        from rankeval.evaluation.settings import Settings

        return Settings.like_tool(**self.conventions)

    def reading(self) -> "Reading":
        """Return the rules for reading files."""
        from rankeval.evaluation.reading import Reading

        return Reading(**self.files_read)

    def decision(self) -> "Decision":
        """Return the statistical choices."""
        from rankeval.stats import Bound, Correction, GatePolicy, TestName
        from rankeval.tasks.gate.decision import Decision, Family

        default = Decision()
        return Decision(
            policy=self._choice("policy", GatePolicy, default.policy),
            test=self._choice("test", TestName, default.test),
            correction=self._choice("correction", Correction, default.correction),
            family=self._choice("family", Family, default.family),
            bound=self._choice("bound", Bound, default.bound),
            alpha=default.alpha if self.alpha is None else self.alpha,
            power=default.power if self.at_power is None else self.at_power,
            planned_drop=self.planned_drop,
            seed=default.seed if self.seed is None else self.seed,
        )

    def _choice(self, key: str, choices: type[Choice], default: Choice) -> Choice:
        value = getattr(self, key)
        if value is not None and value not in set(choices):
            close = difflib.get_close_matches(value, list(choices), n=1)
            expected = f"perhaps {close[0]}" if close else f"one of {', '.join(choices)}"
            raise UsageError(f"{key} is '{value}'", place=self.place, expected=expected)
        return default if value is None else choices(value)


class Files(NamedTuple):
    """The files of a gate."""

    qrels: str
    baseline: str
    runs: tuple[str, ...]


_PATHS = ("qrels", "baseline", "sequential")
_LISTS = ("runs", "measures")
_DECISION: TypedKeys = {
    **dict.fromkeys(("policy", "test", "correction", "family", "bound"), TEXT),
    **dict.fromkeys(("alpha", "at-power", "planned-drop"), NUMBER),
    "seed": INTEGER,
}
KEYS = (*_PATHS, *_LISTS, RULES, *_DECISION, *CONVENTIONS, *READING)


def read_suite(name: str | None = None, path: str | Path | None = None) -> Suite:
    r"""Read the suite of that name from a file, by default from the nearest one.

    Keys above the suites hold for all of them. Without a name, read the only suite, or the keys of
    a file without suites.

    >>> from pathlib import Path
    >>> from rankeval import read_suite
    >>> _ = Path("rankeval.toml").write_text("rules.max-drop = {'nDCG@10' = '2%'}\n")
    >>> [str(rule) for rule in read_suite().rules]
    ['max-drop nDCG@10=2%']
    """
    file = Path(path) if path is not None else find_tables()
    if file is None:
        raise UsageError(
            f"found no {OWN_FILE}, and no {SHARED_FILE} with [tool.rankeval], here or above",
            remedy="write one, name it with --config, or give QRELS BASELINE CANDIDATE",
        )
    table = required_section(file)
    return _SuiteReader(file).suite(table, name)


def names_of_suites(path: str | Path | None = None) -> list[str]:
    """Return the names of the suites in a file, by default in the nearest one."""
    file = Path(path) if path is not None else find_tables()
    table = None if file is None else section_of(file)
    suites = {} if table is None else table.get("suite")
    return list(suites) if isinstance(suites, dict) else []


def _is_other(key: str, value: object) -> bool:
    """Return True for tables of suites and of collections, and for runs of collections by name."""
    return key in (SUITE, COLLECTION) or (key == "runs" and isinstance(value, dict))


class _SuiteReader(TableReader):
    """Reads and checks the suites of one file."""

    def suite(self, table: Mapping[str, Any], name: str | None) -> Suite:
        suites = table.get(SUITE, {})
        if not isinstance(suites, dict) or not all(isinstance(s, dict) for s in suites.values()):
            self._refuse("", "suite is not a table of suites", "[suite.NAME]")
        self._check_keys(table, (*KEYS, SUITE, COLLECTION), "")
        if name is None and len(suites) > 1:
            self._refuse("", "holds several suites", f"--suite {' or '.join(suites)}")
        chosen = name if name is not None else next(iter(suites), "")
        if chosen and chosen not in suites:
            none = "no --suite: the file has none"
            expected = self._nearest(chosen, suites) if suites else none
            self._refuse("", f"has no suite '{chosen}'", expected)
        facts = self._facts({key: v for key, v in table.items() if not _is_other(key, v)}, "")
        with self._errors_placed(""):
            whole = self._checked(Suite(**facts))
        if chosen:
            where = f"{SUITE}.{chosen}"
            self._check_keys(suites[chosen], KEYS, where)
            own = Suite(**self._facts(suites[chosen], where))
            with self._errors_placed(where):
                return self._checked(replace(whole.overlaid(own), name=chosen))
        return whole

    def _checked(self, suite: Suite) -> Suite:
        """Return the suite with its place; raise an error for unknown values."""
        place = self._place(f"{SUITE}.{suite.name}" if suite.name else "")
        placed = replace(suite, source=self._source, place=place)
        placed.settings()
        placed.reading()
        placed.decision()
        return placed

    def _facts(self, table: Mapping[str, Any], where: str) -> dict[str, Any]:
        facts: dict[str, Any] = {
            **self._fields(table, _DECISION, where),
            "conventions": self._fields(table, CONVENTIONS, where),
            "files_read": self._fields(table, READING, where),
        }
        for key, value in table.items():
            if key == RULES:
                facts[RULES] = self._rules(value, where)
            elif key in _PATHS:
                facts[key] = self._path(key, self._typed(key, value, str, "a path", where), where)
            elif key in _LISTS:
                texts = self._texts(key, value, where)
                facts[key] = tuple(
                    self._path(key, text, where) if key == "runs" else text for text in texts
                )
        return facts

    def _rules(self, table: object, where: str) -> tuple[Rule, ...]:
        where = f"{where}.{RULES}" if where else RULES
        if not isinstance(table, dict):
            self._refuse(where, "is not a table", 'such as max-drop = { "nDCG@10" = "2%" }')
        self._check_keys(table, tuple(RuleKind), where)
        rules = []
        for word, limits in table.items():
            if not isinstance(limits, dict):
                expected = f'measures and limits: {word} = {{ "nDCG@10" = 0.5 }}'
                self._refuse(where, f"{word} is not a table", expected)
            for measure, amount in limits.items():
                if isinstance(amount, bool) or not isinstance(amount, int | float | str):
                    self._refuse(where, f"the limit of {measure} is not a number", '0.01 or "2%"')
                place = f"{self._place(where)}: {word}"
                rules.append(rule(RuleKind(word), measure, amount, place=place))
        return tuple(rules)

"""Suites: gates that are described in rankeval.toml, or under [tool.rankeval]."""

import difflib
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import field, fields, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, TypeVar

from rankeval.errors import InputError, RankevalError, UsageError
from rankeval.support.frozen import frozen
from rankeval.tasks.gate.rules import Rule, RuleKind, rule

if TYPE_CHECKING:  # reading a suite needs no arithmetic, and the command's --help none at all
    from rankeval.evaluation.reading import Reading
    from rankeval.evaluation.settings import Settings
    from rankeval.tasks.gate.decision import Decision

Choice = TypeVar("Choice", bound=StrEnum)
OWN_FILE, SHARED_FILE = "rankeval.toml", "pyproject.toml"
LARGEST = 1 << 20
"""Bytes that a file of suites may have."""

SUITE, RULES = "suite", "rules"


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
_TEXT, _NUMBER = (str, "a text"), ((int, float), "a number")
_INTEGER, _SWITCH = (int, "a whole number"), (bool, "true or false")
_Typed = Mapping[str, tuple[type | tuple[type, ...], str]]
_DECISION: _Typed = {
    **dict.fromkeys(("policy", "test", "correction", "family", "bound"), _TEXT),
    **dict.fromkeys(("alpha", "at-power", "planned-drop"), _NUMBER),
    "seed": _INTEGER,
}
_CONVENTIONS: _Typed = {
    **dict.fromkeys(("like", "topics", "ties", "order", "unjudged"), _TEXT),
    "min-grade": _NUMBER,
    **dict.fromkeys(("collection-size", "depth"), _INTEGER),
    **dict.fromkeys(("judged-only", "skip-no-relevant", "require-coverage"), _SWITCH),
}
_READING: _Typed = {
    **dict.fromkeys(("qrels-format", "run-format", "columns", "on-error", "duplicates"), _TEXT),
    **dict.fromkeys(("collapse", "collapse-sep", "collapse-by"), _TEXT),
}
KEYS = (*_PATHS, *_LISTS, RULES, *_DECISION, *_CONVENTIONS, *_READING)


def find_suites(start: Path | None = None) -> Path | None:
    """Find the nearest rankeval.toml, or pyproject.toml with [tool.rankeval], here or above."""
    here = (start or Path.cwd()).resolve()
    for folder in (here, *here.parents):
        own, shared = folder / OWN_FILE, folder / SHARED_FILE
        if own.is_file():
            return own
        if shared.is_file() and _section(_loaded(shared), shared) is not None:
            return shared
    return None


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
    file = Path(path) if path is not None else find_suites()
    if file is None:
        raise UsageError(
            f"found no {OWN_FILE}, and no {SHARED_FILE} with [tool.rankeval], here or above",
            remedy="write one, name it with --config, or give QRELS BASELINE CANDIDATE",
        )
    table = _section(_loaded(file), file)
    if table is None:
        raise InputError("has no [tool.rankeval]", place=_shown(file))
    reader = _SuiteReader(
        _shown(file), Path(_shown(file.parent)), "tool.rankeval." if _is_shared(file) else ""
    )
    return reader.suite(table, name)


def names_of_suites(path: str | Path | None = None) -> list[str]:
    """Return the names of the suites in a file, by default in the nearest one."""
    file = Path(path) if path is not None else find_suites()
    table = None if file is None else _section(_loaded(file), file)
    suites = {} if table is None else table.get("suite")
    return list(suites) if isinstance(suites, dict) else []


def _is_shared(file: Path) -> bool:
    return file.name == SHARED_FILE


def _section(document: Mapping[str, Any], file: Path) -> Mapping[str, Any] | None:
    if not _is_shared(file):
        return document
    tool = document.get("tool")
    section = tool.get("rankeval") if isinstance(tool, dict) else None
    return section if isinstance(section, dict) else None


def _loaded(file: Path) -> dict[str, Any]:
    try:
        with file.open("rb") as stream:
            text = stream.read(LARGEST + 1)
        if len(text) > LARGEST:
            raise InputError(
                f"holds more than {LARGEST >> 20} MB",
                place=_shown(file),
                expected="a file of suites",
            )
        return tomllib.loads(text.decode())
    except (
        ValueError,
        RecursionError,
    ) as error:  # not TOML, not UTF-8, or an integer of too many digits
        raise InputError(
            f"is not TOML: {error}",
            place=_shown(file),
            expected="TOML in UTF-8, such as [suite.NAME]",
        ) from error
    except OSError as error:
        reason = error.strerror or str(error)
        problem = f"cannot read: {reason[:1].lower()}{reason[1:]}"
        raise InputError(problem, place=_shown(file)) from error


def _shown(file: Path) -> str:
    """Return the path relative to the working directory, if it lies below it."""
    here = Path.cwd().resolve()
    whole = file.resolve()
    return str(whole.relative_to(here) if whole.is_relative_to(here) else file)


class _SuiteReader:
    """Reads and checks the tables of one file; errors name the file and the table."""

    def __init__(self, source: str, folder: Path, prefix: str) -> None:
        self._source = source
        self._folder = folder
        self._prefix = prefix

    def suite(self, table: Mapping[str, Any], name: str | None) -> Suite:
        suites = table.get(SUITE, {})
        if not isinstance(suites, dict) or not all(isinstance(s, dict) for s in suites.values()):
            self._refuse("", "suite is not a table of suites", "[suite.NAME]")
        self._check_keys(table, (*KEYS, SUITE), "")
        if name is None and len(suites) > 1:
            self._refuse("", "holds several suites", f"--suite {' or '.join(suites)}")
        chosen = name if name is not None else next(iter(suites), "")
        if chosen and chosen not in suites:
            none = "no --suite: the file has none"
            expected = self._nearest(chosen, suites) if suites else none
            self._refuse("", f"has no suite '{chosen}'", expected)
        facts = self._facts({key: v for key, v in table.items() if key != SUITE}, "")
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

    @contextmanager
    def _errors_placed(self, where: str) -> Iterator[None]:
        """Add the file and the table to errors that do not name them."""
        try:
            yield
        except RankevalError as error:
            named = error.place.startswith(self._source)
            raise InputError(
                error.problem,
                place=error.place if named else self._place(where),
                expected=error.expected,
                remedy=error.remedy,
            ) from error

    def _facts(self, table: Mapping[str, Any], where: str) -> dict[str, Any]:
        facts: dict[str, Any] = {"conventions": {}, "files_read": {}}
        for key, value in table.items():
            if key == RULES:
                facts[RULES] = self._rules(value, where)
            elif key in _PATHS:
                facts[key] = self._path(key, self._typed(key, value, str, "a path", where), where)
            elif key in _LISTS:
                found = [value] if isinstance(value, str) else value
                self._typed(key, found, list, "a list of texts", where)
                texts = [self._typed(key, text, str, "a list of texts", where) for text in found]
                facts[key] = tuple(
                    self._path(key, text, where) if key == "runs" else text for text in texts
                )
            else:
                for place, known in (
                    (facts, _DECISION),
                    (facts["conventions"], _CONVENTIONS),
                    (facts["files_read"], _READING),
                ):
                    if key in known:
                        kind, words = known[key]
                        checked = self._typed(key, value, kind, words, where)
                        place[key.replace("-", "_")] = checked
        return facts

    def _path(self, key: str, text: str, where: str) -> str:
        if "\0" in text:
            self._refuse(where, f"{key} holds a NUL character", "a path")
        return text if text == "-" else str(self._folder / text)

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

    def _typed(
        self, key: str, value: Any, kind: type | tuple[type, ...], words: str, where: str
    ) -> Any:
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            self._refuse(where, f"{key} is {value!r}", words)
        return value

    def _check_keys(self, table: Mapping[str, Any], known: Iterable[str], where: str) -> None:
        for key in table:
            if key not in known:
                self._refuse(where, f"unknown key '{key}'", self._nearest(key, known))

    @staticmethod
    def _nearest(word: str, known: Iterable[str]) -> str:
        close = difflib.get_close_matches(word, list(known), n=1, cutoff=0.5)
        return f"perhaps {close[0]}" if close else f"one of {', '.join(known) or 'none'}"

    def _refuse(self, where: str, problem: str, expected: str) -> NoReturn:
        raise InputError(problem, place=self._place(where), expected=expected)

    def _place(self, where: str) -> str:
        """Return the file and the table, for messages."""
        table = f"{self._prefix}{where}".rstrip(".")
        return f"{self._source}: [{table}]" if table else self._source

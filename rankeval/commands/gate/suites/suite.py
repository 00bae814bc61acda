"""A suite: a gate as a file describes it, and the suites of its collections."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, fields, replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from rankeval.base.checked import checked
from rankeval.base.dicts import seal
from rankeval.base.frozen import frozen
from rankeval.base.wording import nearest
from rankeval.commands.gate.rules.rule import Rule
from rankeval.errors import InputError, UsageError

if TYPE_CHECKING:  # reading a suite needs no arithmetic, and the command's --help none at all
    from rankeval.commands.collections.read_collections import Collection
    from rankeval.commands.gate.decision import Decision
    from rankeval.evaluation.reading import Reading
    from rankeval.evaluation.run_names import RunNames
    from rankeval.evaluation.settings import Settings
    from rankeval.io.formats.named_values import ValuesByTopic

Choice = TypeVar("Choice", bound=str)
_JOINED = ("conventions", "files_read", "named")
"""Fields whose entries add to those of another suite."""


@checked
@frozen
class Suite:
    """A gate as a file describes it; fields that the file does not set are None or empty.

    `source` is the file, and `place` the file and table for messages; `measures_place` is that of
    `measures`. Paths in the file are
    relative to its directory; here they are relative to the working directory. `conventions`
    holds the fields of `Settings` that are set, and `files_read` those of `Reading`. With
    `collections`, a file of collections, there is no `qrels`, `baseline`, `golden` and `runs` are
    names of systems or paths with {collection}, and the suite means one for each collection.
    `baseline_name` is that of the baseline, `named` holds those of runs, by path, and `run_names`
    the rule for the others.
    """

    source: str = ""
    place: str = ""
    name: str = ""
    collections: str | None = None
    qrels: str | None = None
    baseline: str | None = None
    runs: tuple[str, ...] = ()
    measures: tuple[str, ...] = ()
    measures_place: str = ""
    rules: tuple[Rule, ...] = ()
    policy: str | None = None
    correction: str | None = None
    bound: str | None = None
    alpha: float | None = None
    at_power: float | None = None
    golden: str | None = None
    group: str | None = None
    group_by: str | None = None
    run_names: str | None = None
    baseline_name: str | None = None
    named: Mapping[str, str] = field(default_factory=dict)
    conventions: Mapping[str, Any] = field(default_factory=dict)
    files_read: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        seal(self)

    def overlaid(self, other: Suite) -> Suite:
        """Return this suite with the fields and rules that another one sets.

        A rule of the other suite replaces one of the same kind for the same measure.
        """
        from rankeval.commands.gate.rules.measured_rules import overlaid_rules

        set_there = {
            field.name: value
            for field in fields(other)
            if (value := getattr(other, field.name)) not in (None, "", ())
        }
        whole = replace(
            self,
            **{
                **set_there,
                **{key: {**getattr(self, key), **getattr(other, key)} for key in _JOINED},
            },
        )
        if other.measures:
            whole = replace(whole, measures_place=other.measures_place)
        if other.baseline is not None:
            whole = replace(whole, baseline_name=other.baseline_name)
        if other.collections is not None:
            whole = replace(whole, qrels=other.qrels)
        return replace(whole, rules=overlaid_rules(self.rules, other.rules, whole.settings()))

    def files(self) -> Files:
        """Return the files, of collections in the place of qrels; UsageError if one is not set."""
        if self.collections is not None and self.qrels:
            raise UsageError(
                "names judgments, and collections with their own",
                place=self.place,
                expected="qrels or collections",
            )
        qrels = self.collections or self.qrels
        if qrels is None or self.baseline is None or not self.runs:
            found = {"qrels": qrels, "baseline": self.baseline, "runs": self.runs}
            lacking = [name for name, value in found.items() if not value]
            raise UsageError(
                f"no {' and no '.join(lacking)}",
                place=self.place,
                expected="QRELS BASELINE CANDIDATE, or a suite that names them",
            )
        return Files(qrels, self.baseline, self.runs)

    def names_of_runs(self, given: RunNames) -> RunNames:
        """Return the names of baseline and candidates that are given, or that the suite has."""
        from rankeval.evaluation.run_names import TAG

        files = self.files()
        own = (self.baseline_name, *map(self.named.get, files.runs))
        names = [
            name or of_suite for name, of_suite in zip(given.given_for(len(own)), own, strict=True)
        ]
        rule: Any = given.rule if given.rule != TAG else self.run_names or TAG
        return replace(given, rule=rule, given=tuple(names))

    @property
    def measured(self) -> str:
        """The names of all measures that are evaluated."""
        return " ".join(dict.fromkeys([*(rule.measure for rule in self.rules), *self.measures]))

    def groups(self) -> ValuesByTopic[str] | None:
        """Read the groups of topics; None if the suite names none."""
        from rankeval.io.formats.named_values import read_groups

        return None if self.group is None else read_groups(self.group, self.group_by)

    def settings(self) -> Settings:
        """Return the conventions of the evaluation."""
        from rankeval.evaluation.settings import Settings

        return Settings.like_tool(**self.conventions)

    def reading(self) -> Reading:
        """Return the rules for reading files."""
        from rankeval.evaluation.reading import Reading

        return Reading(**self.files_read)

    def decision(self) -> Decision:
        """Return the statistical choices."""
        from rankeval.choices import Bound, Correction, GatePolicy
        from rankeval.commands.gate.decision import Decision

        default = Decision()
        return Decision(
            policy=self._choice("policy", GatePolicy, default.policy),
            correction=self._choice("correction", Correction, default.correction),
            bound=self._choice("bound", Bound, default.bound),
            alpha=default.alpha if self.alpha is None else self.alpha,
            power=default.power if self.at_power is None else self.at_power,
        )

    def _choice(self, key: str, choices: Iterable[str], default: Choice) -> Choice:
        """Return the value of a key, which `Decision` takes as a member, or the default."""
        value = getattr(self, key)
        if value is not None and value not in [*choices]:
            raise UsageError(
                f"{key} is '{value}'", place=self.place, expected=nearest(value, [*choices])
            )
        return default if value is None else value


class Files(NamedTuple):
    """The files of a gate; a path of `runs` may have {seed}, for several runs of one system."""

    qrels: str
    baseline: str
    runs: tuple[str, ...]


def expanded(suite: Suite) -> tuple[Suite, ...]:
    """Return the suites of a suite's collections, each with its files; itself without any.

    `baseline`, `golden` and `runs` are the names of systems in the file of collections, or paths in
    which {collection} means the name. UsageError or InputError for a system without a run on some
    collection, and for conventions that contradict each other.
    """
    if suite.collections is None:
        return (suite,)
    from rankeval.commands.collections.read_collections import read_collections

    collections = read_collections(suite.collections)
    given = suite.files()
    return tuple(_of_collection(suite, given, one, collections) for one in collections)


def _of_collection(
    suite: Suite, given: Files, collection: Collection, collections: Sequence[Collection]
) -> Suite:
    """Return the suite of one collection."""
    from rankeval.commands.collections.read_collections import PLACEHOLDER, in_path

    def path(text: str) -> str:
        if PLACEHOLDER in text:
            return in_path(text, collection.name)
        return _run(text, collection, collections, suite.place)

    runs = tuple(map(path, given.runs))
    names = (suite.named.get(run, run) for run in given.runs)
    return replace(
        suite,
        name=f"{suite.name}/{collection.name}" if suite.name else collection.name,
        collections=None,
        qrels=collection.qrels,
        baseline=path(given.baseline),
        baseline_name=suite.baseline_name or given.baseline,
        golden=None if suite.golden is None else path(suite.golden),
        runs=runs,
        named=dict(zip(runs, names, strict=True)),
        group=None if suite.group is None else in_path(suite.group, collection.name),
        conventions=_joined(suite.conventions, collection.conventions, collection.place),
        files_read=_joined(suite.files_read, collection.files_read, collection.place),
    )


def _run(system: str, collection: Collection, collections: Sequence[Collection], place: str) -> str:
    """Return the run of a system on a collection."""
    from rankeval.commands.collections.read_collections import PLACEHOLDER

    if system in collection.runs:
        return collection.runs[system]
    known = list(dict.fromkeys(name for each in collections for name in each.runs))
    if system not in known:
        every = f"one of {', '.join(known)}, or a path with {PLACEHOLDER}"
        raise UsageError(
            f"no system is called '{system}'", place=place, expected=nearest(system, known, every)
        )
    raise InputError(
        f"{system} has no run here, and a gate leaves no collection out",
        place=collection.place,
        expected=f'runs = {{ {system} = "FILE" }}',
    )


def _joined(of_suite: Mapping[str, Any], own: Mapping[str, Any], place: str) -> dict[str, Any]:
    """Return the settings of both; UsageError where they contradict each other."""
    for key in of_suite.keys() & own.keys():
        if of_suite[key] != own[key]:
            name = key.replace("_", "-")
            raise UsageError(
                f"{name} is {own[key]!r}, and {of_suite[key]!r} in the suite or among the options",
                place=place,
                remedy="set it in one place",
            )
    return {**of_suite, **own}

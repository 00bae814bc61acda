"""Options of a gate: its rules, its suite, and the statistics behind its verdicts."""

from dataclasses import asdict
from typing import Annotated, ClassVar, TypeVar

from rankeval.base.frozen import frozen
from rankeval.choices import GatePolicy
from rankeval.cli.options import completion_values as values
from rankeval.cli.options import file_options as files
from rankeval.cli.options import statistics_options as statistics
from rankeval.cli.options.option_groups import Stated, stated
from rankeval.cli.options.panels import REPORTS, RULES
from rankeval.commands.gate.reports.write_reports import Reports
from rankeval.commands.gate.rules.all_kinds import KINDS, parse_rule
from rankeval.commands.gate.rules.rule import Rule

Group = TypeVar("Group", bound=type)


def _with_kinds(options: Group) -> Group:
    """Give a group of options, before its own, one for each kind of rule."""
    of_kinds = {
        kind.field: Annotated[
            list[str] | None,
            RULES(
                f"--{kind.name}",
                "RULE",
                kind.help,
                autocompletion=values.measures,
            ),
        ]
        for kind in KINDS
    }
    options.__annotations__ = {**of_kinds, **options.__annotations__}
    for name in of_kinds:
        setattr(options, name, None)
    return options


@frozen
@_with_kinds
class RuleOptions:
    """The rules of a gate, and the suite that holds more of them."""

    rule: Annotated[
        list[str] | None,
        RULES("--rule", "RULE", "Rule of any of these kinds, as text: 'max-drop nDCG@10=2%'."),
    ] = None
    policy: Annotated[
        str | None,
        RULES(
            "--policy",
            "POLICY",
            "Condition for --max-drop to pass. observed (default): the drop is within the limit; "
            "not-shown-worse: the candidate is not shown to be worse; not-shown-beyond-limit: the "
            "drop is not shown to exceed the limit; shown-not-worse: the candidate is shown to be "
            "not worse.",
            any_of=[*GatePolicy],
            common=True,
        ),
    ] = None
    golden: Annotated[
        str | None,
        RULES(
            "--golden",
            "FILE",
            "Golden baseline of --max-drop-from-golden: a run, or saved JSON, that "
            "--update-baseline does not change.",
        ),
        files.READ,
    ] = None
    group: Annotated[
        str | None,
        RULES(
            "--group",
            "FILE",
            "Lines of topic and group. Every rule holds in every group, too; a rule such as "
            "'nDCG@10 in hard=5%' holds in the group hard only.",
        ),
        files.READ,
    ] = None
    group_by: Annotated[
        str | None,
        RULES(
            "--group-by",
            "COLUMN",
            "Column of --group's FILE that holds the group, as its header names it.",
        ),
    ] = None
    suite: Annotated[
        list[str] | None,
        RULES(
            "--suite",
            "NAME",
            "Take files and rules from a suite of rankeval.toml, or of [tool.rankeval] "
            "in pyproject.toml. Repeatable: several suites give one report.",
            autocompletion=values.suites,
            common=True,
        ),
    ] = None
    all_suites: Annotated[
        bool,
        RULES("--all-suites", "Judge all suites of the file, and exit with the worst exit code."),
    ] = False
    config: Annotated[
        str | None,
        RULES(
            "--config",
            "FILE",
            "File that holds the suites. Default: the nearest rankeval.toml or "
            "pyproject.toml, here or further up.",
        ),
        files.READ,
    ] = None
    update_baseline: Annotated[
        bool,
        RULES(
            "--update-baseline",
            "Write the candidate's values to BASELINE, a .json file, unless the candidate fails; "
            "with several suites to all of theirs, or to none.",
        ),
    ] = False
    force: Annotated[
        bool,
        RULES("--force", "Let --update-baseline store candidates that fail, too."),
    ] = False
    allow_missing: Annotated[
        bool,
        RULES(
            "--allow-missing", "Let --update-baseline take a candidate that lacks judged topics."
        ),
    ] = False

    @property
    def wants_suite(self) -> bool:
        """Return True if --suite or --config asks for a suite."""
        return bool(self.suite) or self.config is not None

    @property
    def wants_several(self) -> bool:
        """Return True if --all-suites or several --suite ask for one report on suites."""
        return self.all_suites or len(self.suite or ()) > 1

    def rules(self) -> tuple[Rule, ...]:
        """Return the rules, those of --rule last."""
        by_kind = sorted(KINDS, key=lambda kind: not kind.corrected)
        return (
            *(
                parse_rule(text, kind.name)
                for kind in by_kind
                for text in getattr(self, kind.field) or ()
            ),
            *map(parse_rule, self.rule or ()),
        )


@frozen
class DecisionOptions:
    """The statistics behind a gate's verdicts."""

    correction: statistics.CorrectionName = None
    bound: statistics.BoundName = None
    alpha: statistics.Alpha = None
    at_power: statistics.AtPower = None

    def stated(self) -> Stated:
        """Return the options that were given, named as the fields of a suite."""
        return stated(asdict(self))


@frozen
class ReportOptions(Reports):
    """Options for the reports for machines; folders of their files are created."""

    MAKES_FOLDERS: ClassVar[bool] = True
    junit: Annotated[
        str | None,
        REPORTS(
            "--junit",
            "FILE",
            "Write JUnit XML with a test case per rule; - prints it instead of the report.",
        ),
        files.WRITTEN,
    ] = None
    json: Annotated[
        str | None,
        REPORTS(
            "--json", "FILE", "Write the full report as JSON; - prints it instead of the report."
        ),
        files.WRITTEN,
    ] = None
    comment: Annotated[
        str | None,
        REPORTS(
            "--comment",
            "FILE",
            "Write Markdown for one comment on a pull request: a marker line, a short table, "
            "and folded details.",
        ),
        files.WRITTEN,
    ] = None
    append: Annotated[
        str | None,
        REPORTS(
            "--append",
            "FILE",
            "Append means and verdicts to a history, as a line of JSON with the commit.",
        ),
        files.WRITTEN,
    ] = None
    github: Annotated[
        bool,
        REPORTS(
            "--github",
            "Print annotations for GitHub Actions, and append Markdown to $GITHUB_STEP_SUMMARY.",
        ),
    ] = False

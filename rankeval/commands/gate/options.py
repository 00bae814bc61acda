"""Options of a gate: its rules, what decides, suites, conventions and reports."""

from dataclasses import make_dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, get_type_hints

from rankeval.base.frozen import frozen
from rankeval.choices import Bound, GatePolicy
from rankeval.cli.options import file_options as files
from rankeval.cli.options.evaluating_options import Alpha, Conventions
from rankeval.cli.options.panels import (
    REPORTS,
    RULES,
    STATISTICS,
    complete_measures,
    complete_suites,
)
from rankeval.commands.gate.rules import KINDS

COMMON, EVERYDAY = partial(RULES, common=True), ("max-drop",)
BOUNDS = (
    "Test and interval of a change. t (default): Student's t, for nearly normal differences; "
    "betting: assumes nothing but the measure's range, and needs more topics."
)
POLICIES = (
    "What --max-drop decides by. observed (default): the drop is within the limit; "
    "not-shown-worse: the candidate is not shown to be worse; not-shown-beyond-limit: the drop is "
    "not shown to exceed the limit; shown-not-worse: the candidate is shown to be not worse."
)
GOLDEN = "Baseline of --max-drop-from-golden, which --update-baseline does not change."
GROUPS = (
    "Lines of topic and group. Every rule holds in every group, too; a rule such as "
    "'nDCG@10 in hard=5%' holds in the group hard only."
)
SUITES = "Suite of rankeval.toml. Repeatable. Default: all of them, if no files are given."
CONFIG = "File of suites. Default: the nearest rankeval.toml, here or above."
UPDATE = (
    "Write the candidate's values to BASELINE, a .json file, unless the candidate fails; with "
    "several suites to all of theirs, or to none."
)
FORCE = "Let --update-baseline store candidates that fail, or that lack judged topics."
JUNIT = "Write JUnit XML with a test case per rule."
JSON = "Write the full report as JSON."
COMMENT = "Write Markdown for one comment on a pull request."
APPEND = "Append means and verdicts to a history, as a line of JSON with the commit."
GITHUB = "Print annotations for GitHub Actions, and add a summary and outputs to the step."


def _of_kind(name: str, words: str) -> tuple[str, Any, None]:
    """Return the option of a kind of rule, as a field."""
    panel = COMMON if name in EVERYDAY else RULES
    option = panel(f"--{name} RULE", words, autocompletion=complete_measures)
    return name.replace("-", "_"), Annotated[list[str] | None, option], None


if TYPE_CHECKING:
    KindOptions = object
    SomeConventions = Conventions
else:
    # One for each kind of rule.
    KindOptions = make_dataclass(
        "KindOptions", [_of_kind(name, kind.help) for name, kind in KINDS.items()]
    )
    # Others are keys of suites.
    SOME = ("like", "min_grade", "skip_no_relevant", "depth", "judged_only", "drop_self")
    SOME += ("ties", "order")
    _HINTS = get_type_hints(Conventions, include_extras=True)
    SomeConventions = make_dataclass(
        "SomeConventions", [(name, _HINTS[name], getattr(Conventions, name)) for name in SOME]
    )


@frozen
class RuleOptions:
    """The rules of a gate, what decides, and the suites that hold more of them."""

    policy: Annotated[str | None, COMMON("--policy POLICY", POLICIES, any_of=[*GatePolicy])] = None
    bound: Annotated[str | None, STATISTICS("--bound BOUND", BOUNDS, any_of=[*Bound])] = None
    alpha: Alpha = None
    golden: Annotated[str | None, RULES("--golden FILE", GOLDEN), files.READ] = None
    group: Annotated[str | None, RULES("--group FILE", GROUPS), files.READ] = None
    suite: Annotated[
        list[str] | None, COMMON("--suite NAME", SUITES, autocompletion=complete_suites)
    ] = None
    config: Annotated[str | None, RULES("--config FILE", CONFIG), files.READ] = None
    update_baseline: Annotated[bool, COMMON("--update-baseline", UPDATE)] = False
    force: Annotated[bool, RULES("--force", FORCE)] = False


@frozen
class ReportOptions:
    """Options for the reports for machines; folders of their files are created."""

    MAKES_FOLDERS: ClassVar[bool] = True
    junit: Annotated[str | None, REPORTS("--junit FILE", JUNIT, common=True), files.WRITTEN] = None
    json: Annotated[str | None, REPORTS("--json FILE", JSON), files.WRITTEN] = None
    comment: Annotated[str | None, REPORTS("--comment FILE", COMMENT), files.WRITTEN] = None
    append: Annotated[str | None, REPORTS("--append FILE", APPEND), files.WRITTEN] = None
    github: Annotated[bool, REPORTS("--github", GITHUB)] = False

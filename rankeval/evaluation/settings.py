"""The conventions of an evaluation: how files are read, what counts, and signatures of both."""

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Literal, Self, TypedDict

from rankeval.base.arrays import Floats
from rankeval.base.checked import checked
from rankeval.base.frozen import field, frozen
from rankeval.base.wording import count
from rankeval.choices import OrderRule, TieRule, Tool, TopicRule
from rankeval.errors import UsageError, printable
from rankeval.evaluation.aggregation import Aggregation, Rule
from rankeval.evaluation.results import Notice, QrelsFacts
from rankeval.io.column_names import parse_columns, require_roles
from rankeval.io.columns import Columns, as_single
from rankeval.io.formats import Form, check_name
from rankeval.io.lines_parser import Problems
from rankeval.measures import Measure, NamedMeasure
from rankeval.measures.facts import LARGEST, ParameterValue
from rankeval.ranking.align import Rules
from rankeval.ranking.duplicates import Collapse, Duplicates, collapse_at
from rankeval.ranking.qrels import Qrels
from rankeval.version import __version__

Defaults = tuple[tuple[str, str, ParameterValue], ...]
ErrorRule = Literal["refuse", "skip"]

RELEVANT = 1
"""The lowest relevant grade, unless `min_grade` or a measure's `rel` is another."""


@frozen
class ToolConventions:
    """Settings in which a tool differs from rankeval's defaults.

    ======== ===============================================================================
    settings fields of Settings that differ from their defaults
    measures measures when none is named; "" for rankeval's own default
    defaults values of measures' parameters, as (measure, parameter, value)
    names    names that mean a different measure in this tool
    ======== ===============================================================================
    """

    settings: Mapping[str, object] = field(default_factory=dict)
    measures: str = ""
    defaults: Defaults = ()
    names: Mapping[str, str] = field(default_factory=dict)


_TREC_EVAL = (
    "NumQ NumRet NumRel NumRelRet AP GMAP Rprec Bpref RR "
    "IPrec@0,0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9,1 P@5,10,15,20,30,100,200,500,1000"
)
_TREC_EVAL_9 = ToolConventions(
    settings={"topics": "both", "single_precision": True},
    measures=_TREC_EVAL,
    defaults=(("IPrec", "count", "add 0.9"), ("IAP", "count", "add 0.9")),
)
_BEIR_CUTOFFS = "1,3,5,10,100,1000"

TOOLS: Mapping[str, ToolConventions] = {
    # As `trec_eval -c`: without -c, version 10 refuses a run that lacks a topic.
    "trec_eval": ToolConventions(
        measures=_TREC_EVAL,
        defaults=(
            ("IPrec", "count", "nearest"),
            ("IAP", "count", "nearest"),
            ("RBP", "p", 0.9),
            ("RBP", "max_rel", "topic"),
            ("RBPres", "p", 0.9),
            ("RBPres", "rest", "unjudged"),
        ),
    ),
    "trec_eval9": _TREC_EVAL_9,
    "pytrec_eval": _TREC_EVAL_9,
    "gdeval": ToolConventions(
        settings={"topics": "both", "skip_no_relevant": True},
        measures="nDCG@20 ERR@20",
        defaults=(
            ("nDCG", "dcg", "exp-log2"),
            ("nDCG", "cutoff", 20),
            ("DCG", "dcg", "exp-log2"),
            ("DCG", "cutoff", 20),
            ("ERR", "max_rel", 4),
            ("ERR", "cutoff", 20),
        ),
    ),
    "msmarco": ToolConventions(
        settings={"order": "rank"}, measures="RR@10", defaults=(("RR", "cutoff", 10),)
    ),
    "beir": ToolConventions(
        settings={"topics": "both", "single_precision": True, "drop_self": True},
        measures=" ".join(f"{name}@{_BEIR_CUTOFFS}" for name in ("nDCG", "AP", "R", "P")),
    ),
    "ranx": ToolConventions(
        settings={"ties": "input", "aggregate": "mean"}, names={"recall": "SetR"}
    ),
}

NO_TOOL = ToolConventions()


class ReadingFields(TypedDict, total=False):
    """The fields of `Reading`, as keywords of functions."""

    qrels_format: str | None
    run_format: str | None
    columns: Mapping[str, str] | str | None
    on_error: ErrorRule
    duplicates: Duplicates
    collapse: str | None


@checked
@frozen
class Reading:
    """The fields of `Settings` that say how files are read; functions that only read take them."""

    qrels_format: str | None = None
    run_format: str | None = None
    columns: Mapping[str, str] | str | None = None
    on_error: ErrorRule = "refuse"
    duplicates: Duplicates = "refuse"
    collapse: str | None = None

    def format_of(self, what: str) -> str | None:
        """Return the name of the format of a run, or of judgments."""
        return self.run_format if what == "run" else self.qrels_format

    def qrels_form(self) -> Form:
        """Return the form of judgments, with a new count of wrong lines."""
        return self._form("qrels", self.qrels_format)

    def run_form(self) -> Form:
        """Return the form of a run, with the rank column if the settings need it."""
        by_rank = getattr(self, "order", None) == "rank"
        ranks = by_rank or getattr(self, "ties", None) == "rank"
        return self._form("run", self.run_format, ranks=ranks, by_rank=by_rank)

    def _form(self, what: str, name: str | None, **ranks: Any) -> Form:
        check_name(name)
        names = self.columns or {}
        columns = parse_columns(names) if isinstance(names, str) else require_roles(names)
        return Form(what, name, columns, Problems() if self.on_error == "skip" else None, **ranks)

    @property
    def chunks(self) -> Collapse | None:
        """Return the rule that collapses chunks into documents, or None."""
        return None if self.collapse is None else collapse_at(self.collapse)


class SettingsFields(ReadingFields, total=False):
    """The fields of `Settings`, as keywords of functions."""

    topics: TopicRule
    require_coverage: bool
    skip_no_relevant: bool
    min_grade: float | None
    depth: int | None
    judged_only: bool
    collection_size: int | None
    aggregate: Rule | None
    ties: TieRule
    order: OrderRule
    single_precision: bool
    drop_self: bool
    like: Tool | None
    defaults: Defaults | None


@checked
@frozen
class Settings(Reading):
    """The conventions of an evaluation, and how its files are read.

    ================ =====================================================================
    topics           "judged": every judged topic counts, one that the run lacks scores 0;
                     "both": only topics that are judged and retrieved for
    require_coverage a judged topic that a run lacks is an error
    skip_no_relevant leave out topics without any relevant document
    min_grade        lowest relevant grade, for measures that do not set rel themselves
    depth            documents considered per topic
    judged_only      drop unjudged documents from the rankings first
    collection_size  documents in the collection, for SetUtility
    aggregate        "mean", "geometric", "sum" or "median" over topics; None leaves each
                     measure its own rule
    ties             the order of equal scores: "docno" descending, "input", "rank", "best",
                     "worst", or "expected", the mean over all orders
    order            documents are ordered by their "score" or by the "rank" column
    single_precision scores are compared as 32-bit floats, as trec_eval 9 does
    drop_self        leave out a retrieved document whose docno is the topic's name
    like             tool whose defaults apply to fields left unset; to state a
                     default against a tool, see `like_tool`
    defaults         values that measures' parameters have unless a name states them, as
                     (measure, parameter, value); None for those of the tool
    qrels_format     the format of the judgments, such as "csv"; None finds it by the content
    run_format       the format of the runs, likewise
    columns          the names of columns by role, {"topic": "qid"}, or text "topic=qid,…"
    on_error         "refuse" a file with a line that is wrong, or "skip" such lines and count them
    duplicates       "refuse" a file that lists a document twice for a topic, or keep the "first"
                     or "last" of its lines, or the "best", by score or grade
    collapse         [RULE:]REGEX: chunks become their document, whose docno is the first group of
                     the match, or the docno without the match. RULE "first": the document has
                     the rank of its best chunk; "max", "sum": the greatest, or the sum of scores
    ================ =====================================================================

    >>> from rankeval import evaluate
    >>> from rankeval.options import Settings
    >>> qrels = {"q1": {"d1": 1}, "q2": {"d2": 1}}
    >>> run = {"q1": {"d1": 0.5}}
    >>> for topics in ("judged", "both"):
    ...     evaluate(qrels, run, "RR", Settings(topics=topics)).to_dict()
    {'run': {'RR': 0.5}}
    {'run': {'RR': 1.0}}
    """

    topics: TopicRule = "judged"
    require_coverage: bool = False
    skip_no_relevant: bool = False
    min_grade: float | None = None
    depth: int | None = None
    judged_only: bool = False
    collection_size: int | None = None
    aggregate: Rule | None = None
    ties: TieRule = "docno"
    order: OrderRule = "score"
    single_precision: bool = False
    drop_self: bool = False
    like: Tool | None = None
    defaults: Defaults | None = None

    def __post_init__(self) -> None:
        if self.defaults is None:  # fields that have their default values are those of the tool
            tool = TOOLS.get(self.like or "", NO_TOOL)
            for name, value in {**tool.settings, "defaults": tool.defaults}.items():
                if getattr(self, name) == getattr(Settings, name):
                    object.__setattr__(self, name, value)
        if self.min_grade is not None and not 0 < self.min_grade < math.inf:
            expected = "a number above 0: at 0 every unjudged document would be relevant"
            raise UsageError(
                f"the lowest relevant grade cannot be {self.min_grade:g}", expected=expected
            )
        for name, number in ("depth", self.depth), ("collection size", self.collection_size):
            if number is not None and not 1 <= number <= LARGEST:
                expected = f"1 or more, at most {LARGEST:.0e}"
                raise UsageError(f"the {name} cannot be {number}", expected=expected)

    @classmethod
    def like_tool(cls, like: Tool | None = None, **stated: Any) -> Self:
        """Build settings with the conventions of a tool; stated fields take precedence."""
        tool = TOOLS.get(like, NO_TOOL) if isinstance(like, str) else NO_TOOL
        return cls(**{**tool.settings, **stated}, like=like, defaults=tool.defaults)

    def rules(self, seen: Qrels | None = None) -> Rules:
        """Return the rules that make rankings of a run, without what topics have seen."""
        chunks = self.chunks
        if chunks is not None and chunks.by == "sum" and self.order == "rank":
            raise UsageError(
                "--collapse sum: orders documents by their scores, and --order rank does not",
                remedy="give one of the two",
            )
        compared = partial(_compared, by_rank=self.order == "rank", single=self.single_precision)
        return Rules(
            # For expected values, any order will do that keeps the ties of chunks open as well.
            ties="best" if self.ties == "expected" else self.ties,
            scores=compared if self.order == "rank" or self.single_precision else None,
            no_self=self.drop_self,
            seen=seen,
            repeated=self.duplicates,
            chunks=chunks,
        )

    def apply_to(self, named: NamedMeasure) -> Measure:
        """Apply the settings to a measure; parameters that its name states take precedence."""
        measure = named.measure
        own = self.min_grade, self.collection_size, self.defaults or None
        if own == (None, None, None) and not named.implied:
            return measure
        # What names of trec_eval imply applies under these settings.
        holds = {
            "tied": self.ties == "docno",
            "placeholder": self.topics == "judged" and not self.judged_only,
        }
        for name in named.implied:
            if not holds.get(name, True):
                measure = measure.without(name)
        every = self.defaults or ()
        wanted = [(p, v) for name, p, v in every if name == measure.name and holds.get(p, True)]
        wanted += [("N", self.collection_size)]
        if measure.parameters.get("rel") is not None:
            # NumRet counts all documents unless it is asked for those of a grade.
            wanted += [("rel", self.min_grade)]
        for name, value in wanted:
            if value is None or name in named.stated:
                continue
            if name in named.implied:
                measure = measure.without(name)
            measure = measure.with_default(name, value)
        return measure

    @property
    def meanings(self) -> Mapping[str, str]:
        """Return the names that mean another measure in the tool."""
        return TOOLS[self.like].names if self.like else {}

    def facts(self, **further: str | None) -> dict[str, str | float | bool | None]:
        """Return the settings by name, for the results, and further ones among them."""
        own = vars(self)
        return {n: own[n] for n in FACTS} | further | {n: own[n] for n in FACTS_OF_READING}


FACTS = ("ties", *(name for name in Settings.__annotations__ if name not in ("ties", "defaults")))
FACTS_OF_READING = ("on_error", "duplicates", "collapse")


USUAL = Settings()


def _compared(columns: Columns, *, by_rank: bool, single: bool) -> Floats:
    """Return the numbers that documents are ordered by, descending."""
    if by_rank and columns.ranks is None:
        raise UsageError(
            "the run has no rank column to order it by",
            expected="a run with ranks, such as TREC's format has them",
        )
    values = columns.values if columns.ranks is None or not by_rank else -columns.ranks
    return as_single(values) if single else values


def settings_from(given: Settings | None, stated: SettingsFields) -> Settings:
    """Return the settings, or those of keywords; UsageError for both."""
    if not stated:
        return USUAL if given is None else given
    if given is not None:
        raise UsageError(
            f"settings= and {', '.join(stated)} are both given",
            expected="either settings= or their fields as keywords",
        )
    return Settings(**stated) if "defaults" in stated else Settings.like_tool(**stated)


EQUAL = {
    "input": "in the order of the file",
    "rank": "by the rank column",
    "best": "better grades first",
    "worst": "better grades last",
    "expected": "the mean over all orders",
}
"""What is done with equal scores, by the rule."""

CONVENTIONS: Mapping[str, tuple[object, str, str]] = {
    "like": (None, "as in {0} (--like {0})", ""),
    "min_grade": (1, "relevant: grade {0} or more (-l {0})", ""),
    "collection_size": (None, "{0} documents in the collection (-N {0})", ""),
    "ties": ("docno", "equal scores: {equal} (--ties {0})", "ties:{0}!"),
    "order": ("score", "documents ordered by the rank column (--order {0})", "order:{0}"),
    "single_precision": (False, "scores compared as 32-bit floats", "scores:single"),
    "topics": ("judged", "only topics that the run has (--topics {0})", "topics:{0}!"),
    "judged_only": (False, "unjudged documents removed (-J)", "unjudged:{unjudged}!"),
    "drop_self": (False, "documents with the topic's name left out (--drop-self)", "self:dropped"),
    "skip_no_relevant": (
        False,
        "topics without a relevant document left out (--skip-no-relevant)",
        "no-relevant:skipped|min-grade:{min_grade}",
    ),
    "aggregate": ("", "", "{0}"),
    "duplicates": ("refuse", "{0} of repeated documents (--duplicates {0})", "duplicates:{0}"),
    "on_error": ("refuse", "wrong lines skipped (--on-error {0})", "wrong-lines:skipped"),
    "collapse": (None, "chunks count as documents (--collapse {0})", "{0}"),
    "depth": (None, "the first {0} documents of each topic (-M {0})", "depth:{0}"),
    "exclude_seen": (False, "items of the users' interactions left out (seen)", ""),
}
"""Settings: the value of which nothing is said, the words for another, and the mark in signatures.

`{0}` is the value. Marks that end in "!" are in every signature, others for unusual values only.
"""


def conventions_in_words(facts: Mapping[str, Any]) -> tuple[str, ...]:
    """Name each convention that is not the default, and the option that sets it.

    >>> from rankeval.options import Settings
    >>> conventions_in_words(Settings(judged_only=True, ties="worst").facts())
    ('equal scores: better grades last (--ties worst)', 'unjudged documents removed (-J)')
    """
    said = []
    for name, (usual, words, _) in CONVENTIONS.items():
        value = facts.get(name, usual)
        if words and value not in (usual, None):
            shown = f"{value:g}" if isinstance(value, float) else value
            said.append(words.format(shown, equal=EQUAL.get(str(value))))
    return tuple(said)


def signature_of(
    measure: Measure,
    settings: Settings,
    over_topics: Aggregation,
    qrels: Qrels | QrelsFacts,
    marks: Sequence[str],
) -> str:
    """Write all that may change the number into one line; `marks` name optional data."""
    parameters = {n: v for n, v in measure.parameters.items() if n != measure.definition.at}
    # Settings may remove unjudged documents for all measures, and a measure may for itself.
    removed = settings.judged_only or bool(parameters.get("judged_only"))
    if "judged_only" in parameters:
        parameters["judged_only"] = removed
    parts = [f"rankeval:{__version__}", str(measure), *(f"{n}:{v}" for n, v in parameters.items())]
    chunks = settings.chunks
    own = {
        **vars(settings),
        "min_grade": settings.min_grade or RELEVANT,
        "aggregate": "|".join(over_topics.marks(measure.definition)),
        "unjudged": "removed" if removed else "nonrel",
    }
    if chunks is not None:
        regex = chunks.regex.replace("|", r"\x7c")
        own["collapse"] = printable(f"collapse:{chunks.by}:regex={regex}")
    for name, (usual, _, mark) in CONVENTIONS.items():
        if mark and (mark.endswith("!") or own[name] != usual):
            parts.append(mark.rstrip("!").format(own[name], **own))
    return "|".join([*parts, *marks, f"qrels:{qrels.digest}"])


def changes(before: str, after: str) -> list[tuple[str, str, str]]:
    """Return the conventions that differ between two signatures, with both values.

    The judgments come last, because an option can change the other conventions.
    """
    old, new = parts_of(before), parts_of(after)
    both = {name: (old.get(name, "not set"), new.get(name, "not set")) for name in {**old, **new}}
    return [(name, *values) for name, values in both.items() if values[0] != values[1]]


def parts_of(signature: str) -> dict[str, str]:
    """Return the conventions of a signature by name, among them "measure" and "qrels".

    Versions that differ only in their last number give the same numbers.
    """
    version, *parts = signature.split("|")
    found = {"rankeval's version": ".".join(version.partition(":")[2].split(".")[:2])}
    if parts:
        found["measure"] = parts[0]
    for part in parts[1:]:
        name, _, value = part.partition(":")
        found[name] = value
    return found


def dropped_notices(name: str, dropped: Mapping[str, int]) -> list[Notice]:
    """Return a warning if lines were dropped."""
    kinds = ", ".join(f"{number} × {kind}" for kind, number in sorted(dropped.items()))
    lines = count(sum(dropped.values()), "line")
    return [Notice(f"{name}: {lines} dropped ({kinds})")] if dropped else []

"""The conventions of an evaluation: settings, tools, words for the unusual, and signatures."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, fields, replace
from functools import partial
from typing import Any, Literal, Self

import numpy as np

from rankeval.base.arrays import Floats
from rankeval.base.checked import checked
from rankeval.base.frozen import choice, frozen
from rankeval.choices import TieRule, Tool
from rankeval.errors import UsageError
from rankeval.evaluation.aggregation import Aggregation, Rule
from rankeval.evaluation.reading import Reading, ReadingFields
from rankeval.evaluation.results import QrelsFacts
from rankeval.io.formats import Form
from rankeval.io.parsers.columns import Columns
from rankeval.measures import Measure, NamedMeasure
from rankeval.measures.declare.facts import LARGEST, ParameterValue
from rankeval.ranking import RankedJudgments
from rankeval.ranking.align import Rules
from rankeval.ranking.qrels import Qrels
from rankeval.version import __version__

RELEVANT = 1
"""The lowest relevant grade, unless `min_grade` or a measure's `rel` is another."""


@frozen
class ToolConventions:
    """SettingsFields in which a tool differs from rankeval's defaults.

    ======== ===============================================================================
    settings fields of Settings that differ from their defaults
    measures measures when none is named; "" for rankeval's own default
    defaults values of measures' parameters, as (measure, parameter, value)
    names    names that mean a different measure in this tool
    ======== ===============================================================================
    """

    settings: Mapping[str, object] = field(default_factory=dict)
    measures: str = ""
    defaults: tuple[tuple[str, str, ParameterValue], ...] = ()
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
        settings={"ties": "input", "aggregate": "mean"},
        names={"recall": "SetR"},
    ),
}


def _conventions_of(like: str | None) -> ToolConventions:
    """Return the conventions of a tool, none for None; UsageError for an unknown tool."""
    if like is None:
        return ToolConventions()
    return TOOLS[choice("like", like, TOOLS)]


IMPLIED_WHERE: Mapping[str, Callable[["Settings"], bool]] = {
    "tied": lambda settings: settings.ties == "docno",
    "placeholder": lambda settings: settings.topics == "judged" and not settings.judged_only,
}
"""Parameters that trec_eval's names imply, and the settings under which they apply."""


class SettingsFields(ReadingFields, total=False):
    """The fields of `Settings`, as keywords of functions."""

    topics: Literal["judged", "both"]
    require_coverage: bool
    skip_no_relevant: bool
    min_grade: float | None
    depth: int | None
    judged_only: bool
    collection_size: int | None
    aggregate: Rule | None
    ties: TieRule
    order: Literal["score", "rank"]
    single_precision: bool
    drop_self: bool
    like: Tool | None
    defaults: tuple[tuple[str, str, ParameterValue], ...] | None


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

    topics: Literal["judged", "both"] = "judged"
    require_coverage: bool = False
    skip_no_relevant: bool = False
    min_grade: float | None = None
    depth: int | None = None
    judged_only: bool = False
    collection_size: int | None = None
    aggregate: Rule | None = None
    ties: TieRule = "docno"
    order: Literal["score", "rank"] = "score"
    single_precision: bool = False
    drop_self: bool = False
    like: Tool | None = None
    defaults: tuple[tuple[str, str, ParameterValue], ...] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.defaults is None:
            self._take_over_conventions()
        if self.min_grade is not None and not 0 < self.min_grade < math.inf:
            why = "at 0 every unjudged document would be relevant"
            raise UsageError(
                f"the lowest relevant grade cannot be {self.min_grade:g}",
                expected="a number" if self.min_grade > 0 else f"a grade above 0: {why}",
            )
        for name, number in ("depth", self.depth), ("collection size", self.collection_size):
            if number is not None and not 1 <= number <= LARGEST:
                raise UsageError(
                    f"the {name} cannot be {number}",
                    expected="1 or more" if number < 1 else f"at most {LARGEST:.0e}",
                )

    def _take_over_conventions(self) -> None:
        """Apply the tool's conventions to the fields that have their default values."""
        conventions = _conventions_of(self.like)
        usual = {field.name: field.default for field in fields(self)}
        for name, value in {**conventions.settings, "defaults": conventions.defaults}.items():
            if getattr(self, name) == usual[name]:
                object.__setattr__(self, name, value)

    @classmethod
    def like_tool(cls, like: Tool | None = None, **stated: Any) -> Self:
        """Build settings with the conventions of a tool; stated fields take precedence."""
        conventions = _conventions_of(like)
        return cls(**{**conventions.settings, **stated}, like=like, defaults=conventions.defaults)

    def rules(self) -> Rules:
        """Return the rules that make rankings of the lines of a run."""
        chunks = self.chunks
        if chunks is not None and chunks.by == "sum" and self.order == "rank":
            raise UsageError(
                "--collapse sum: orders documents by their scores, and --order rank does not",
                remedy="give one of the two",
            )
        return Rules(
            # For expected values, any order will do that keeps the ties of chunks open as well.
            ties="best" if self.ties == "expected" else self.ties,
            scores=partial(_compared, order=self.order, single_precision=self.single_precision)
            if self.order == "rank" or self.single_precision
            else None,
            no_self=self.drop_self,
            repeated=self.duplicates,
            chunks=chunks,
        )

    def run_form(self) -> Form:
        """Return the form of a run, with the rank column if the settings need it."""
        form = super().run_form()
        ranks = "rank" in (self.ties, self.order)
        return replace(form, ranks=True, by_rank=self.order == "rank") if ranks else form

    def apply_to(self, named: NamedMeasure) -> Measure:
        """Apply the settings to a measure; parameters that its name states take precedence."""
        measure = named.measure
        own = self.min_grade, self.collection_size, self.defaults or None
        if own == (None, None, None) and not named.implied:
            return measure
        for name in named.implied:
            if name in IMPLIED_WHERE and not IMPLIED_WHERE[name](self):
                measure = measure.without(name)
        wanted = [
            (p, value)
            for name, p, value in self.defaults or ()
            if name == measure.name and (p not in IMPLIED_WHERE or IMPLIED_WHERE[p](self))
        ]
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

    def note(self, named: NamedMeasure) -> str:
        """Return the note on a measure's name; "" under trec_eval's conventions."""
        if self.like in ("trec_eval", "trec_eval9", "pytrec_eval"):
            return ""
        return named.note

    def facts(self, **further: str | None) -> dict[str, str | float | bool | None]:
        """Return the settings by name, for the results, and further ones among them."""
        own = vars(self)
        return {n: own[n] for n in FACTS} | further | {n: own[n] for n in FACTS_OF_READING}


FACTS = ("ties", *(name for name in Settings.__annotations__ if name not in ("ties", "defaults")))
FACTS_OF_READING = ("on_error", "duplicates", "collapse")


USUAL = Settings()


def _compared(
    columns: Columns, *, order: Literal["score", "rank"], single_precision: bool
) -> Floats:
    """Return the numbers that documents are ordered by, descending."""
    values = columns.values
    if order == "rank":
        if columns.ranks is None:
            raise UsageError(
                "the run has no rank column to order it by",
                expected="a run with ranks, such as TREC's format has them",
            )
        values = -columns.ranks
    if not single_precision:
        return values
    with np.errstate(over="ignore"):  # too large scores become infinite, as in trec_eval 9
        return values.astype(np.float32).astype(np.float64)


def settings_from(given: Settings | None, stated: SettingsFields) -> Settings:
    """Return the settings, or those of keywords; UsageError for both."""
    if not stated:
        return USUAL if given is None else given
    if given is not None:
        raise UsageError(
            f"settings= and {', '.join(stated)} are both given",
            expected="either settings= or their fields as keywords",
        )
    if "defaults" in stated:
        return Settings(**stated)
    return Settings.like_tool(**stated)


TIES_IN_WORDS: Mapping[str, str] = {
    "docno": "ordered by docno, descending, as trec_eval does",
    "input": "ordered as in the file",
    "rank": "ordered by the rank column",
    "best": "better grades come first",
    "worst": "better grades come last",
    "expected": "values are means over all orders of them",
}

Facts = Mapping[str, Any]
"""Settings and rules of reading by name, as results and their JSON have them."""


def conventions_in_words(facts: Facts) -> tuple[str, ...]:
    """Name each convention that is not the default, and the option that sets it.

    >>> from rankeval.options import Settings
    >>> conventions_in_words(Settings(judged_only=True, depth=5).facts())
    ('the first 5 documents of each topic (-M 5)', 'unjudged documents removed (-J)')
    """
    said = []
    for name, (usual, words) in WORDS.items():
        value = facts.get(name, usual)
        if value not in (usual, None):
            shown = f"{value:g}" if isinstance(value, float) else value
            said.append(words.format(shown, ties=TIES_IN_WORDS.get(str(value))))
    return tuple(said)


WORDS: Mapping[str, tuple[object, str]] = {
    "like": (None, "as in {0} (--like {0})"),
    "topics": ("judged", "only topics that the run has (--topics {0})"),
    "skip_no_relevant": (False, "topics without a relevant document left out (--skip-no-relevant)"),
    "min_grade": (1, "relevant: grade {0} or more (-l {0})"),
    "depth": (None, "the first {0} documents of each topic (-M {0})"),
    "judged_only": (False, "unjudged documents removed (-J)"),
    "collection_size": (None, "{0} documents in the collection (-N {0})"),
    "ties": ("docno", "equal scores: {ties} (--ties {0})"),
    "order": ("score", "documents ordered by the rank column (--order {0})"),
    "single_precision": (False, "scores compared as 32-bit floats"),
    "drop_self": (False, "documents with the topic's name left out"),
    "on_error": ("refuse", "wrong lines skipped (--on-error {0})"),
    "duplicates": ("refuse", "of repeated documents the {0} line counts (--duplicates {0})"),
    "collapse": (None, "chunks count as documents (--collapse {0})"),
    "exclude_seen": (False, "items of the users' interactions left out (seen)"),
}
"""Each convention with the value of which nothing is said, and the words for any other."""


VERSION = "rankeval"
JUDGMENTS = "qrels"
UNSET = "not set"
JUDGED_ONLY = "judged_only"
"""The parameter of measures that remove unjudged documents themselves."""


def marks_of(measure: Measure, judged: RankedJudgments) -> tuple[str, ...]:
    """Return the parts of a signature that name the optional data of a measure, by digests."""
    if not measure.considers:
        return ()
    digests = [(need.name, getattr(need.of(judged), "digest", None)) for need in measure.considers]
    return tuple(f"{name}:{digest}" for name, digest in digests if digest)


def signature_of(
    measure: Measure,
    settings: Settings,
    over_topics: Aggregation,
    qrels: Qrels | QrelsFacts,
    marks: Sequence[str],
) -> str:
    """Write all that may change the number into one line; `marks` name optional data."""
    at = measure.definition.at
    # Settings may remove unjudged documents for all measures, and a measure may for itself.
    removed = settings.judged_only or bool(measure.parameters.get(JUDGED_ONLY))
    parameters = {
        name: removed if name == JUDGED_ONLY else value
        for name, value in measure.parameters.items()
        if name != at
    }
    parts = [
        f"{VERSION}:{__version__}",
        str(measure),
        *(f"{name}:{value}" for name, value in parameters.items()),
        f"ties:{settings.ties}",
        *[f"order:{settings.order}"] * (settings.order != "score"),
        *["scores:single"] * settings.single_precision,
        f"topics:{settings.topics}",
        "unjudged:removed" if removed else "unjudged:nonrel",
        *["self:dropped"] * settings.drop_self,
    ]
    if settings.skip_no_relevant:
        parts += ["no-relevant:skipped", f"min-grade:{settings.min_grade or 1}"]
    parts += [*over_topics.marks(measure.definition), *settings.marks]
    parts += [] if settings.depth is None else [f"depth:{settings.depth}"]
    return "|".join([*parts, *marks, f"{JUDGMENTS}:{qrels.digest}"])


def changes(before: str, after: str) -> list[tuple[str, str, str]]:
    """Return the conventions that differ between two signatures, with both values.

    Versions that differ only in their last number give the same numbers.
    The judgments come last, because an option can change the other conventions.
    """
    old, new = _parts_of(before), _parts_of(after)
    both = {name: (old.get(name, UNSET), new.get(name, UNSET)) for name in {**old, **new}}
    return [(name, *values) for name, values in both.items() if values[0] != values[1]]


def measure_of(signature: str) -> str:
    """Return the canonical name of the measure, "" where the signature has none."""
    return _parts_of(signature).get("measure", "")


def judgments_of_signature(signature: str) -> str:
    """Return the digest of the judgments, "" where the signature has none."""
    return _parts_of(signature).get(JUDGMENTS, "")


def _parts_of(signature: str) -> dict[str, str]:
    version, *parts = signature.split("|")
    found = {"rankeval's version": ".".join(version.partition(":")[2].split(".")[:2])}
    if parts:
        found["measure"] = parts[0]
    for part in parts[1:]:
        name, _, value = part.partition(":")
        found[name] = value
    return found

"""The types of an evaluation's document."""

from typing import Annotated, Literal, NotRequired, TypedDict

from docs.pages.contracts.compare import CompareComparison, CompareMethod
from docs.pages.contracts.parts import Count, Headed, Positive
from rankeval.choices import AggregateRule, OnRunError, OrderRule, TieRule, TopicRule, UnjudgedRule


class EvalQrels(TypedDict):
    """Judgments.

    ========= ===================================================================================
    path      Path of the judgments; "" for judgments in memory.
    topics    Number of judged topics.
    judgments Number of judgments.
    digest    Digest of the judgments; equal judgments have equal digests, whatever their format.
    dropped   Number of lines of the file that were left out, by kind.
    by_topic  A digest of the judgments of each topic, which shows later whose judgments have
              changed. With --per-topic only, and not for judgments of Spark.
    ========= ===================================================================================
    """

    path: str
    topics: Count
    judgments: Count
    digest: str
    dropped: dict[str, Positive]
    by_topic: NotRequired[dict[str, Annotated[str, ("pattern", "^[0-9a-f]{8}$")]]]


class EvalSettings(TypedDict):
    """Settings.

    Conventions of the evaluation.

    ================ =============================================================================
    ties             Order of documents with equal scores.
    topics           Topics that count: all judged ones, or those that are judged and in the run.
    require_coverage True if a judged topic that a run lacks is an error.
    skip_no_relevant True if topics without a relevant document are left out.
    min_grade        Lowest relevant grade, for measures that do not set rel; null for each
                     measure's own.
    depth            Documents considered per topic; null for all.
    judged_only      True if unjudged documents are removed from rankings first.
    collection_size  Number of documents in the collection; null if unknown.
    aggregate        Rule that turns the values of topics into one number; null for each measure's
                     own.
    order            Column that orders documents.
    single_precision True if scores are compared as 32-bit floats.
    drop_self        True if a document that has the topic's name is left out.
    unjudged         Treatment of unjudged documents.
    like             Tool whose conventions apply; null for none.
    weights          Path of the weights of topics, "given" for weights in memory, null without
                     weights.
    groups           Path of the groups of topics, "given" for groups in memory, null without
                     groups.
    group_by         Column of the groups in their table; null for other files.
    on_error         Treatment of wrong lines.
    duplicates       Treatment of documents that a ranking or the judgments hold twice.
    collapse         Regular expression that turns docnos of chunks into docnos of documents; null
                     for none.
    collapse_sep     Separator before the number of a chunk in a docno; null for none.
    collapse_by      Rule that turns the scores of chunks into the score of a document.
    train            Path of the training interactions, "given" for interactions in memory, null
                     without them. Only if any input of recommenders is given, as for the next
                     three.
    exclude_seen     True if documents that a topic has training interactions with are dropped.
    catalog          Number of items of the catalogue, or path of their file, "given" for items in
                     memory, null without a catalogue.
    item_features    Path of the features of items, "given" for features in memory, null without
                     them.
    ================ =============================================================================
    """

    ties: TieRule
    topics: TopicRule
    require_coverage: bool
    skip_no_relevant: bool
    min_grade: float | None
    depth: Positive | None
    judged_only: bool
    collection_size: Positive | None
    aggregate: AggregateRule | None
    order: OrderRule
    single_precision: bool
    drop_self: bool
    unjudged: UnjudgedRule
    like: str | None
    weights: str | None
    groups: str | None
    group_by: str | None
    on_error: OnRunError
    duplicates: str
    collapse: str | None
    collapse_sep: str | None
    collapse_by: str
    train: NotRequired[str | None]
    exclude_seen: NotRequired[bool]
    catalog: NotRequired[int | str | None]
    item_features: NotRequired[str | None]


class EvalBounds(TypedDict):
    """Bounds.

    Range of values that judging the unjudged documents could lead to. With --bounds only, and only
    for measures whose bounds are known.

    ========= ===============================================================
    low       Least value; null if it is undefined.
    high      Greatest value; null if it is undefined.
    exact     False if the bounds hold, but no judging may reach them.
    per_topic Least and greatest value of each topic, by topic. With -q only.
    ========= ===============================================================
    """

    low: float | None
    high: float | None
    exact: bool
    per_topic: NotRequired[dict[str, tuple[float | None, float | None]]]


class EvalSeed(TypedDict):
    """Value of one run of a system.

    ========= =======================================================================
    mean      Value over all topics; null if it is undefined.
    per_topic Value of each topic, by topic; null if it is undefined. With -q only.
    ========= =======================================================================
    """

    mean: float | None
    per_topic: NotRequired[dict[str, float | None]]


class EvalMeasure(TypedDict):
    """Measure of a run.

    ========= ======================================================================================
    mean      Value over all topics, by whatever rule; null if it is undefined.
    rule      Rule that turned the values of topics into `mean`, such as mean, sum or weighted mean;
              "whole run" for a measure without values of topics.
    loss      True when smaller values are better.
    signature Conventions behind the number: measure, parameters, settings and version.
    per_topic Value of each topic, by topic; null if it is undefined. With -q only, and not for
              measures of a whole run.
    deviation Sample standard deviation over the runs of a system. For systems of several runs only,
              as is the next one.
    seeds     Value of each of these runs.
    ========= ======================================================================================
    """

    mean: float | None
    rule: str
    loss: bool
    signature: str
    bounds: NotRequired[EvalBounds]
    per_topic: NotRequired[dict[str, float | None]]
    deviation: NotRequired[float | None]
    seeds: NotRequired[list[EvalSeed]]


class EvalMeasures(TypedDict):
    """Measures.

    ==== ============================================================
    mean Value over the topics of the group; null if it is undefined.
    ==== ============================================================
    """

    mean: float | None


class EvalGroup(TypedDict):
    """Group of topics.

    ======== ==================================
    topics   Number of topics in the group.
    measures Values over the group, by measure.
    ======== ==================================
    """

    topics: Count
    measures: dict[str, EvalMeasures]


class EvalSystemRun(TypedDict):
    """Run of a system of several.

    ==== ===========================================
    name Name of the run.
    path Path of the run; "" for a run in memory.
    ==== ===========================================
    """

    name: str
    path: str


class EvalRun(TypedDict):
    """Run.

    ======== ===================================================================================
    name     Name of the run.
    path     Path of the run; "" for a run in memory.
    topics   Number of topics that were evaluated.
    warnings Warnings, one sentence each.
    measures Values over all topics, by name of the measure: canonical, or as given with
             --measure-names as-given.
    dropped  Number of lines of the file that were left out, by kind.
    groups   Values by group of topics, by name of the group. With --groups only.
    seeds    Runs of the system, such as one for each random seed. For several only.
    ======== ===================================================================================
    """

    name: str
    path: str
    topics: Count
    warnings: list[str]
    measures: dict[str, EvalMeasure]
    dropped: dict[str, Positive]
    groups: NotRequired[dict[str, EvalGroup]]
    seeds: NotRequired[list[EvalSystemRun]]


class EvalFailed(TypedDict):
    """Run that could not be evaluated.

    ===== ========================================
    path  Path of the run; "" for a run in memory.
    error The error's text.
    ===== ========================================
    """

    path: str
    error: str


class EvalDocument(Headed):
    """Evaluation.

    Document that `rankeval eval -f json` writes. With -q it can be read again as a run, such as the
    baseline of compare and gate.

    =========== ===================================================================================
    qrels       The judgments.
    runs        One object per run.
    failed      Runs that could not be evaluated. With --on-run-error skip only, if there are some.
    baseline    Name of the run that the others are compared with. With --baseline only.
    method      The way to compare. With --baseline only.
    comparisons One object per averaged measure and run. With --baseline only.
    =========== ===================================================================================
    """

    schema: Literal["rankeval/1"]
    qrels: EvalQrels
    settings: EvalSettings
    runs: list[EvalRun]
    failed: NotRequired[Annotated[list[EvalFailed], ("minItems", 1)]]
    baseline: NotRequired[str]
    method: NotRequired["CompareMethod"]
    comparisons: NotRequired["list[CompareComparison]"]

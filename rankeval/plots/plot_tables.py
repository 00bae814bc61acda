"""The numbers of a plot as rows or a document, from whose types the schema is made."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Annotated, Any, Literal, TypedDict

from rankeval.base.frozen import frozen
from rankeval.evaluation.results import Results
from rankeval.output.data_rows import Row, Value, Written, named_rows
from rankeval.output.document_form import (
    Count,
    Document,
    Headed,
    Positive,
    Risk,
    Share,
    headed,
    plain,
)
from rankeval.output.printer import Printer
from rankeval.output.style import Style
from rankeval.plots.kinds import Choices, plot_data, rows_of


class PlotQrels(TypedDict):
    """Judgments of a plot.

    ====== ========================
    digest Digest of the judgments.
    ====== ========================
    """

    digest: str


class PlotDocument(Headed):
    """Numbers of a plot.

    Document that `rankeval plot --data FILE.json` writes.

    ===== =======================================================
    kind  Kind of plot.
    qrels The judgments.
    rows  The numbers, in rows of the same keys; `kind` names them.
    ===== =======================================================
    """

    schema: Literal["rankeval-plot/1"]
    qrels: PlotQrels


class PrRow(TypedDict):
    """Precision by recall.

    ====== ================================================
    run    Name of the run.
    recall Level of recall.
    IPrec  Interpolated precision; null if it is undefined.
    ====== ================================================
    """

    run: str
    recall: Share
    IPrec: float | None


class PrPlot(PlotDocument):
    """Numbers of a plot: precision by recall."""

    kind: Literal["pr"]
    rows: list[PrRow]


class PrgRow(TypedDict):
    """Precision gain by recall gain.

    ============== ==================================================================
    run            Name of the run.
    recall_gain    Recall gain.
    precision_gain Mean precision gain; null if it is undefined.
    hull           Convex hull of the curve; null if it is undefined.
    area           Mean area under the curves of the topics; null if it is undefined.
    ============== ==================================================================
    """

    run: str
    recall_gain: Share
    precision_gain: float | None
    hull: float | None
    area: float | None


class PrgPlot(PlotDocument):
    """Numbers of a plot: precision gain by recall gain."""

    kind: Literal["prg"]
    rows: list[PrgRow]


class CutoffRowOfMeasures(TypedDict):
    """Measure by cutoff.

    ======= ===================================
    run     Name of the run.
    cutoff  The cutoff.
    measure Canonical name of the measure.
    value   The value; null if it is undefined.
    ======= ===================================
    """

    run: str
    cutoff: Positive
    measure: str
    value: float | None


class CutoffPlot(PlotDocument):
    """Numbers of a plot: measure by cutoff."""

    kind: Literal["cutoff"]
    rows: list[dict[str, str | float | None] | CutoffRowOfMeasures]


class ForestRow(TypedDict):
    """Difference from the baseline.

    ========== ============================================================
    run        Name of the run.
    baseline   Name of the baseline.
    measure    Canonical name of the measure.
    difference Mean of run - baseline; null if it is undefined.
    low        Lower end of the interval; null if it is undefined.
    high       Upper end of the interval; null if it is undefined.
    wins       Topics on which the run is better.
    ties       Topics on which the two are equal.
    losses     Topics on which the run is worse.
    ========== ============================================================
    """

    run: str
    baseline: str
    measure: str
    difference: float | None
    low: float | None
    high: float | None
    wins: Count
    ties: Count
    losses: Count


class ForestPlot(PlotDocument):
    """Numbers of a plot: difference from the baseline."""

    kind: Literal["forest"]
    rows: list[ForestRow]


class TopicsRow(TypedDict):
    """Difference by topic.

    ========== ======================================================================
    baseline   Name of the baseline.
    run        Name of the run.
    measure    Canonical name of the measure.
    topic      Name of the topic.
    difference Value of the run minus value of the baseline; null if it is undefined.
    ========== ======================================================================
    """

    baseline: str
    run: str
    measure: str
    topic: str
    difference: float | None


class TopicsPlot(PlotDocument):
    """Numbers of a plot: difference by topic."""

    kind: Literal["topics"]
    rows: list[TopicsRow]


class ScatterRow(TypedDict):
    """Values of two runs by topic.

    ============== ===============================================
    baseline       Name of the baseline.
    run            Name of the run.
    measure        Canonical name of the measure.
    topic          Name of the topic.
    baseline_value Value of the baseline; null if it is undefined.
    run_value      Value of the run; null if it is undefined.
    ============== ===============================================
    """

    baseline: str
    run: str
    measure: str
    topic: str
    baseline_value: float | None
    run_value: float | None


class ScatterPlot(PlotDocument):
    """Numbers of a plot: values of two runs by topic."""

    kind: Literal["scatter"]
    rows: list[ScatterRow]


class BoxRow(TypedDict):
    """Distribution over topics.

    ============== ==================================================
    run            Name of the run.
    measure        Canonical name of the measure.
    topics         Topics with a value.
    mean           Mean; null if it is undefined.
    low            End of the lower whisker; null if it is undefined.
    first_quartile First quartile; null if it is undefined.
    median         Median; null if it is undefined.
    third_quartile Third quartile; null if it is undefined.
    high           End of the upper whisker; null if it is undefined.
    outliers       Number of outliers.
    ============== ==================================================
    """

    run: str
    measure: str
    topics: Count
    mean: float | None
    low: float | None
    first_quartile: float | None
    median: float | None
    third_quartile: float | None
    high: float | None
    outliers: Count


class BoxPlot(PlotDocument):
    """Numbers of a plot: distribution over topics."""

    kind: Literal["box"]
    rows: list[BoxRow]


class HeatmapRow(TypedDict):
    """Value by topic and run.

    ======= ===================================
    topic   Name of the topic.
    run     Name of the run.
    measure Canonical name of the measure.
    value   The value; null if it is undefined.
    ======= ===================================
    """

    topic: str
    run: str
    measure: str
    value: float | None


class HeatmapPlot(PlotDocument):
    """Numbers of a plot: value by topic and run."""

    kind: Literal["heatmap"]
    rows: list[HeatmapRow | TopicsRow]


class CiRow(TypedDict):
    """Mean with an interval.

    ======= ===================================================
    run     Name of the run.
    measure Canonical name of the measure.
    level   Confidence level.
    mean    Mean; null if it is undefined.
    low     Lower end of the interval; null if it is undefined.
    high    Upper end of the interval; null if it is undefined.
    ======= ===================================================
    """

    run: str
    measure: str
    level: Risk
    mean: float | None
    low: float | None
    high: float | None


class CiPlot(PlotDocument):
    """Numbers of a plot: mean with an interval."""

    kind: Literal["ci"]
    rows: list[CiRow]


class RanksRow(TypedDict):
    """Mean rank.

    =================== ============================================================================
    run                 Name of the run.
    measure             Canonical name of the measure.
    mean_rank           Mean rank of the run over topics.
    groups              Numbers of the groups of runs, separated by spaces, that the run belongs to;
                        runs of a group do not differ significantly.
    critical_difference Smallest significant difference of mean ranks; null if it is undefined.
    alpha               Significance level.
    topics              Topics that count.
    friedman_p          p-value of Friedman's test; null if it is undefined.
    =================== ============================================================================
    """

    run: str
    measure: str
    mean_rank: Annotated[float, ("minimum", 1)]
    groups: str
    critical_difference: float | None
    alpha: Risk
    topics: Count
    friedman_p: float | None


class RanksPlot(PlotDocument):
    """Numbers of a plot: mean rank."""

    kind: Literal["ranks"]
    rows: list[RanksRow]


class RankIntervalsRow(TypedDict):
    """Rank with an interval.

    ======= =========================================================================
    run     Name of the run.
    measure Canonical name of the measure.
    rank    Rank by the means, 1 being the best.
    low     Lowest rank of the interval.
    high    Highest rank of the interval.
    best    Probability to be the best over all topics that users might ask.
    ======= =========================================================================
    """

    run: str
    measure: str
    rank: Positive
    low: Positive
    high: Positive
    best: Share


class RankIntervalsPlot(PlotDocument):
    """Numbers of a plot: rank with an interval."""

    kind: Literal["rank-intervals"]
    rows: list[RankIntervalsRow]


class RainRow(TypedDict):
    """Values by topic.

    ======= ===================================
    run     Name of the run.
    measure Canonical name of the measure.
    topic   Name of the topic.
    value   The value; null if it is undefined.
    ======= ===================================
    """

    run: str
    measure: str
    topic: str
    value: float | None


class RainPlot(PlotDocument):
    """Numbers of a plot: values by topic."""

    kind: Literal["rain"]
    rows: list[RainRow]


class EcdfRow(TypedDict):
    """Share of topics up to a value.

    ======= =================================================
    run     Name of the run.
    measure Canonical name of the measure.
    value   A value that occurs.
    share   Share of topics with this value or a smaller one.
    ======= =================================================
    """

    run: str
    measure: str
    value: float
    share: Share


class EcdfPlot(PlotDocument):
    """Numbers of a plot: share of topics up to a value."""

    kind: Literal["ecdf"]
    rows: list[EcdfRow]


class DotsRow(TypedDict):
    """Mean with groups.

    =================== ==================================================================
    run                 Name of the run.
    measure             Canonical name of the measure.
    mean                Mean over the topics on which all runs have a value.
    groups              Numbers of the groups of runs that do not differ significantly.
    critical_difference Critical difference of two means; null with fewer than two topics.
    alpha               Significance level.
    topics              Topics on which all runs have a value.
    =================== ==================================================================
    """

    run: str
    measure: str
    mean: float
    groups: str
    critical_difference: float | None
    alpha: Risk
    topics: Count


class DotsPlot(PlotDocument):
    """Numbers of a plot: mean with groups."""

    kind: Literal["dots"]
    rows: list[DotsRow]


class PairsRow(TypedDict):
    """Pair of runs.

    ======= =====================================================================
    a       Name of a run.
    b       Name of another run.
    measure Canonical name of the measure.
    p_value Corrected p-value of the difference.
    won     Share of topics on which a is better than b; null if it is undefined.
    ======= =====================================================================
    """

    a: str
    b: str
    measure: str
    p_value: float | None
    won: float | None


class PairsPlot(PlotDocument):
    """Numbers of a plot: pair of runs."""

    kind: Literal["pairs"]
    rows: list[PairsRow]


class SlopeRow(TypedDict):
    """Rank under a measure or judgments.

    ======= =================================================================
    run     Name of the run.
    measure Canonical name of the measure.
    under   The measure, or the judgments.
    value   The value; null if it is undefined.
    rank    Rank from 1, tied runs sharing the mean; null if it is undefined.
    ======= =================================================================
    """

    run: str
    measure: str
    under: str
    value: float | None
    rank: float | None


class SlopePlot(PlotDocument):
    """Numbers of a plot: rank under a measure or judgments."""

    kind: Literal["slope"]
    rows: list[SlopeRow]


class GridRow(TypedDict):
    """Value of a system on a collection.

    ========== ===========================================================================
    collection Name of the collection.
    run        Name of the run.
    measure    Canonical name of the measure.
    value      The value; null if it is undefined.
    p_value    Corrected p-value of the difference from the baseline; null without a test.
    ========== ===========================================================================
    """

    collection: str
    run: str
    measure: str
    value: float | None
    p_value: float | None


class GridPlot(PlotDocument):
    """Numbers of a plot: value of a system on a collection."""

    kind: Literal["grid"]
    rows: list[GridRow]


class AgreementRow(TypedDict):
    """Agreement of two measures.

    ======= =======================================
    truth   Measure that orders the runs.
    measure Measure that it is compared with.
    tau     Kendall's tau; null if it is undefined.
    tau_ap  tau-AP; null if it is undefined.
    ======= =======================================
    """

    truth: str
    measure: str
    tau: float | None
    tau_ap: float | None


class AgreementPlot(PlotDocument):
    """Numbers of a plot: agreement of two measures."""

    kind: Literal["agreement"]
    rows: list[AgreementRow]


class TradeoffPlot(PlotDocument):
    """Numbers of a plot: value and cost."""

    kind: Literal["tradeoff"]
    rows: list[dict[str, str | float | bool | None]]


class JudgedRow(TypedDict):
    """Share of unjudged documents by cutoff.

    ======== =====================================================
    run      Name of the run.
    cutoff   The cutoff.
    unjudged Share of unjudged documents; null if it is undefined.
    ======== =====================================================
    """

    run: str
    cutoff: Positive
    unjudged: float | None


class JudgedPlot(PlotDocument):
    """Numbers of a plot: share of unjudged documents by cutoff."""

    kind: Literal["judged"]
    rows: list[JudgedRow]


SCHEMA = "rankeval-plot/1"


@frozen(eq=False)
class Plot:
    """A plot: its kind, the data of its panels, and the digest of the judgments.

    `listed` is the same data with the runs as given, whose numbers are written; `note` says which
    runs are left out.
    """

    kind: str
    panels: tuple[Any, ...]
    digest: str
    listed: tuple[Any, ...] = ()
    note: str = ""


def plot_of(kind: str, results: Results, choices: Choices) -> Plot:
    """Return the plot of results: panels in the order of the choices, numbers as given."""
    n_runs = len(results.runs)
    left_out = choices.top is not None and choices.top < n_runs
    return Plot(
        kind,
        plot_data(kind, results, choices),
        results.qrels.digest,
        plot_data(kind, results, replace(choices, sort="given", cluster=False)),
        f"the best {choices.top} of {n_runs} runs" if left_out else "",
    )


def _document(plot: Plot, _: Style) -> Document:
    facts = {"kind": plot.kind, "qrels": {"digest": plot.digest}}
    return headed(
        SCHEMA, {**facts, "rows": [plain(row) for row in rows_of(plot.listed or plot.panels)]}
    )


def _rows(plot: Plot, _: Style) -> Iterator[Row]:
    for row in named_rows(rows_of(plot.listed or plot.panels)):
        yield [_cell(value) for value in row]


def _cell(value: Value) -> Value:
    return Written(value, str(value).lower()) if isinstance(value, bool) else value


PLOT_DATA = Printer[Plot](
    document=_document,
    rows=_rows,
)
"""The numbers drawn, with all their digits; an undefined one is null or empty."""

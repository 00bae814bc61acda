import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankeval
from rankeval import plots
from rankeval.errors import UsageError
from rankeval.plots.line_kinds import isometric, upper_hull
from tests.plots.conftest import QRELS, RUNS, panel, panels
from tests.support.frames import judged_frame, qrels_frame
from tests.support.oracles import curve_of_pyprg
from tests.support.results import results, score


def names(paths=RUNS):
    return tuple(path.stem for path in paths)


def heights_of(curves):
    return [line.points[1] for line in curves.lines]


def test_precision_is_the_best_at_each_level_of_recall_or_above(example):
    """Plain definition, from the files: max of precision over ranks whose recall is enough."""
    curves = panel("pr", example("pr"))

    assert curves.runs == names()
    assert curves.lines[0].points[0].tolist() == [i / 100 for i in range(101)]
    relevant = qrels_frame(QRELS).query("grade >= 1").groupby("topic").size()
    topics = qrels_frame(QRELS)["topic"].unique()
    for path, heights in zip(RUNS, heights_of(curves), strict=True):
        found = judged_frame(QRELS, path)
        expected = np.zeros((len(topics), 101))
        for i, topic in enumerate(topics):
            if topic not in relevant:
                continue
            hits = found[found["topic"] == topic]["grade"].ge(1).to_numpy().cumsum()
            ranks = np.arange(1, len(hits) + 1)
            for j in range(101):
                enough = hits * 100 >= j * relevant[topic]
                enough &= hits > 0
                expected[i, j] = (hits / ranks)[enough].max(initial=0.0)
        assert heights == pytest.approx(expected.mean(axis=0))


def test_precision_at_eleven_levels_is_among_the_curve(example):
    curves = panel("pr", example("pr"))
    eleven = rankeval.evaluate(QRELS, RUNS[0], [f"IPrec@{i / 10:g}" for i in range(11)])

    assert curves.lines[0].points[1][::10] == pytest.approx(
        [s.aggregate for s in eleven.runs[0].scores]
    )


def test_precision_at_eleven_levels_is_that_of_trec_eval(example):
    pytrec_eval = pytest.importorskip("pytrec_eval")
    # Relevant documents that a level of recall takes, as trec_eval rounds them.
    curves = panel("pr", example("pr", "IPrec(count='add 0.9')@0"))
    with QRELS.open() as lines:
        qrels = pytrec_eval.parse_qrel(lines)
    levels = [f"{i / 10:.2f}" for i in range(11)]

    for path, heights in zip(RUNS, heights_of(curves), strict=True):
        with path.open() as lines:
            run = pytrec_eval.parse_run(lines)
        measures = {"iprec_at_recall." + ",".join(levels)}
        values = pytrec_eval.RelevanceEvaluator(qrels, measures).evaluate(run)
        expected = [
            sum(of_topic[f"iprec_at_recall_{level}"] for of_topic in values.values()) / len(qrels)
            for level in levels
        ]
        assert heights[::10] == pytest.approx(expected)


def test_gain_curves_are_the_mean_of_pyprgs(example):
    """All judged documents of a topic, those not retrieved below the others."""
    curves = panel("prg", example("prg"))
    grades = qrels_frame(QRELS)

    for path, line in zip(RUNS[:2], curves.lines, strict=False):
        heights, area = line.points[1], line.numbers["area"][0]
        scores = judged_frame(QRELS, path).set_index(["topic", "docno"])["score"]
        retrieved = {topic for topic, _ in scores.index}
        expected = []
        for topic, judged in grades.groupby("topic"):
            labels = judged["grade"].ge(1).to_numpy().astype(int)
            if topic not in retrieved or len({*labels}) < 2:
                continue
            found = [scores.get((topic, docno), -1e9) for docno in judged["docno"]]
            curve = curve_of_pyprg(labels, found)
            x, y = np.array(curve["recall_gain"]), np.array(curve["precision_gain"])
            # Levels at which a curve is vertical have no one height: take the upper end.
            expected.append(
                [
                    y[np.abs(x - level) < 1e-9].max()
                    if (np.abs(x - level) < 1e-9).any()
                    else np.interp(level, x[x >= 0], y[x >= 0])
                    for level in line.points[0]
                ]
            )
        assert heights == pytest.approx(np.mean(expected, axis=0), abs=1e-9)
        assert np.trapezoid(heights, line.points[0]) == pytest.approx(area, abs=2e-3)


def test_the_hull_of_a_gain_curve_is_that_of_scipy(example):
    from scipy.spatial import ConvexHull

    curves = panel("prg", example("prg"))

    for line in curves.lines:
        points = np.column_stack([line.points[0], line.points[1]])
        below = np.vstack([points, [(0.0, -9.0), (1.0, -9.0)]])
        vertices = [i for i in ConvexHull(below).vertices if i < len(points)]
        corners = points[sorted(vertices)]
        assert line.numbers["hull"] == pytest.approx(np.interp(line.points[0], *corners.T))


@settings(max_examples=50)
@given(st.lists(st.integers(-5, 5), min_size=2, max_size=12))
def test_a_hull_is_the_lowest_concave_curve_above_the_points(heights):
    y = np.array(heights, dtype=float)
    x = np.arange(len(y), dtype=float)

    hull = upper_hull(x, y)

    chords = [
        max(
            y[i] + (y[j] - y[i]) * (k - i) / (j - i) if j > i else y[k]
            for i in range(k + 1)
            for j in range(k, len(y))
        )
        for k in range(len(y))
    ]
    assert hull == pytest.approx(chords)


@pytest.mark.parametrize("level", [0.0, 0.3, 0.9])
def test_all_points_of_an_isometric_have_the_same_f_gain(level):
    """F of precision and recall, turned back from the gains, with a share of positives of 0.2."""
    recall_gain, precision_gain = isometric(level)
    pi = 0.2
    for share in (0.25, 0.5, 0.75):
        gains = [ends[0] + share * (ends[1] - ends[0]) for ends in (precision_gain, recall_gain)]
        precision, recall = (pi / (1 - (1 - pi) * gain) for gain in gains)
        f = 2 / (1 / precision + 1 / recall)

        assert (f - pi) / ((1 - pi) * f) == pytest.approx(level)


def test_a_measure_by_cutoff_is_that_of_pytrec_eval(example):
    pytrec_eval = pytest.importorskip("pytrec_eval")
    curves = panel("cutoff", example("cutoff", "nDCG@10"))
    with QRELS.open() as lines:
        qrels = pytrec_eval.parse_qrel(lines)
    with RUNS[0].open() as lines:
        run = pytrec_eval.parse_run(lines)
    measures = {f"ndcg_cut.{','.join(f'{k:g}' for k in curves.lines[0].points[0])}"}
    values = pytrec_eval.RelevanceEvaluator(qrels, measures).evaluate(run)

    expected = [
        sum(of_topic[f"ndcg_cut_{k:g}"] for of_topic in values.values()) / len(qrels)
        for k in curves.lines[0].points[0]
    ]
    assert curves.measure == "nDCG"
    assert curves.lines[0].points[1] == pytest.approx(expected)


def test_each_of_several_measures_by_cutoff_has_a_panel(example):
    found = example("cutoff", "P@5 nDCG(dcg='exp-log2')@5")

    first, second = panels("cutoff", found)
    again = panel("cutoff", example("cutoff", "nDCG(dcg='exp-log2')"))
    assert (first.measure, second.measure) == ("P", again.measure)
    assert heights_of(second) == [pytest.approx(heights) for heights in heights_of(again)]


def test_the_share_unjudged_in_the_top_k_is_that_of_a_data_frame(example):
    curves = panel("judged", example("judged"))

    assert curves.lines[0].points[0].tolist() == list(range(1, 101))
    rows = list(curves.records)
    for i, path in enumerate(RUNS):
        found = judged_frame(QRELS, path)
        for row in rows[100 * i : 100 * (i + 1)]:
            expected = found[found["rank"] <= row["cutoff"]]["grade"].isna().mean()
            assert row["unjudged"] == pytest.approx(expected, rel=0, abs=1e-9)


def test_documents_that_are_not_there_do_not_count():
    found = rankeval.evaluate(
        {"1": {"a": 1}, "2": {"a": 1}},
        {"1": {"a": 2.0, "b": 1.0}, "2": {"c": 1.0}},
        plots.measures("judged"),
    )

    shares = panel("judged", found).lines[0].points[1]

    assert shares[0] == 1 / 2
    assert shares[1:] == pytest.approx(np.full(99, 2 / 3))


def test_a_run_without_documents_has_no_share():
    scores = [score(name, [0.0, 0.0], 0.0) for name in plots.measures("judged")]

    curves = panel("judged", results({"a": scores}))

    assert np.isnan(curves.lines[0].points[1]).all()
    assert {row["unjudged"] for row in curves.records} == {None}


@pytest.mark.parametrize(
    ("cutoffs", "expected"),
    [
        ((1, 3, 30, 1000), [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]),
        ((6, 7, 9), [6, 9]),
        ((5,), [5]),
        ((3, 10, 30), [5, 10, 20]),
    ],
)
def test_cutoffs_have_a_logarithmic_axis_with_round_numbers(cutoffs, expected):
    pytest.importorskip("matplotlib")
    found = rankeval.evaluate(QRELS, RUNS, plots.measures("cutoff", "P@5", cutoffs=cutoffs))

    (ax,) = plots.figure("cutoff", plots.plot_data("cutoff", found)).axes

    assert ax.get_xscale() == "log"
    assert [float(text.get_text()) for text in ax.get_xticklabels()] == expected
    assert ax.get_xlim()[0] < cutoffs[0]
    assert ax.get_xlim()[1] > cutoffs[-1]


@pytest.mark.parametrize("kind", ["pr", "prg", "cutoff", "judged"])
def test_results_without_the_measures_of_a_curve_are_refused(example, kind):
    with pytest.raises(UsageError, match=f"plots.measures\\('{kind}'\\)"):
        panel(kind, example("box", "AP"))

"""Where not all runs have room, the best are drawn, with a line for the values of the rest."""

import re
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankeval import plots
from rankeval.errors import UsageError
from rankeval.plots.fewer_runs import FewerRuns, best_runs, only_fields, runs_of
from rankeval.plots.kinds import plot_kind, plot_kinds
from rankeval.plots.look import Appearance, distinct, without_common
from tests.support.results import results, score

pytest.importorskip("matplotlib")

KINDS = [kind.name for kind in plot_kinds() if kind.drawing.fewer]
MANY, SIZES = 60, ("column", "slide")


def made(n_runs, kind="box", n_topics=6, *, name="run{:02}"):
    """Return results whose runs are in an order that says nothing of their values."""
    rng = np.random.default_rng(3)
    places = rng.permutation(n_runs)
    topics = [str(i) for i in range(n_topics)]
    return results(
        {
            name.format(place): [
                score(measure, values, float(values.mean()), loss=measure.startswith("Unj"))
                for measure in plots.measures(kind)
                for near in [np.clip(place / n_runs + rng.normal(0, 0.01, n_topics), 0, 1)]
                for values in [np.ones(n_topics) if measure.startswith("NumRet") else near]
            ]
            for place in places
        },
        topics,
    )


def rows_of_names(figure):
    """The names beside the rows of the first panel, from the top."""
    return [text.get_text() for text in figure.axes[0].get_yticklabels()]


ROWS = ("box", "ranks")
CASES = [("forest", "column"), ("ci", "slide"), ("pairs", "column")]
SLOW = [pytest.param(kind, size, marks=pytest.mark.slow) for kind in ROWS for size in SIZES]


@pytest.mark.parametrize(("kind", "size"), [*CASES, *SLOW])
def test_the_best_runs_that_fit_are_drawn_with_the_values_of_the_rest(kind, size):
    found = made(MANY, kind)
    panels = plots.plot_data(kind, found)

    figure = plots.figure(kind, panels, size=size)

    head = figure.get_suptitle().replace("\n", " ")
    n_runs, of, more = map(int, re.findall(r"\d+(?= of| runs| more)", head))
    assert n_runs + more == of == len(runs_of(plot_kind(kind).drawing.parts(panels[0])[0]))
    assert figure.get_figheight() <= 9.0
    names = rows_of_names(figure)
    means = {run.name: run.scores[0].aggregate for run in found.runs}
    others = [name for name in means if kind != "forest" or name != found.runs[0].name]
    best = sorted(others, key=means.__getitem__)[-n_runs:]
    assert len(names) == n_runs
    assert {*names} == {*best}


def test_intervals_and_corrections_stay_those_of_all_runs():
    found = made(MANY, "forest")
    (data,) = plots.plot_data("forest", found)

    ((few,), _) = best_runs([data], plot_kind("forest").drawing.fewer, 5, ())

    assert {*few.of_runs} < {*data.of_runs}
    (pairs,) = plots.plot_data("pairs", made(12, "pairs"))
    ((*some,), _) = best_runs(pairs.tables, plot_kind("pairs").drawing.fewer, 4, ())
    for few, whole in zip(some, pairs.tables, strict=True):
        places = [whole.runs.index(run) for run in few.runs]
        assert len(places) == 4
        assert few.values == pytest.approx(whole.values[np.ix_(places, places)], nan_ok=True)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_keeps_the_runs_that_are_asked_for(kind):
    found = made(9, kind)
    costs = {run.name: 1.0 for run in found.runs}
    parts = [
        part
        for panel in plots.plot_data(kind, found, plots.Choices(costs=costs))
        for part in plot_kind(kind).drawing.parts(panel)
    ]
    worst = min(found.runs, key=lambda run: run.scores[0].aggregate).name
    kept = worst if worst in runs_of(parts[0]) else runs_of(parts[0])[-1]

    some, _ = best_runs(parts, plot_kind(kind).drawing.fewer, 3, (kept,))

    for part, whole in zip(some, parts, strict=True):
        assert len(runs_of(part)) == 3
        assert kept in runs_of(part)
        assert runs_of(part) == [run for run in runs_of(whole) if run in runs_of(part)]


def mean_height(run, kind):
    """The area of prg, and the mean height of other curves."""
    values = {score.measure: score.values for score in run.scores}
    if kind == "judged":
        ranks = [int(name.split("@")[1]) for name in values if name.startswith("Unjudged")]
        counts = [(k, values[f"Unjudged@{k}"].sum(), values[f"NumRet@{k}"].sum()) for k in ranks]
        return np.mean([k * unjudged / of for k, unjudged, of in counts])
    return np.mean([of.mean() for name, of in values.items() if kind != "prg" or name == "AUPRG"])


CURVES = [pytest.param(kind, marks=pytest.mark.slow) for kind in ("prg", "cutoff", "judged")]


@pytest.mark.parametrize("kind", ["pr", *CURVES])
def test_the_curves_that_are_drawn_are_the_best_by_their_mean(kind):
    found = made(MANY, kind, name="a-name-of-a-run-that-goes-on-and-on-and-is-long-{:03}")
    panels = plots.plot_data(kind, found)

    figure = plots.figure(kind, panels, size="slide")

    names = [text.get_text() for text in figure.legends[0].get_texts()]
    means = {run.name: mean_height(run, kind) for run in found.runs}
    best = sorted(means, key=means.__getitem__, reverse=kind != "judged")[: len(names)]
    assert figure.get_suptitle().startswith(f"the best {len(names)} of {MANY} runs; ")
    assert 8 <= len(names) < MANY
    assert {name[-3:] for name in names} == {name[-3:] for name in best}
    for i, name in enumerate(names):
        (line,) = figure.axes[0].findobj(lambda artist, i=i: artist.get_gid() == f"run{i}")
        (whole,) = panels
        place = [run[-3:] for run in whole.runs].index(name[-3:])
        assert line.get_ydata() == pytest.approx(whole.lines[place].y, nan_ok=True)


def test_runs_on_the_pareto_front_of_all_runs_are_drawn_first():
    found = made(60, name="a-rather-long-name-of-a-run-{:03}")
    means = {run.name: run.scores[0].aggregate for run in found.runs}
    costs = {name: 1.0 + (9 if value < 0.5 else value) for name, value in means.items()}
    cheapest = min((name for name in means if costs[name] < 2), key=costs.__getitem__)
    (whole,) = plots.plot_data("tradeoff", found, plots.Choices(costs=costs))

    ((some,), line) = best_runs([whole], plot_kind("tradeoff").drawing.fewer, 40, ())

    front = {run for run, on_front in zip(whole.runs, whole.on_front, strict=True) if on_front}
    assert cheapest in front
    assert front <= {*some.runs}
    others = sorted({*means} - front, key=means.__getitem__, reverse=True)
    assert {*some.runs} == front | {*others[: 40 - len(front)]}
    assert {run for run, on in zip(some.runs, some.on_front, strict=True) if on} == front
    rest = [means[name] for name in others[40 - len(front) :]]
    assert line.endswith(f"20 more from {min(rest):.3f} to {max(rest):.3f}")


@dataclass(frozen=True)
class Means:
    loss: bool
    runs: tuple
    mean: np.ndarray


VALUES = FewerRuns(lambda part: part.mean, only_fields("runs", "mean"))


@given(
    st.lists(st.sampled_from([0.1, 0.2, 0.3, float("nan")]), min_size=3, max_size=9),
    st.booleans(),
    st.data(),
)
def test_the_best_are_those_of_a_plain_sort(values, loss, data):
    names = tuple(f"r{i}" for i in range(len(values)))
    mean = np.array(values)
    part = Means(loss, names, mean)
    n_runs = data.draw(st.integers(1, len(values)))

    ((some,), line) = best_runs([part], VALUES, n_runs, ())

    defined = [i for i, value in enumerate(values) if not np.isnan(value)]
    expected = sorted(defined, key=lambda i: values[i] if loss else -values[i])
    expected += [i for i in range(len(values)) if i not in defined]
    assert some.runs == tuple(names[i] for i in sorted(expected[:n_runs]))
    assert f"the best {n_runs} of {len(values)} runs; {len(values) - n_runs} more" in line


def test_a_run_to_highlight_is_drawn_however_bad_it_is():
    panels = plots.plot_data("ci", made(MANY))

    figure = plots.figure("ci", panels, size="column", appearance=Appearance(highlight=("run00",)))

    assert "run00" in rows_of_names(figure)


# Names that are too long keep the letters in which they differ.


@given(st.lists(st.text("ab-", min_size=1, max_size=40), min_size=1, max_size=6, unique=True))
def test_shortened_names_are_short_and_labels_differ(names):
    texts = without_common(names, 12)

    assert all(len(text) <= 12 for text in texts)
    assert all(text == name or "…" in text for text, name in zip(texts, names, strict=True))
    assert len({*distinct(names, 12)}) == len(names)


def test_a_size_for_too_few_of_the_best_runs_is_refused_with_the_least_that_holds_some():
    panels = plots.plot_data("ci", made(MANY))

    with pytest.raises(UsageError, match=r"no room in 3\.33x1 inches") as refused:
        plots.figure("ci", panels, size="3.33x1")

    (least,) = re.findall(r"--size (3\.33x[\d.]+)", str(refused.value))
    assert plots.figure("ci", panels, size=least).get_suptitle().startswith("the best ")

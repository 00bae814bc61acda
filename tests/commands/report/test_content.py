"""`rankeval.report`: the page from Python."""

import html

import pytest

import rankeval as rk
from rankeval.errors import UsageError
from tests.support import files
from tests.support.drawn_runs import QRELS, RUNS

pytest.importorskip("matplotlib")
pytest.importorskip("jinja2")


@pytest.fixture(scope="module")
def made():
    return rk.report(QRELS, RUNS, "AP RR", baseline="dense", title="Three runs", test="wilcoxon")


def test_the_baseline_is_the_run_of_that_name(made):
    means = {run.name: run["AP"] for run in rk.evaluate(QRELS, RUNS, "AP").runs}

    assert [name for name, _ in made.runs] == ["dense", "bm25", "hybrid"]
    values = made.sections[0].summary
    assert [value.value for value in values] == [means[name] for name, _ in made.runs]
    apart = [value.difference for value in values[1:]]
    assert apart == [pytest.approx(means[name] - means["dense"]) for name in ("bm25", "hybrid")]


def test_the_rankings_belong_to_the_runs_after_the_baseline_moved(made):
    shown = made.explorer.rankings["q0"]
    of_runs = [[shown.docnos[place] for place in ranking] for ranking in shown.rankings]

    best = [sorted(RUNS[name]["q0"], key=RUNS[name]["q0"].get)[::-1] for name, _ in made.runs]
    assert of_runs == best


def test_a_report_shows_itself(made):
    page = made.to_html()

    assert "Three runs" in page
    assert "<script" in page
    assert repr(made).startswith("Three runs, 12 topics\n")
    shown = made._repr_html_()
    assert shown.startswith('<iframe sandbox="allow-scripts"')
    assert html.unescape(shown.partition('srcdoc="')[2].removesuffix('"></iframe>')) == page


def test_a_report_is_saved_whole_and_as_a_page(made, tmp_path):
    made.save(tmp_path / "report.html")

    assert (tmp_path / "report.html").read_text() == made.to_html()
    with pytest.raises(UsageError, match="a report is an HTML page"):
        made.save(tmp_path / "report.pdf")


def test_the_command_makes_the_same_page(shell):
    shell.write(qrels=files.QRELS, bm25=files.BM25, dense=files.DENSE)
    words = ["report", "qrels.txt", "bm25.txt", "dense.txt", "-m", "AP", "-o", "of_command.html"]
    assert shell(*words).code == 0

    of_python = rk.report("qrels.txt", ["bm25.txt", "dense.txt"], "AP").to_html().splitlines()

    of_command = shell.path("of_command.html").read_text().splitlines()
    apart = [line for line in of_command if line not in of_python]
    assert all("rankeval" in line for line in apart)  # the command that makes it again
    assert len(apart) <= 2


def test_saved_results_and_costs_and_groups_are_values_in_memory():
    results = rk.evaluate(QRELS, RUNS, "AP")
    made = rk.report(
        QRELS,
        results,
        run_costs={"bm25": 1, "dense": 20.5, "hybrid": 3},
        groups={topic: "odd" if topic[-1] in "13579" else "even" for topic in QRELS},
    )

    assert [section.name for section in made.sections] == ["AP"]
    assert made.costs.by_run == {"bm25": 1.0, "dense": 20.5, "hybrid": 3.0}
    assert made.explorer.groups["q3"] == "odd"
    assert made.explorer.rankings == {}


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"baseline": "no"}, "no run is named 'no'"),
        ({"run_costs": {"bm25": "dear"}}, "'dear'"),
        ({"sort": "nDCG"}, "cannot sort by nDCG"),
        ({"text": "all"}, "text cannot be 'all'"),
    ],
)
def test_errors_name_what_is_wrong(keywords, message):
    with pytest.raises(UsageError) as refused:
        rk.report(QRELS, RUNS, "AP", **keywords)

    assert message in str(refused.value)


def test_an_unknown_keyword_suggests_a_known_one():
    with pytest.raises(TypeError, match="did you mean 'title'"):
        rk.report(QRELS, RUNS, "AP", titel="x")

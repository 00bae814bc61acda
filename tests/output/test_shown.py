"""Results show themselves in terminals, notebooks and papers as their commands print them."""

import pickle
from html.parser import HTMLParser

import pytest

import rankeval
from tests.support.commands import run_command

QRELS = {"1": {"a": 1, "b": 2}, "2": {"b": 1}}
RUNS = {
    "bm25": {"1": {"a": 1.0, "c": 0.5}, "2": {"c": 2.0, "b": 1.0}},
    "<b>dense": {"1": {"b": 1.0}, "2": {"c": 2.0, "d": 1.5, "b": 1.0}},
}


@pytest.fixture
def results():
    return rankeval.evaluate(QRELS, RUNS, "map P@1")


class Tags(HTMLParser):
    """The tags that are open, and the text of each cell in bold."""

    def __init__(self):
        super().__init__()
        self.open, self.bold, self.words = [], [], []

    def handle_starttag(self, tag, attrs):  # noqa: ARG002  the parser passes them by name
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)
        if "b" in self.open:
            self.bold.append(data)


def read_html(shown):
    found = Tags()
    found.feed(shown._repr_html_())
    assert not found.open
    return found


def test_results_print_a_small_table_with_the_names_that_look_values_up(results):
    head, _, first, second, *_ = repr(results).replace("*", "").splitlines()

    assert head.split() == ["run", "map", "P@1"]
    assert first.split() == ["bm25", "0.5000", "0.5000"]
    assert second.split()[0] == "<b>dense"
    assert "warning: " in repr(results)


def test_a_notebook_shows_a_table_with_the_best_values_marked(results):
    found = read_html(results)

    best = [f"{max(run[name].mean for run in results.runs):.4f}" for name in ("map", "P@1")]
    assert best[0] in found.bold
    assert "<b>dense" in found.words


@pytest.mark.parametrize(("form", "method"), [("markdown", "to_markdown"), ("latex", "to_latex")])
def test_markdown_and_latex_are_what_the_command_prints(form, method, tmp_path):
    (tmp_path / "qrels").write_text("1 0 a 1\n1 0 b 2\n2 0 b 1\n")
    for name, run in RUNS.items():
        lines = [f"{t} Q0 {d} 1 {s} {name}\n" for t, r in run.items() for d, s in r.items()]
        (tmp_path / name).write_text("".join(lines))
    paths = [str(tmp_path / name) for name in ("qrels", *RUNS)]
    results = rankeval.evaluate(paths[0], paths[1:], "map P@1")
    compared = rankeval.compare(paths[0], paths[1], paths[2:], "map")
    command = ["eval", *paths, "-m", "map P@1", "-f", form]

    assert getattr(results, method)() == run_command(command).stdout
    assert getattr(results, method)(per_topic=True, digits=2) == (
        run_command([*command, "-q", "--digits", "2"]).stdout
    )
    assert getattr(compared, method)() == (
        run_command(["compare", *paths, "-m", "map", "-f", form]).stdout
    )


def test_results_compare_their_runs_with_a_baseline(results):
    assert [run.name for run in results.compare().runs] == ["bm25", "<b>dense"]
    comparison = results.compare(baseline="<b>dense")
    assert [run.name for run in comparison.runs] == ["<b>dense", "bm25"]
    assert comparison.pairs[0].summary.difference == pytest.approx(
        results["bm25"]["map"].mean - results["<b>dense"]["map"].mean
    )
    with pytest.raises(KeyError, match="no run 'x'; there is bm25"):
        results.compare("x")


def test_results_are_pickled(results):
    assert repr(pickle.loads(pickle.dumps(results))) == repr(results)

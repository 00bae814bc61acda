"""Results show themselves in terminals, notebooks and papers as their commands print them."""

import pickle
from html.parser import HTMLParser

import pytest

import rankeval

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


def test_results_are_pickled(results):
    assert repr(pickle.loads(pickle.dumps(results))) == repr(results)

"""`rankeval report`: the page that it writes, and what it refuses."""

import pytest

from rankeval.base.endings import installing
from tests.support.files import BM25, DENSE, QRELS
from tests.support.pages import data_of

pytest.importorskip("jinja2")
pytest.importorskip("matplotlib")

FILES = ("qrels.txt", "bm25.txt", "dense.txt")


@pytest.fixture
def small(shell):
    return shell.write(qrels=QRELS, bm25=BM25, dense=DENSE)


@pytest.mark.usefixtures("undrawn")
def test_a_run_and_the_page_go_through_pipes(small):
    outcome = small("report", "qrels.txt", "-", "-o", "-", "--quiet", stdin=BM25.encode())

    assert (outcome.code, outcome.err) == (0, "")
    assert "Evaluation of 1 run" in outcome.out
    assert outcome.out.rstrip().endswith("</html>")


@pytest.mark.usefixtures("undrawn")
def test_options_are_on_the_page(small):
    small.write(queries="301\thow to <b>bind</b>\n", groups="301\tshort\n")
    given = ["--title", "Night <7>", "--max-topics", "1", "--alpha", "0.1", "--rows", "3"]
    texts = ["--queries", "queries.txt", "--with", "groups=groups.txt"]
    baseline = ["--baseline", "dense.txt"]

    outcome = small("report", *FILES, *given, *texts, *baseline, "-o", "report.html", "-m", "AP")

    assert outcome.code == 0
    text = small.path("report.html").read_text()
    assert "<h1>Night &lt;7&gt;</h1>" in text
    assert "Differences from dense<" in text
    assert "90% interval" in text
    data = data_of(text)
    assert data["queries"][data["topics"].index("301")] == "how to <b>bind</b>"
    assert data["groups"][data["topics"].index("301")] == "short"
    assert len([ranked for ranked in data["rankings"] if ranked]) == 1
    assert (data["depth"], data["runs"]) == (3, ["dense", "bm25"])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["-o", "report.pdf"], "a report is an HTML page"),
        (["-o", "missing/report.html"], "cannot write"),
        ([], "missing"),
    ],
)
@pytest.mark.usefixtures("undrawn")
def test_what_cannot_be_reported_is_refused(small, given, message):
    outcome = small("report", *FILES, *given, "--quiet")

    assert (outcome.code, outcome.out) == (2, "")
    assert message in outcome.err
    assert not small.path("report.html").exists()


@pytest.mark.usefixtures("undrawn")
def test_without_jinja_it_says_what_to_install(small, monkeypatch):
    monkeypatch.setattr("rankeval.commands.report.page.find_spec", lambda *_: None)

    outcome = small("report", *FILES, "-o", "report.html")

    assert outcome.code == 2
    assert installing("report") in outcome.err


NO_RANKINGS = "Saved results have no rankings to show."


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize("second", ["dense.json", "dense.txt"])
def test_saved_results_are_reported_without_rankings(small, second):
    asked = ("-m", "AP P@5", "--quiet")
    for run in ("bm25", "dense"):
        small("eval", "qrels.txt", f"{run}.txt", "-q", "-o", f"{run}.json", *asked)
    small("report", *FILES, "-o", "runs.html", *asked)

    outcome = small("report", "qrels.txt", "bm25.json", second, "-o", "saved.html", *asked)

    assert (outcome.code, outcome.err) == (0, "")
    of_runs, saved = (small.path(f"{name}.html").read_text() for name in ("runs", "saved"))
    data, expected = data_of(saved), data_of(of_runs)
    for key in ("runs", "measures", "topics"):
        assert data[key] == expected[key]
    assert set(data["rankings"]) == {None}
    assert data["unranked"] == NO_RANKINGS
    tables = [text[text.index("<main") : text.index('id="explorer"')] for text in (of_runs, saved)]
    assert tables[0] == tables[1]


@pytest.mark.usefixtures("undrawn")
def test_scores_of_nuggets_are_reported(shell):
    lines = '{{"qid": "q{}", "nuggets": [{{"importance": "vital", "assignment": "{}"}}]}}\n'.format
    for name, labels in (("a", ("support", "partial_support")), ("b", ("not_support", "support"))):
        shell.path(f"{name}.jsonl").write_text("".join(map(lines, (1, 2), labels)))
        shell("nuggets", f"{name}.jsonl", "-o", f"{name}.json", "--quiet")

    outcome = shell("report", "a.jsonl", "a.json", "b.json", "-o", "report.html", "--quiet")

    assert (outcome.code, outcome.err) == (0, "")
    text = shell.path("report.html").read_text()
    data = data_of(text)
    values = {each["name"]: each["values"] for each in data["measures"]}
    assert values["vital_score"] == [[1.0, 0.0], [0.5, 1.0]]
    assert values["strict_vital_score"] == [[1.0, 0.0], [0.0, 1.0]]
    assert data["unranked"] == NO_RANKINGS
    assert "Differences from a" in text

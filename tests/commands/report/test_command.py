"""`rankeval report`: the page that it writes, and what it refuses."""

import pytest

from rankeval.endings import installing
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
    given = ["--title", "Night <7>", "--alpha", "0.1", "--rows", "3"]
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
    assert (data["depth"], data["runs"]) == (3, ["dense", "bm25"])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["-o", "report.pdf"], "a report is an HTML page"),
        (["-o", "missing/report.html"], "cannot write"),
        ([], "missing"),
        (["-o", "report.html", "--ties", "best"], "documents have no fixed ranks"),
        (["-o", "report.html", "-m", "AP NumRet"], "reports show means"),
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

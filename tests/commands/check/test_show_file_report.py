"""The reports of `rankeval check` as text: sentences and tables, no dictionaries and no None."""

import re

import pytest

from tests.support.commands import run_command
from tests.support.files import EXAMPLES

QRELS = str(EXAMPLES / "qrels" / "python-reference.qrels")
RUNS = [str(EXAMPLES / "runs" / f"{name}.run") for name in ("bm25", "title")]
NOT_FOR_PEOPLE = re.compile(r"[{}]|\bNone\b|\bnan\b|_per_")


@pytest.fixture
def told(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def told(*names, **files):
        for name, content in files.items():
            (tmp_path / name).write_text(content)
        return run_command(["check", *(names or files)]).stdout

    return told


def test_a_report_is_sentences_and_tables(told):
    qrels, bm25, title = told(QRELS, *RUNS).split("\n\n" + str(EXAMPLES))

    assert (
        "\n  1,359 lines, 50 topics.\n  Judged documents per topic: 15 to 47, median 27.\n" in qrels
    )
    assert re.search(r"\n +grade +judgments +least per topic +median +most\n", qrels)
    assert re.search(r"\n +3 +70 +0 +1 +3\n", qrels)  # examples/README.md counts 70 of grade 3
    assert "\n  4,226 lines, 50 topics, tag bm25.\n" in bm25
    assert "The run and the judgments have the same topics." in bm25
    assert "judgments for all topics, 3 judged topics missing." in title
    assert not NOT_FOR_PEOPLE.search(qrels + bm25 + title)


def test_a_run_without_documents_of_judged_topics_has_no_share(told):
    said = told("qrels", "run", qrels="1 0 a 1\n", run="2 Q0 a 1 1 t\n")

    assert re.search(r"\n +5 +0 +-\n", said)
    assert "1 of its topics without judgments, 1 judged topic missing." in said
    assert not NOT_FOR_PEOPLE.search(said)

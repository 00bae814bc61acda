"""The reports of `rankeval check` as text: sentences and tables, no dictionaries and no None."""

import re

import pytest

import rankeval
from rankeval.commands.check.show import text
from rankeval.output.style import Style
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


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("1 Q0 a 1 2 t\n", "Documents per topic: 1."),
        ("1 Q0 a 1 2 t\n", "No documents of a topic have equal scores."),
        ("1 Q0 a 1 2 t\n", "1 line, 1 topic, tag t."),
        ("1 Q0 a 1 2 t\n1 Q0 b 2 1 u\n", "2 lines, 1 topic, tags t, u."),
        ("1 7 a 1\n1 8 a 1\n", "Labels: 2 subtopics."),
        ("", "error: 1 × no line of data"),
    ],
)
def test_sentences_of_small_files(told, text, sentence):
    said = told(file=text)

    assert sentence in said
    assert not NOT_FOR_PEOPLE.search(said)


def test_a_run_without_documents_of_judged_topics_has_no_share(told):
    said = told("qrels", "run", qrels="1 0 a 1\n", run="2 Q0 a 1 1 t\n")

    assert re.search(r"\n +5 +0 +-\n", said)
    assert "1 of its topics without judgments, 1 judged topic missing." in said
    assert not NOT_FOR_PEOPLE.search(said)


def test_many_tags_are_not_all_named(told):
    said = told(run="".join(f"1 Q0 d{i} 1 {9 - i} tag{i}\n" for i in range(8)))

    assert "tags tag0, tag1, tag2, tag3, tag4 and 3 more." in said


@pytest.mark.parametrize("width", [None, 80])
def test_every_line_of_a_table_is_indented(width):
    report = rankeval.check([QRELS])

    whole = "".join(text(report, Style(width=width, colour=False)))

    heading, *lines = whole.splitlines()
    assert "qrels" in heading
    assert [line for line in lines if line and not line.startswith("  ")] == []
    assert any(set(line) == {" ", "-"} for line in lines)

"""Queries and texts of documents in every command that shows them, and in every format."""

import json
import re

import pytest

from tests.support.latex_structure import problems as latex_problems
from tests.support.words import words_of

HOSTILE = "<script>alert(1)</script> \x1b[31mred \u202egnp.exe | `code` **x** =cmd() {\\x} $y$ eggs"
QRELS = "q1 0 d1 1\nq1 0 d2 0\nq2 0 d1 1\nq2 0 d3 2\n"
RUN_A = "q1 Q0 d1 1 3 a\nq1 Q0 d2 2 2 a\nq2 Q0 d3 1 2 a\nq2 Q0 u 2 1 a\n"
RUN_B = "q1 Q0 d2 1 3 b\nq1 Q0 d1 2 2 b\nq2 Q0 v 1 2 b\nq2 Q0 d1 2 1 b\n"
QUERIES = {"q1": "green eggs", "q2": f"ham {HOSTILE}"}
DOCS = {"d1": ("Title", "spam and eggs"), "d2": (HOSTILE, HOSTILE), "d3": ("", "the third")}
TEXTS = ("--queries", "queries.txt", "--docs", "docs.txt")
NAMES = {"A": "a.txt", "B": "b.txt", "TOPIC": "q1"}
COMMANDS = {
    **{name: words_of(name, **NAMES) for name in ("topics", "pool")},
    **{name: [*words_of(name, **NAMES), "-m", "AP"] for name in ("diff", "explain")},
}


def line(values):
    return "\t".join(values).replace("\n", " ") + "\n"


@pytest.fixture
def files(shell):
    shell.write(qrels=QRELS, a=RUN_A, b=RUN_B)
    return shell.write(
        queries="".join(map(line, QUERIES.items())),
        docs="".join(
            json.dumps({"_id": name, "title": title, "text": text}) + "\n"
            for name, (title, text) in DOCS.items()
        ),
    )


def arguments(command):
    more = TEXTS[:2] if command == "topics" else TEXTS
    return *COMMANDS[command], *more


@pytest.mark.parametrize("form", ["table", "tsv", "csv", "json", "jsonl", "markdown", "latex"])
@pytest.mark.parametrize("command", COMMANDS)
def test_hostile_texts_stay_text(files, command, form):
    if command == "pool" and form not in ("tsv", "jsonl"):
        return
    told = files(*arguments(command), "-f", form).out

    for character in "\x1b\u202e":
        assert character not in told
    lines = told.splitlines()
    if form in ("tsv", "csv"):
        cells = [
            cell.strip('"') for row in lines for cell in row.split("\t" if form == "tsv" else ",")
        ]
        assert not any(cell.startswith("=") for cell in cells)
    if form == "markdown":
        assert "<script>" not in re.sub(r"`[^`]*`", "", told)
    if form == "latex":
        assert latex_problems(told) == []


@pytest.mark.parametrize("command", [name for name in COMMANDS if name != "topics"])
def test_json_and_rows_have_query_title_and_text(files, command):
    rows = [json.loads(row) for row in files(*arguments(command), "-f", "jsonl").out.splitlines()]

    found = {(row.get("topic"), row.get("docno")): row for row in rows if row.get("docno")}
    row = found["q1", "d1"]
    assert (row["query"], row["title"], row["text"]) == ("green eggs", "Title", "spam and eggs")
    if ("q2", "v") in found:
        assert (found["q2", "v"]["title"], found["q2", "v"]["text"]) == (None, None)

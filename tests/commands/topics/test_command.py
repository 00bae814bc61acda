import json
import math

import pytest

from rankeval.commands.topics import task
from rankeval.output import declared_columns as columns
from tests.support.files import EXAMPLE_QRELS, EXAMPLE_RUNS, qrels_of, run_of


def test_all_topics_are_listed_with_q(shell):
    words = [*map(str, ["topics", EXAMPLE_QRELS, *EXAMPLE_RUNS])]

    lines = shell(*words, "-q").out.splitlines()
    assert "AP: all topics, the hardest first" in lines
    assert sum(line[:1].isdigit() for line in lines) == 50


def test_the_hardest_topics_come_first_and_all_with_v(shell):
    """Topic 5 is hardest, but nothing is relevant to it; 3 is the next, with two wrong above."""
    relevant = {f"{topic}": "a1 b0" for topic in range(12)} | {"5": "a0 b0"}
    ranked = dict.fromkeys(relevant, "a b") | {"3": "x y a"}
    shell.write(qrels=qrels_of(**relevant), one=run_of("one", **ranked))

    brief = shell("topics", "qrels.txt", "one.txt").out.splitlines()
    whole = shell("topics", "qrels.txt", "one.txt", "-v").out

    assert brief[0] == "AP, 12 topics, 1 run."
    assert next(line for line in brief if line[:1].isdigit()).split()[:2] == ["3", "0.3333"]
    assert (len(brief), brief[-1]) == (16, "-v says more")
    assert "AP: all topics, the hardest first" in whole
    assert "5" not in [line.split()[0] for line in brief if line]


def test_a_column_is_one_line(shell, monkeypatch):
    """A further column of topics is in every format: the standard deviation over the runs."""
    more = columns.number("spread", get=lambda one: math.sqrt(one.variance))
    declared = task.columns
    monkeypatch.setattr(task, "columns", lambda report: [*declared(report), more])
    words = ["topics", *map(str, [EXAMPLE_QRELS, *EXAMPLE_RUNS]), "-q", "-f"]

    records = [json.loads(line) for line in shell(*words, "jsonl").out.splitlines()]

    for record in records:
        assert record["spread"] == pytest.approx(record["variance"] ** 0.5)
    wanted = sorted(f"{record['spread']:.4f}" for record in records)
    for form, gap in (("table", None), ("markdown", "|"), ("latex", "&")):
        lines = shell(*words, form).out.replace("\\\\", "").splitlines()
        cells = [[cell.strip() for cell in line.strip("|").split(gap)] for line in lines]
        assert sorted(row[-1] for row in cells if row and row[0].isdigit()) == wanted
    for form, gap in (("tsv", "\t"), ("csv", ",")):
        head, *lines = shell(*words, form).out.splitlines()
        assert head.split(gap)[-1] == "spread"
        assert [float(line.split(gap)[-1]) for line in lines] == [one["spread"] for one in records]

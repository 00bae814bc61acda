"""`rankeval plot ranks --rank-intervals`: the numbers of `rankeval systems`."""

import csv
import json
import re

import pytest

from tests.support.files import EXAMPLE_QRELS, EXAMPLE_RUNS

FILES = [str(path) for path in (EXAMPLE_QRELS, *EXAMPLE_RUNS)]
ASKED = ["-m", "nDCG@10 AP", "--alpha", "0.1", "--quiet"]


def test_the_numbers_are_those_of_systems(shell):
    shell("systems", *FILES, *ASKED, "-o", "systems.json")
    drawn = shell("plot", "ranks", *FILES, *ASKED, "--rank-intervals", "--data", "-")
    shell("plot", "ranks", *FILES, *ASKED, "--rank-intervals", "--data", "plot.json")

    ranks = json.loads(shell.path("systems.json").read_text())["ranks"]
    of_systems = {
        (each["run"], measure, *each["bootstrap"].values())
        for measure, of_runs in ranks.items()
        for each in of_runs
    }
    (head, *rows) = csv.reader(drawn.out.splitlines(), delimiter="\t")
    assert head == ["run", "measure", "rank", "low", "high", "best"]
    assert {(*row[:2], *map(float, row[2:])) for row in rows} == of_systems
    document = json.loads(shell.path("plot.json").read_text())
    assert document["kind"] == "rank-intervals"
    assert {tuple(row.values()) for row in document["rows"]} == of_systems
    assert len(rows) == len(document["rows"]) == 2 * len(EXAMPLE_RUNS)


@pytest.mark.parametrize("width", [40, 80])
def test_each_run_has_a_line_in_the_terminal(shell, monkeypatch, width):
    monkeypatch.setenv("COLUMNS", str(width))

    printed = shell("plot", "ranks", *FILES, "--rank-intervals", "--quiet").out

    lines = printed.splitlines()
    assert max(map(len, lines)) <= width
    ends = [re.search(r" (\d) \[(\d), (\d)\] +(\d+)%$", line) for line in lines]
    found = [tuple(map(int, end.groups())) for end in ends if end]
    assert len(found) == len(EXAMPLE_RUNS)
    assert [rank for rank, *_ in found] == sorted(rank for rank, *_ in found)
    assert sum(best for *_, best in found) == pytest.approx(100, abs=3)


def test_other_kinds_refuse_the_option(shell):
    refused = shell("plot", "ci", *FILES, "--rank-intervals")

    assert refused.code == 2
    assert "--rank-intervals is for 'ranks', and this is 'ci'" in refused.err

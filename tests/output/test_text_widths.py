"""Tables on a terminal: nothing is lost or sticks out, whatever the width."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from rankeval.errors import visible
from rankeval.evaluation.show import PRINTER
from rankeval.output.style import Style
from tests.output.test_escape import HOSTILE
from tests.support.results import results, score

DEFAULT = ["NumQ", "AP", "Rprec", "RR", "P@10", "nDCG@10", "ERR@20", "SetF", "R@1000"]
DEFAULT.append("Unjudged@10")
FIVE = [
    "bm25",
    "bm25+rm3",
    "splade-v3",
    "monoT5-3b-rerank-100",
    "anserini-bm25-default-k1=0.9-b=0.4",
]
QRELS_LINE = "qrels: robust.qrels (2 topics, 1,234 judgments, digest 3f9a1c)\n"


def table(found, **style):
    return "".join(PRINTER.text(found, "table", Style(**style)))


def default_evaluation(runs):
    """Each value is a different number of four decimals."""
    random = np.random.default_rng(7)
    values = iter(random.permutation(9000) / 1e4 + 0.1)
    return results(
        {
            run: [
                score(m, [1, 1], 2, rule="sum")
                if m == "NumQ"
                else score(m, [next(values), next(values)], next(values), loss=m[0] == "U")
                for m in DEFAULT
            ]
            for run in runs
        }
    )


def test_the_best_value_is_bold_and_green():
    printed = table(three_runs(), width=80, colour=True, unicode=True)

    assert "\x1b[1;32m0.5000\x1b[0m" in printed
    assert re.findall(r"\x1b\[[14;32]*m0\.2500", printed) == []
    assert "best value" not in printed  # colour and weight say it
    plain = re.sub(r"\x1b\[[\d;]*m", "", printed)
    assert plain.startswith("run      AP\n───────────\na    0.2500\n")


def three_runs():
    values = {"a": 0.25, "b": 0.375, "c": 0.5}
    return results({run: [score("AP", [0, 1], value)] for run, value in values.items()})


@pytest.mark.parametrize("colour", [True, False])
@pytest.mark.parametrize("width", [30, 40, 80, 120, 200])
@pytest.mark.parametrize("runs", [FIVE[:1], FIVE, [f"run{i}" for i in range(12)]])
@pytest.mark.parametrize("per_topic", [True, False])
def test_no_width_loses_a_number_or_sticks_out(width, runs, per_topic, colour):
    found = default_evaluation(runs)

    printed = table(found, width=width, per_topic=per_topic, colour=colour).replace(QRELS_LINE, "")
    printed = re.sub(r"\x1b\[[\d;]*m", "", printed)

    assert max(map(len, printed.splitlines())) <= width
    for run in found.runs:
        for s in run.scores[1:]:
            assert f"{s.aggregate:.4f}" in printed
            assert not per_topic or all(f"{v:.4f}" in printed for v in s.values)
    assert "…" not in printed
    assert "..." not in printed


@given(st.text(max_size=60) | st.sampled_from(HOSTILE), st.integers(10, 100))
def test_a_folded_name_is_whole_and_takes_no_effect(name, width):
    found = results({name: [score("AP", [0, 1], 0.5)], "other": [score("AP", [0, 1], 0.25)]})

    lines = table(found, width=width).split("\n\n")[0].split("\n")
    end = next(i for i, line in enumerate(lines) if line.startswith("other") and "0.2500" in line)
    labels = [re.sub(r" +0\.5000\*$", "", line) for line in lines[2:end]]

    assert all(line.isprintable() for line in lines)
    assert all(cell_len(line) <= max(width, 17) for line in lines)
    # A blank at the end of a line is not seen.
    assert "".join(labels).replace(" ", "") == visible(name).replace(" ", "")

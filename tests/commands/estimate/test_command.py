"""`rankeval estimate`: its tables, its JSON, and what it needs."""

import json
import time

import numpy as np
import pytest

from tests.support.files import EXAMPLE_QRELS, EXAMPLE_RUNS
from tests.support.schemas import assert_valid


@pytest.fixture
def people(shell):
    lines = EXAMPLE_QRELS.read_text().splitlines(keepends=True)
    shell.path("people.qrels").write_text(
        "".join(line for line in lines if int(line.split()[0]) % 3 == 0)
    )
    return shell


def words(*more):
    runs = map(str, EXAMPLE_RUNS[:2])
    return ("estimate", "people.qrels", *runs, "--machine", str(EXAMPLE_QRELS), *more)


def test_tables_have_means_and_differences(people):
    outcome = people(*words("-m", "AP"))

    assert outcome.code == 0
    lines = outcome.out.splitlines()
    (pair,) = json.loads(people(*words("-m", "AP", "-f", "json")).out)["differences"]
    value, low, high = (f"{pair['found'][name]:+.4f}" for name in ("value", "low", "high"))
    assert (pair["run"], pair["other"], value[0]) == ("lsa", "bm25", "+")
    assert " ".join(lines[:2]) == (
        "Means over all topics that users might ask: people judged 16 of 50 topics, drawn at "
        f"random; the machine judged all. AP: lsa - bm25 is {value} [{low}, {high}]."
    )
    assert lines[4].split() == [
        *("measure", "run", "estimate", "95%", "CI", "people", "machine", "lambda", "saved"),
    ]
    assert max(map(len, lines)) <= 80
    assert lines[-1] == "-v says more"
    assert "Differences between runs" not in lines
    assert "Differences between runs" in people(*words("-m", "AP", "-v")).out.splitlines()


def test_the_best_run_is_before_the_second_in_whatever_order_they_are_given(people):
    files = [*map(str, EXAMPLE_RUNS[:2])]
    more = ["--machine", str(EXAMPLE_QRELS), "-m", "AP"]
    first, second = (
        people("estimate", "people.qrels", *given, *more).out for given in (files, files[::-1])
    )

    assert "AP: lsa - bm25 is +" in first.replace("\n", " ")
    assert first.splitlines()[:2] == second.splitlines()[:2]


def test_json_and_rows_have_every_number(people):
    found = assert_valid(
        json.loads(people(*words("-m", "AP", "--finite", "-f", "json")).out), "rankeval-estimate/1"
    )
    rows = people(*words("-m", "AP", "--finite", "-f", "tsv")).out.splitlines()

    assert found["finite"] is True
    assert len(found["runs"]) == 2
    assert len(found["differences"]) == 1
    assert len(rows) == 1 + 3 * 11
    assert rows[1].split("\t")[-1] == repr(found["runs"][0]["found"]["value"])


def test_the_judgments_of_the_machine_are_needed(people):
    outcome = people("estimate", "people.qrels", str(EXAMPLE_RUNS[0]))

    assert outcome.code == 2
    assert "missing option '--machine'" in outcome.err


@pytest.mark.slow
def test_time_is_little_beside_that_of_evaluating(shell):
    """500 topics, 600 judgments each, 12 runs of 100 documents: a few times `rankeval eval`."""
    rng = np.random.default_rng(1)
    grades = rng.integers(0, 3, (500, 600))
    shell.path("model.qrels").write_text(
        "".join(f"{t} 0 d{d} {grades[t, d]}\n" for t in range(500) for d in range(600))
    )
    shell.path("people.qrels").write_text(
        "".join(f"{t} 0 d{d} {grades[t, d]}\n" for t in range(50) for d in range(600))
    )
    runs = [f"r{number}.run" for number in range(12)]
    for name in runs:
        shell.path(name).write_text(
            "".join(
                f"{t} Q0 d{d} {rank} {100 - rank} {name}\n"
                for t in range(500)
                for rank, d in enumerate(rng.permutation(600)[:100])
            )
        )

    def seconds(*given):
        begun = time.process_time()
        assert shell(*given, "-m", "nDCG@10 AP P@10", "--jobs", "1").code == 0
        return time.process_time() - begun

    plain = min(seconds("eval", "model.qrels", *runs) for _ in range(2))
    estimated = min(
        seconds("estimate", "people.qrels", *runs, "--machine", "model.qrels") for _ in range(2)
    )

    assert estimated < 6 * plain

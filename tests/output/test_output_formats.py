"""The formats for programs: TSV, CSV, JSON, JSON Lines, trec_eval's lines."""

import csv
import io
import json
import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankeval.evaluation.show import PRINTER
from rankeval.output import escape
from rankeval.output.style import Style
from tests.output.test_escape import HOSTILE, restored
from tests.support.results import NAN, results, score

VALUES = st.floats(-1e6, 1e6) | st.just(NAN)
TOPICS = st.lists(
    st.text(min_size=1) | st.sampled_from(HOSTILE[:-4]), unique=True, min_size=1, max_size=5
)


def text(found, form, **style):
    return "".join(PRINTER.text(found, form, Style(**style)))


@st.composite
def evaluations(draw):
    topics = draw(TOPICS)
    names = draw(st.lists(st.text() | st.sampled_from(HOSTILE), unique=True, max_size=3))
    values = st.lists(VALUES, min_size=len(topics), max_size=len(topics))
    return results(
        {
            name: [
                score("AP", draw(values), draw(VALUES)),
                score("nDCG@10", draw(values), draw(VALUES)),
            ]
            for name in names
        },
        topics,
    )


def values_of(found):
    """What was put in, by run, measure and topic; None stands for all topics and for no value."""
    given_values = {}
    for run in found.runs:
        for s in run.scores:
            pairs = zip((*run.topics, None), [*s.values.tolist(), s.aggregate], strict=True)
            for topic, value in pairs:
                number = None if math.isnan(value) else value
                given_values[run.name, s.measure, topic] = number
    return given_values


def assert_same(printed, put_in):
    """Equal but for the 17 decimals that were asked for."""
    assert printed.keys() == put_in.keys()
    for key, value in put_in.items():
        assert value == printed[key] or abs(value - printed[key]) <= 1e-17


def cells_of(rows):
    def name(cell):
        return restored(cell[1:] if re.match(r"'[\s']*[-=+@＝＋－＠]", cell) else cell)

    return {
        (name(run), measure, None if topic == "all" else name(topic)): float(v) if v else None
        for run, measure, topic, v in rows
    }


@given(evaluations())
def test_tsv_reads_back(found):
    lines = text(found, "tsv", per_topic=True, digits=17).split("\n")
    rows = [line.split("\t") for line in lines]

    assert rows[0] == ["run", "measure", "topic", "value"]
    assert rows.pop() == [""]
    assert_same(cells_of(rows[1:]), values_of(found))


@given(evaluations())
def test_csv_reads_back(found):
    header, *rows = csv.reader(io.StringIO(text(found, "csv", per_topic=True, digits=17)))

    assert header == ["run", "measure", "topic", "value"]
    assert_same(cells_of(rows), values_of(found))


@given(evaluations())
def test_json_reads_back(found):
    printed = text(found, "json", per_topic=True)
    read = json.loads(printed, parse_constant=pytest.fail)

    assert printed.isascii()
    assert {
        (run["name"], measure, topic): value
        for run in read["runs"]
        for measure, facts in run["measures"].items()
        for topic, value in [*facts["per_topic"].items(), (None, facts["mean"])]
    } == in_unicode(values_of(found))


@given(evaluations())
def test_json_lines_read_back(found):
    lines = text(found, "jsonl", per_topic=True).splitlines()
    read = [json.loads(line, parse_constant=pytest.fail) for line in lines]

    assert {
        (o["run"], o["measure"], None if o["topic"] == "all" else o["topic"]): o["value"]
        for o in read
    } == in_json(values_of(found))


def in_json(values):
    """Escape topics called "all", and halves of surrogate pairs."""
    return in_unicode(
        {
            (run, measure, topic and escape.topic(topic)): value
            for (run, measure, topic), value in values.items()
        }
    )


def in_unicode(values):
    """Replace each half of a surrogate pair by its escape: strict parsers refuse them in JSON."""
    return {
        tuple(name and name.encode("utf-8", "backslashreplace").decode() for name in names): value
        for names, value in values.items()
    }


def test_trec_is_what_trec_eval_prints():
    found = results(
        {
            "bm25": [
                score("num_q", [1, 1], 2, rule="sum"),
                score("map", [0.25, 0.5], 0.375),
                score("a_measure_with_a_longer_name", [-0.0, NAN], 12.5),
            ]
        }
    )

    assert text(found, "trec", per_topic=True) == (
        "num_q                 \t301\t1\n"
        "map                   \t301\t0.2500\n"
        "a_measure_with_a_longer_name\t301\t0.0000\n"
        "num_q                 \t302\t1\n"
        "map                   \t302\t0.5000\n"
        "num_q                 \tall\t2\n"
        "map                   \tall\t0.3750\n"
        "a_measure_with_a_longer_name\tall\t12.5000\n"
    )


@pytest.mark.parametrize("form", ["tsv", "csv", "trec"])
def test_a_topic_called_all_is_not_all_topics(form):
    found = results({"bm25": [score("AP", [0.25], 0.5)]}, ["all"])

    assert r"\x61ll" in text(found, form, per_topic=True)

"""Titles of bars and points in SVG, with the queries of their topics."""

import xml.etree.ElementTree as ET

import pytest

QRELS = "q1 0 d1 1\nq2 0 d1 1\nq:3 0 d1 1\n"
A = "q1 Q0 d1 1 2 a\nq1 Q0 d2 2 1 a\nq2 Q0 d1 1 2 a\nq:3 Q0 d1 1 1 a\n"
B = "q1 Q0 d2 1 2 b\nq1 Q0 d1 2 1 b\nq2 Q0 d1 1 2 b\nq:3 Q0 d2 1 2 b\nq:3 Q0 d1 2 1 b\n"
QUERIES = "q1\tgreen <b>eggs</b> \x1b[31m\nq:3\tthe third\n"


@pytest.fixture
def plot(shell):
    shell.write(qrels=QRELS, a=A, b=B, queries=QUERIES)
    return lambda kind, *more: shell("plot", kind, "qrels.txt", "a.txt", "b.txt", "-m", "RR", *more)


def titles(path):
    root = ET.parse(path).getroot()
    (whole, *of_shapes) = [each.text for each in root.iter("{http://www.w3.org/2000/svg}title")]
    assert whole.startswith("rankeval plot ")
    return sorted(of_shapes)


def test_bars_of_topics_are_titled_with_query_and_difference(plot, tmp_path):
    assert plot("topics", "-o", "a.svg", "--queries", "queries.txt").code == 0

    assert titles(tmp_path / "a.svg") == [
        'q1 "green <b>eggs</b> \\x1b[31m": -0.5000',
        'q:3 "the third": -0.5000',
    ]


def test_points_of_topics_are_titled_with_query_and_values(plot, tmp_path):
    assert plot("scatter", "-o", "a.svg", "--queries", "queries.txt").code == 0

    assert titles(tmp_path / "a.svg") == [
        'q1 "green <b>eggs</b> \\x1b[31m": 1.0000, 0.5000',
        "q2: 1.0000, 1.0000",
        'q:3 "the third": 1.0000, 0.5000',
    ]


@pytest.mark.parametrize(
    ("kind", "more"), [("topics", ()), ("topics", ("-o", "a.png")), ("box", ("-o", "a.svg"))]
)
def test_queries_are_for_topics_in_svg(plot, kind, more):
    outcome = plot(kind, *more, "--queries", "queries.txt")

    assert outcome.code == 2
    assert "--queries titles the topics of a picture in SVG" in outcome.err

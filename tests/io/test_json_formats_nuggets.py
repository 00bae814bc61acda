"""Files of nuggets where judgments stand."""

import json

import pytest

import rankeval
from rankeval.errors import InputError
from rankeval.io.json_formats import kinds_of_line, nugget_grades

GOLD = [
    {
        "qid": "q1",
        "query": "what?",
        "nuggets": [
            {"text": "a fact", "importance": "vital"},
            {"text": "a fact", "importance": "okay"},
            {"text": "x", "importance": "failed"},
        ],
    },
    {"qid": 2, "nuggets": [{"text": "y\n z", "importance": "vital"}]},
]


def lines(records):
    return "".join(json.dumps(record) + "\n" for record in records)


def test_nuggets_are_judgments_of_their_topics(tmp_path):
    path = tmp_path / "nuggets.jsonl"
    path.write_text(lines(GOLD))

    found = rankeval.Qrels(path)

    expected = {"q1": {"1 a fact": 2, "2 a fact": 1, "3 x": 0}, "2": {"1 y z": 2}}
    assert found.digest == rankeval.Qrels(expected).digest


def test_nuggets_without_text_are_called_by_their_number():
    assert nugget_grades([{"importance": "okay"}, {"importance": 7}, {}]) == {
        "1": 1,
        "2": 0,
        "3": 0,
    }


def test_checks_tell_that_the_file_holds_judgments(tmp_path):
    path = tmp_path / "nuggets.jsonl"
    path.write_text(lines(GOLD))

    (found,) = rankeval.check(path)

    assert found.what == "qrels"


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('{"qid": "q2"}', "no object with a list"),
        ('{"qid": "q2", "nuggets": [1]}', "a nugget is no object"),
        ('{"qid": true, "nuggets": [{"text": "a"}]}', "True is of the type bool"),
        ("{", "this is not JSON"),
        ("1 0 d1 1", "this is not JSON"),
    ],
)
def test_a_wrong_line_is_named(tmp_path, line, problem):
    path = tmp_path / "nuggets.jsonl"
    path.write_text(lines(GOLD[:1]) + line + "\n")

    with pytest.raises(InputError, match=problem) as error:
        rankeval.Qrels(path)

    assert str(error.value).startswith(f"{path}:2: ")


@pytest.mark.parametrize(
    "line", [b'{"topic": "q", "docno": "nuggets", "grade": 1}', b'{"nuggets": []}', b'"nuggets" {']
)
def test_other_lines_hold_no_nuggets(line):
    assert not kinds_of_line(line)

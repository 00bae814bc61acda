"""JSON Lines of a topic with the ids that are expected and those that were retrieved."""

import json

import pytest

import rankeval
from rankeval.__main__ import run
from rankeval.errors import InputError

RECORDS = [
    {"query_id": "q1", "expected_ids": ["a", "b"], "retrieved_ids": ["c", "a"]},
    {"query_id": 2, "expected_ids": [7], "retrieved_ids": [7, 8, 9], "more": {"x": [1]}},
    {"query_id": "q3", "expected_ids": ["a"], "retrieved_ids": []},
]
FORMS = {
    "lines": "".join(json.dumps(record) + "\n" for record in RECORDS),
    "lines and blank lines": "\n".join(["", *map(json.dumps, RECORDS), "", ""]),
    "a list": json.dumps(RECORDS),
    "other names of topics": "".join(
        json.dumps({"qid" if key == "query_id" else key: value for key, value in record.items()})
        + "\n"
        for record in RECORDS
    ),
}


@pytest.fixture(params=FORMS)
def path(request, tmp_path):
    (tmp_path / "rag.jsonl").write_text(FORMS[request.param])
    return tmp_path / "rag.jsonl"


def test_both_lists_are_read_from_one_file(path):
    """RR by hand: 1/2 for q1, 1 for 2, and 0 for q3, which retrieved nothing."""
    score = rankeval.evaluate(path, path, "RR")["rag"]["RR"]

    assert score.per_topic == {"q1": 0.5, "2": 1.0, "q3": 0.0}
    expected = {"q1": {"a": 1, "b": 1}, "2": {"7": 1}, "q3": {"a": 1}}
    assert rankeval.Qrels(path).digest == rankeval.Qrels(expected).digest
    assert [*rankeval.Run(path)["2"]] == ["7", "8", "9"]


def test_checks_and_conversions_read_both(path, tmp_path, capsys):
    assert run(["check", str(path), str(path)]) == 0
    assert "of no known meaning" not in capsys.readouterr().out
    for kind in "qrels", "run":
        assert run(["convert", str(path), str(tmp_path / f"{kind}.trec"), "--kind", kind]) == 0
    capsys.readouterr()

    results = rankeval.evaluate(tmp_path / "qrels.trec", tmp_path / "run.trec", "RR")
    assert results["run"]["RR"].per_topic == {"q1": 0.5, "2": 1.0, "q3": 0.0}


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('{"query_id": "4", "retrieved_ids": [1.5]}', "is of the type float"),
        ('{"query_id": "4", "retrieved_ids": [""]}', "has no name"),
        ('{"query_id": null, "retrieved_ids": ["a"]}', "is of the type NoneType"),
        ('{"query_id": "4", "retrieved_ids": "a"}', 'no object with a list "retrieved_ids"'),
        ('{"query_id": "4"}', 'no object with a list "retrieved_ids"'),
        ("[]", 'no object with a list "retrieved_ids"'),
        ('{"query_id": "4", "retrieved', "not JSON"),
    ],
)
def test_a_line_that_is_wrong_is_named_or_left_out(tmp_path, line, problem):
    path = tmp_path / "rag.jsonl"
    path.write_text(FORMS["lines"] + line + "\n")

    with pytest.raises(InputError, match=problem) as refused:
        list(rankeval.Run(path))
    assert refused.value.place == f"{path}:4"

    skip = {"on_error": "skip"}
    (found,) = rankeval.evaluate({"q1": {"a": 1}}, path, "RR", **skip).runs
    assert found["RR"].mean == 0.5
    assert "1 line dropped" in str(found.warnings[0])


@pytest.mark.parametrize("extra", ['{"2": {"a": 1}}', "[1]", "{}"])
@pytest.mark.parametrize("first", ['{"1": {"a": 1}}', '{"qid": "1", "docs": [{"id": "a"}]}', "{}"])
def test_json_lines_of_another_form_are_called_json_lines(tmp_path, first, extra):
    (tmp_path / "run").write_text(f"{first}\n{extra}\n")

    for read in rankeval.Run, rankeval.Qrels:
        with pytest.raises(InputError, match=r"more than one JSON(?s:.*)in a list or in lines"):
            len(read(tmp_path / "run"))


@pytest.mark.parametrize(
    "line",
    [
        "2 qid:1 1:0.3",
        "2 qid:1 1:0.3 2:0.5",
        "2 qid:1 1:0.3 2:0.5 3:0",
        "0.5 qid:a 1:1 2:1 3:0 4:7 # docid = GX000",
        "-1\tqid:7\t12:0.5",
    ],
)
@pytest.mark.parametrize("name", [None, "trec", "msmarco"])
def test_files_of_features_are_called_so(tmp_path, capsys, line, name):
    path = tmp_path / "features"
    path.write_text(f"# made by hand\n{line}\n{line}\n")

    for read in rankeval.Qrels, rankeval.Run:
        with pytest.raises(InputError, match="a file of features"):
            list(read(path, format=name))
    assert run(["check", str(path)]) == 2
    assert "a file of features" in capsys.readouterr().out

"""A second column that is no subtopic, such as TREC-COVID's round of judging, is told."""

import json
from functools import partial

import pyarrow as pa
import pytest
from pyarrow import feather, parquet

import rankeval

RUN = {"1": {"a": 3.0, "b": 2.0, "c": 1.0}, "2": {"a": 2.0, "d": 1.0}}
ROUNDS = "1 0.5 a 2\n1 1 b 0\n1 1.5 c 1\n2 0.5 a 1\n2 4.5 d 0\n"
WHOLE = "1 1 a 2\n1 2 b 0\n1 3 c 1\n2 1 a 1\n2 5 d 0\n"
INTENTS = "1 1 a 2\n1 2 a 1\n1 2 b 0\n1 3 c 1\n2 1 a 1\n2 5 d 0\n"
ODD_INTENTS = INTENTS.replace(" 5 ", " 4.5 ")
BY_SUBTOPIC = "alpha_nDCG@10 ERR_IA@10"


def told(qrels, measures=BY_SUBTOPIC):
    warnings = rankeval.evaluate(qrels, RUN, measures).runs[0].warnings
    return [warning for warning in warnings if "column of subtopics" in warning]


@pytest.fixture
def written(tmp_path):
    def write(text):
        (tmp_path / "qrels").write_text(text)
        return tmp_path / "qrels"

    return write


def test_fractions_in_the_column_of_subtopics_are_told(written):
    (warning,) = told(written(ROUNDS))

    assert "has values such as 0.5, 1.5, 4.5" in warning
    assert "alpha_nDCG" in warning
    assert "ERR_IA" in warning
    assert "rounds of judging" in warning
    assert "mean nothing" in warning
    assert "--quiet" in warning
    assert "called subtopic" in warning
    assert told(written(ODD_INTENTS)) == [warning.replace("0.5, 1.5, 4.5", "4.5")]


@pytest.mark.parametrize(
    "text", [INTENTS, INTENTS.replace(" 5 ", " five "), INTENTS.replace(" 5 ", " inf ")]
)
def test_documents_of_several_subtopics_are_not_told(written, text):
    assert told(written(text)) == []


@pytest.mark.parametrize("text", [ROUNDS, WHOLE])
def test_measures_without_subtopics_are_not_told(written, text):
    assert told(written(text), "AP nDCG@10") == []


def table_of(text, name):
    """The lines as a table, whose second column has that name."""
    rows = [line.split() for line in text.splitlines()]
    columns = list(zip(*rows, strict=True))
    grades = [int(grade) for grade in columns[3]]
    return pa.table({"topic": columns[0], name: columns[1], "docno": columns[2], "grade": grades})


def write_lines(table, path):
    path.write_text("".join(f"{json.dumps(row)}\n" for row in table.to_pylist()))


def separated(table, path, separator):
    rows = [table.column_names, *(map(str, row.values()) for row in table.to_pylist())]
    path.write_text("".join(f"{separator.join(row)}\n" for row in rows))


WRITERS = {
    "csv": partial(separated, separator=","),
    "tsv": partial(separated, separator="\t"),
    "words": partial(separated, separator=" "),
    "jsonl": write_lines,
    "parquet": parquet.write_table,
    "arrow": feather.write_feather,
}


@pytest.mark.parametrize("small", [None, 0], ids=["plain parser", "fast parser"])
@pytest.mark.parametrize("form", WRITERS)
def test_a_column_that_is_called_subtopic_is_taken_at_its_word(tmp_path, usual_sizes, form, small):
    if small is not None:
        usual_sizes(plain_bytes=small)
    found = {}
    for name in ("subtopic", "Intent", "aspect-id", "iteration", "iter"):
        path = tmp_path / f"{name}.{form}"
        WRITERS[form](table_of(ROUNDS, name), path)
        found[name] = len(told(path))

    assert found == {"subtopic": 0, "Intent": 0, "aspect-id": 0, "iteration": 1, "iter": 1}


def test_a_column_of_subtopics_is_preferred_to_one_of_iterations():
    table = table_of(INTENTS, "subtopic")
    both = table.append_column("iteration", pa.array(["0"] * len(table)))

    ours, same = (rankeval.evaluate(qrels, RUN, BY_SUBTOPIC).runs[0] for qrels in (both, table))

    assert [score.values.tolist() for score in ours.scores] == [
        score.values.tolist() for score in same.scores
    ]

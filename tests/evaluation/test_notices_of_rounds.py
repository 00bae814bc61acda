"""A second column that is no subtopic, such as TREC-COVID's round of judging, is named."""

import pandas as pd
import pytest

import rankeval

RUN = {"1": {"a": 3.0, "b": 2.0, "c": 1.0}, "2": {"a": 2.0, "d": 1.0}}
ROUNDS = "1 0.5 a 2\n1 1 b 0\n1 1.5 c 1\n2 0.5 a 1\n2 4.5 d 0\n"
WHOLE = "1 1 a 2\n1 2 b 0\n1 3 c 1\n2 1 a 1\n2 5 d 0\n"
INTENTS = "1 1 a 2\n1 2 a 1\n1 2 b 0\n1 3 c 1\n2 1 a 1\n2 5 d 0\n"
ODD_INTENTS = INTENTS.replace(" 5 ", " 4.5 ")
BY_SUBTOPIC = "alpha_nDCG@10 ERR_IA@10"


def told(qrels, measures=BY_SUBTOPIC):
    warnings = rankeval.evaluate(qrels, RUN, measures).runs[0].warnings
    return [warning for warning in warnings if "rounds of judging" in warning]


@pytest.fixture
def written(tmp_path):
    def write(text):
        (tmp_path / "qrels").write_text(text)
        return tmp_path / "qrels"

    return write


@pytest.mark.parametrize(
    ("text", "names"),
    [(ROUNDS, "0.5, 1.5, 4.5"), (ODD_INTENTS, "4.5"), (WHOLE, "1, 2, 3 and 1 more")],
)
def test_fractions_and_one_value_a_document_look_like_rounds(written, text, names):
    (warning,) = told(written(text))

    assert f"rounds of judging ({names})" in warning
    assert "alpha_nDCG@10, ERR_IA@10 mean nothing" in warning
    assert "called subtopic" in warning


@pytest.mark.parametrize(
    "text", [INTENTS, INTENTS.replace(" 5 ", " five "), INTENTS.replace(" 5 ", " inf ")]
)
def test_documents_of_several_subtopics_are_not_named(written, text):
    assert told(written(text)) == []


@pytest.mark.parametrize("text", [ROUNDS, WHOLE])
def test_measures_without_subtopics_are_not_named(written, text):
    assert told(written(text), "AP nDCG@10") == []


@pytest.mark.parametrize(
    ("name", "named"),
    [("subtopic", False), ("Intent", False), ("aspect-id", False), ("iter", True)],
)
def test_a_column_called_subtopic_is_one(name, named):
    rows = [line.split() for line in ROUNDS.splitlines()]
    columns = dict(zip(("topic", name, "docno", "grade"), zip(*rows, strict=True), strict=True))

    found = told(pd.DataFrame({**columns, "grade": [*map(int, columns["grade"])]}))

    assert bool(found) == named

"""A second column that is no subtopic, such as TREC-COVID's round of judging, is told."""

import subprocess
import sys

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
    assert "--quiet" in warning
    assert told(written(ODD_INTENTS)) == [warning.replace("0.5, 1.5, 4.5", "4.5")]


def test_one_value_for_each_document_is_told(written):
    (warning,) = told(written(WHOLE))

    assert "has one value for each document (1, 2, 3 and 1 more)" in warning


@pytest.mark.parametrize(
    "text", [INTENTS, INTENTS.replace(" 5 ", " five "), INTENTS.replace(" 5 ", " inf ")]
)
def test_documents_of_several_subtopics_are_not_told(written, text):
    assert told(written(text)) == []


@pytest.mark.parametrize("text", [ROUNDS, WHOLE])
def test_measures_without_subtopics_are_not_told(written, text):
    assert told(written(text), "AP nDCG@10") == []


def test_subtopics_that_are_stated_in_python_are_taken_at_their_word():
    qrels = {"1": {"a": {"0.5": 1}, "b": {"1": 0}}, "2": {"d": {"1.5": 1}}}

    assert told(qrels) == []


def test_the_command_tells_it_on_stderr_unless_it_is_quiet(written, tmp_path):
    path = written(ROUNDS)
    (tmp_path / "run").write_text("1 Q0 a 1 2 t\n2 Q0 a 1 2 t\n")
    words = [sys.executable, "-m", "rankeval", "eval", path, tmp_path / "run", "-m", BY_SUBTOPIC]

    loud = subprocess.run(words, capture_output=True, text=True, check=True)
    quiet = subprocess.run([*words, "--quiet"], capture_output=True, text=True, check=True)

    assert "warning: the column of subtopics" in loud.stderr
    assert "column of subtopics" not in loud.stdout
    assert (quiet.stdout, quiet.stderr) == (loud.stdout, "")


def test_what_trec_covid_says_of_itself_is_told(written):
    """Lines as TREC-COVID's cumulative judgments have them: topic, round, docno, grade."""
    lines = [f"1 {n / 2} d{n} {n % 3}\n" for n in range(1, 11)]

    assert len(told(written("".join(lines).replace(".0 ", " ")))) == 1

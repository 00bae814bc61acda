"""Data sets of ir_datasets are read as that package gives them."""

import json
import sys
import types
from collections import namedtuple

import pytest

import rankeval
from rankeval.errors import InputError
from tests.io.test_formats_agree import GRADES, ROWS, rows_of
from tests.support.commands import run_command

Qrel = namedtuple("Qrel", "query_id doc_id relevance iteration")  # noqa: PYI024  as there
Scored = namedtuple("Scored", "query_id doc_id score")  # noqa: PYI024  as there


class Dataset:
    """Judgments."""

    def qrels_iter(self):
        return iter([Qrel(*row, "0") for row in GRADES])


class Elsewhere:
    """Judgments that would have to be fetched."""

    def qrels_iter(self):
        raise ConnectionError("no network")


class WithScores(Dataset):
    """Judgments and scored documents."""

    def scoreddocs_iter(self):
        return iter([Scored(*row) for row in ROWS])


DATASETS = {
    "here": Dataset(),
    "with scores": WithScores(),
    "elsewhere": Elsewhere(),
}


@pytest.fixture
def ir_datasets(monkeypatch):
    """A package of that name, with some data sets here and some elsewhere."""
    package = types.ModuleType("ir_datasets")
    package.load = DATASETS.__getitem__
    monkeypatch.setitem(sys.modules, "ir_datasets", package)


@pytest.mark.usefixtures("ir_datasets")
def test_judgments_of_ir_datasets_are_read():
    assert rows_of("irds:here", "qrels") == GRADES


@pytest.mark.usefixtures("ir_datasets")
@pytest.mark.parametrize("rows", [1, 3, 100])
def test_scored_documents_of_ir_datasets_are_a_run(monkeypatch, rows):
    monkeypatch.setattr("rankeval.io.irds.ROWS", rows)

    assert rows_of("irds:with scores", "run") == ROWS


@pytest.mark.usefixtures("ir_datasets")
def test_data_sets_are_evaluated_checked_and_converted(tmp_path):
    """The run has a and b b for topic 1, x and c for topic 2; b b and x are not judged."""
    done = run_command(["irds:here", "irds:with scores", "-m", "RR", "-f", "json"])
    assert json.loads(done.stdout)["runs"][0]["measures"]["RR"]["mean"] == (1 + 1 / 2) / 2

    qrels, run = rankeval.check(["irds:here", "irds:with scores"])
    assert (qrels.what, qrels.facts["lines"], run.facts["lines"]) == ("qrels", 3, 4)
    assert rankeval.check(["irds:elsewhere"])[0].unreadable.startswith("irds:elsewhere: ")

    rankeval.convert("irds:with scores", str(tmp_path / "run.csv"), what="run")
    assert rows_of(tmp_path / "run.csv", "run") == ROWS


@pytest.mark.usefixtures("ir_datasets")
@pytest.mark.parametrize(
    ("name", "what", "problem"),
    [
        ("elsewhere", "qrels", r"cannot read the qrels \(ConnectionError: no network\)"),
        ("nowhere", "qrels", "ir_datasets has no data set of this name"),
        ("here", "run", "the data set has no scoreddocs"),
        (None, "qrels", "ir_datasets is not installed"),
    ],
)
def test_an_error_says_what_is_wrong_with_ir_datasets(monkeypatch, name, what, problem):
    if name is None:
        monkeypatch.setitem(sys.modules, "ir_datasets", None)

    with pytest.raises(InputError, match=f"irds:{name}: .*{problem}") as caught:
        rows_of(f"irds:{name}", what)

    assert ("pip install ir-datasets" in str(caught.value)) == (name is None)

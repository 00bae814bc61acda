"""Data sets of ir_datasets are read where they are on the machine, and never downloaded."""

import json
import logging
import sys
import types
from collections import namedtuple

import pytest

import rankeval
from rankeval.errors import InputError
from tests.io.test_formats_agree import GRADES, ROWS, rows_of
from tests.support.commands import run_command

LOGGER = logging.getLogger("ir_datasets")
Qrel = namedtuple("Qrel", "query_id doc_id relevance iteration")  # noqa: PYI024  as there
Scored = namedtuple("Scored", "query_id doc_id score")  # noqa: PYI024  as there


class RequestsDownload:
    """What would fetch data."""

    def stream(self):
        pytest.fail("something is downloaded")


class Dataset:
    """Judgments, which are here or would have to be fetched."""

    def __init__(self, download=None):
        self.download = download

    def has_qrels(self):
        return True

    def has_scoreddocs(self):
        return False

    def qrels_iter(self):
        if self.download:
            LOGGER.warning("Download failed")
            self.download().stream()
        return iter([Qrel(*row, "0") for row in GRADES])


class WithScores(Dataset):
    """Judgments and scored documents."""

    def has_scoreddocs(self):
        return True

    def scoreddocs_iter(self):
        return iter([Scored(*row) for row in ROWS])


DATASETS = {
    "here": Dataset(),
    "with scores": WithScores(),
    "elsewhere": Dataset(RequestsDownload),
}


@pytest.fixture
def ir_datasets(monkeypatch):
    """A package of that name, with some data sets here and some elsewhere."""
    package, util, download = map(types.ModuleType, ("ir_datasets", "util", "download"))
    package.load = DATASETS.__getitem__
    package.util, util.download = util, download
    download.RequestsDownload = RequestsDownload
    for module, name in (package, ""), (util, ".util"), (download, ".util.download"):
        monkeypatch.setitem(sys.modules, "ir_datasets" + name, module)


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
    assert rankeval.check(["irds:elsewhere"])[0].unreadable.startswith("irds:elsewhere: is not on")

    rankeval.convert("irds:with scores", str(tmp_path / "run.csv"), what="run")
    assert rows_of(tmp_path / "run.csv", "run") == ROWS


@pytest.mark.usefixtures("ir_datasets")
@pytest.mark.parametrize(
    ("name", "what", "problem"),
    [
        ("elsewhere", "qrels", "is not on this machine"),
        ("nowhere", "qrels", "is not a data set that ir_datasets knows"),
        ("here", "run", "has no scoreddocs"),
    ],
)
def test_what_ir_datasets_has_not_here_is_not_downloaded(name, what, problem):
    with pytest.raises(InputError, match=f"irds:{name}: {problem}"):
        rows_of(f"irds:{name}", what)


def test_ir_datasets_has_to_be_installed(monkeypatch):
    monkeypatch.setitem(sys.modules, "ir_datasets", None)

    with pytest.raises(InputError, match=r"(?s)irds:here: needs .*pip install ir-datasets"):
        rows_of("irds:here", "qrels")

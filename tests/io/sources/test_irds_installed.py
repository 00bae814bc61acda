"""Texts of a data set that the real ir_datasets knows: made on the spot, and never fetched."""

from typing import NamedTuple

import pytest

from rankeval.errors import InputError
from rankeval.evaluation.shown_texts import TextSources

SHOWN = {"q1": ["d1", "d2"], "q2": ["d2", "missing"]}


class Titled(NamedTuple):
    """A document as many data sets have it."""

    doc_id: str
    title: str
    text: str


@pytest.fixture
def ir_datasets(tmp_path, monkeypatch):
    monkeypatch.setenv("IR_DATASETS_HOME", str(tmp_path / "home"))
    return pytest.importorskip("ir_datasets", reason="irds: are names of its data sets")


@pytest.fixture
def name(ir_datasets, tmp_path, monkeypatch):
    """A data set of two documents and two queries, in files, under a name of ir_datasets."""
    from ir_datasets.datasets.base import Dataset
    from ir_datasets.formats import TsvDocs, TsvQueries
    from ir_datasets.util import LocalDownload

    docs, queries = tmp_path / "docs.tsv", tmp_path / "queries.tsv"
    docs.write_text("d1\tEggs & spam\tgreen <b>eggs</b>\nd2\t\tham and café\n", encoding="utf-8")
    queries.write_text("q1\tgreen eggs\nq2\tham\n")
    known = Dataset(TsvDocs(LocalDownload(docs), Titled), TsvQueries(LocalDownload(queries)))
    registered = "rankeval-test/texts"
    monkeypatch.setitem(ir_datasets.registry._registered, registered, known)
    return f"irds:{registered}"


def test_texts_of_a_data_set_are_those_of_its_files(name, tmp_path):
    found = TextSources(name, name).of(SHOWN)

    assert found == TextSources(tmp_path / "queries.tsv", tmp_path / "docs.tsv").of(SHOWN)
    assert found.queries == {"q1": "green eggs", "q2": "ham"}
    shown = found.document("q1", "d1")
    assert (shown.title, shown.text) == ("Eggs & spam", "green <b>eggs</b>")
    assert found.missing == ("missing",)


def test_a_data_set_without_its_files_is_not_here(name, tmp_path):
    (tmp_path / "docs.tsv").unlink()

    with pytest.raises(InputError, match=f"{name}: is not on this machine"):
        TextSources(docs=name).of(SHOWN)


@pytest.mark.usefixtures("ir_datasets")
@pytest.mark.parametrize("data_set", ["vaswani", "msmarco-passage/dev/small"])
def test_data_sets_of_ir_datasets_are_not_downloaded(data_set):
    for _ in range(2):  # the first call leaves no half of a document store
        with pytest.raises(InputError, match=f"irds:{data_set}: is not on this machine"):
            TextSources(docs=f"irds:{data_set}").of({"1": ["1"]})

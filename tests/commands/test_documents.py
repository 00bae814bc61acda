"""Documents are plain: any encoder of dicts, lists, text, numbers, True, False and None will do."""

import math

import pytest

import rankeval
from rankeval.commands.check.task import PRINTER as FILE_REPORTS
from rankeval.commands.compare import show as comparison
from rankeval.commands.explain.show import PRINTER as EXPLANATIONS
from rankeval.commands.gate import show as gate
from rankeval.commands.measures.task import LISTING, find_measures
from rankeval.evaluation import saved_results as results
from rankeval.output.document_form import document, plain
from rankeval.output.style import Style
from rankeval.stats import Verdict
from tests.support.files import BM25, DENSE, QRELS

ALL_OF_IT = Style(per_topic=True, signature=True)


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, content in (("qrels", QRELS), ("bm25", BM25), ("dense", DENSE)):
        data = content if isinstance(content, bytes) else content.encode()
        (tmp_path / name).write_bytes(data)
    return "qrels", "bm25", "dense"


def documents(files):
    """The document of every result."""
    qrels, a, b = files
    found = rankeval.evaluate(qrels, [a, b], "AP nDCG@10 NumRet", bounds=True)
    yield results.document(found, ALL_OF_IT)
    for method in (
        {"margins": {"AP": 0.01}},
        {"test": "bayes", "margins": {"AP": 0.01}},
    ):
        compared = rankeval.compare(qrels, a, [b], "AP", **method)
        yield comparison.document(compared)
    moved = rankeval.diff(qrels, a, b)
    yield document(moved)
    explained = rankeval.explain(qrels, a, "301", "nDCG@10 AP")
    yield EXPLANATIONS.document(explained, ALL_OF_IT)
    rules = [
        rankeval.options.parse_rule("max-drop AP=0.01"),
        rankeval.options.parse_rule("min AP=0.1"),
    ]
    yield gate.document(rankeval.gate(qrels, a, b, rules), ALL_OF_IT)
    yield LISTING.document([(one, None) for one in find_measures("")], ALL_OF_IT)
    yield FILE_REPORTS.document(rankeval.check([qrels, a, b]), ALL_OF_IT)


def strangers(value):
    """Yield every value within a document that is not plain."""
    if type(value) is dict:
        for name, one in value.items():
            yield from () if type(name) is str else (name,)
            yield from strangers(one)
    elif type(value) is list:
        for one in value:
            yield from strangers(one)
    elif type(value) is float:
        yield from () if math.isfinite(value) else (value,)
    elif type(value) not in (str, int, bool, type(None)):
        yield value


def test_every_document_is_plain(files):
    for found in documents(files):
        assert list(strangers(found)) == []


def test_values_of_other_classes_become_plain():
    found = plain({Verdict.WORSE: (Verdict.WORSE, math.nan, [math.inf, 1, True, None])})

    assert found == {"worse": ["worse", None, [None, 1, True, None]]}
    assert list(strangers(found)) == []

"""Other tools as oracles; a test that needs one is skipped where it is not installed."""

import warnings
from types import ModuleType

import pytest

from tests.synthetic import Qrels, Run


def cwl_ruler() -> ModuleType:
    """The measures of cwl-eval."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its source has invalid escape sequences
        return pytest.importorskip("cwl.ruler.cwl_ruler")


def ranking_of(topic: str, qrels: Qrels, run: Run) -> list[int | None]:
    """Grades in rank order, ties broken as trec_eval breaks them; None is not judged."""
    scores = run.get(topic, {})
    order = sorted(scores, key=lambda docno: (scores[docno], docno.encode()), reverse=True)
    return [qrels[topic].get(docno) for docno in order]


def ntcireval() -> ModuleType:
    """pyNTCIREVAL, with its metrics."""
    tool = pytest.importorskip("pyNTCIREVAL")
    pytest.importorskip("pyNTCIREVAL.metrics")
    return tool

"""Diversity measures, and the judgments by subtopic that they need."""

from math import log2

import numpy as np
import pytest

from rankeval.errors import MeasureError
from rankeval.measures import definitions, parse_measure
from tests.support.oracles import ndeval_values
from tests.support.samples import untied
from tests.support.settings import settings_of
from tests.support.subtopics import (
    EXAMPLE_QRELS,
    EXAMPLE_RUN,
    PLAIN,
    aligned,
    collection,
    has_relevant,
    plain_topics,
)

NEEDING = [
    name
    for name, definition in definitions().items()
    if "subtopics" in {need.name for need in definition.needs}
]
EXAMPLE = aligned(EXAMPLE_QRELS, EXAMPLE_RUN)


def value(name, judged=EXAMPLE):
    return float(parse_measure(name).values(judged)[0])


def example_of(name):
    definition = definitions()[name]
    return definition.measure({"cutoff": 3} if definition.at else {})


# The ranking b, a, x, c: subtopic 1; then 1 again and 2; then nothing; then 3.
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "alpha_DCG@3",
            (1 + (0.5 + 1) / log2(3)) / (3 * (1 + 0.5 / log2(3) + 0.25 / log2(4))),
        ),
        # Ideal: a (1 and 2), c (3), and then d before b, with 1/2 each.
        ("alpha_nDCG@3", (1 + 1.5 / log2(3)) / (2 + 1 / log2(3) + 0.5 / log2(4))),
        ("ERR_IA@3", (1 + 1.5 / 2) / (3 * (1 + 0.5 / 2 + 0.25 / 3))),
        ("nERR_IA@3", (1 + 1.5 / 2) / (2 + 1 / 2 + 0.5 / 3)),
        ("NRBP", 0.75 / 3 * (1 + 1.5 / 2 + 1 / 8)),
        ("nNRBP", (1 + 1.5 / 2 + 1 / 8) / (2 + 1 / 2 + 0.5 / 4 + 0.5 / 8)),
        ("AP_IA", (1 + 1 / 2 * 1 / 2 + 1 / 4) / 3),
        ("P_IA@3", 3 / (3 * 3)),
        ("StRecall@3", 2 / 3),
        ("StRecall@4", 1),
        ("StRecall", 1),
        ("StRecall(rel=2)", 1),
        ("alpha_nDCG(alpha=0.2)@4", 0.760294),
        # p = 1/2, grades on a scale up to 2: r is 1/4 for grade 1 and 3/4 for grade 2.
        (
            "RBU(p=0.5,e=0.1)@4",
            1 / 2 * (1 / 4 / 3 - 0.1)
            + 1 / 4 * ((3 / 4 * 1 / 4 + 1 / 4) / 3 - 0.1)
            - 1 / 8 * 0.1
            + 1 / 16 * (3 / 4 / 3 - 0.1),
        ),
        # Global gains 1, 2, 0, 2; ideally 2, 2, 1, 1.
        ("DnDCG@2", (1 + 2 / log2(3)) / (2 + 2 / log2(3))),
        ("DSharp_nDCG@2", (2 / 3 + (1 + 2 / log2(3)) / (2 + 2 / log2(3))) / 2),
        ("DSharp_nDCG(gamma=1.0)@2", 2 / 3),
        # The ideal is a, c, b, d: the prefixes of the two lists share 0, 1, 2, 3 documents.
        (
            "AlphaCompat(p=0.5,normalize=False,depth=4)",
            (1 / 2 * 1 / 2 + 1 / 4 * 2 / 3 + 1 / 8 * 3 / 4) / (1 + 1 / 2 + 1 / 4 + 1 / 8),
        ),
        (
            "AlphaCompat(p=0.5,depth=4)",
            (1 / 2 * 1 / 2 + 1 / 4 * 2 / 3 + 1 / 8 * 3 / 4) / (1 + 1 / 2 + 1 / 4 + 1 / 8),
        ),
    ],
)
def test_worked_examples(name, expected):
    assert value(name) == pytest.approx(expected, abs=5e-7)


@pytest.mark.parametrize("name", PLAIN)
def test_every_setting_is_its_plain_loop(name):
    qrels, run = collection(7, topics=8)
    judged = aligned(qrels, run)
    topics = list(plain_topics(qrels, run))
    compared = 0

    for measure in settings_of(definitions()[name]):
        try:
            values = measure.values(judged)
        except MeasureError:
            continue
        expected = [PLAIN[name](topic, **measure.parameters) for topic in topics]
        np.testing.assert_allclose(values, expected, rtol=1e-11, atol=1e-12, err_msg=str(measure))
        compared += 1

    assert compared


@pytest.mark.parametrize(
    ("name", "theirs"),
    [
        ("alpha_DCG@5", "alpha-DCG@5"),
        ("alpha_DCG@20", "alpha-DCG@20"),
        ("alpha_nDCG@1", "alpha-nDCG@1"),
        ("alpha_nDCG@10", "alpha-nDCG@10"),
        ("ERR_IA@10", "ERR-IA@10"),
        ("nERR_IA@10", "nERR-IA@10"),
        ("nERR_IA@20", "nERR-IA@20"),
        ("NRBP", "NRBP"),
        ("nNRBP", "nNRBP"),
        ("AP_IA", "MAP-IA"),
        ("P_IA@10", "P-IA@10"),
        ("StRecall@5", "strec@5"),
    ],
)
@pytest.mark.parametrize("seed", [1, 2])
def test_measures_agree_with_ndeval(name, theirs, seed):
    qrels, run = collection(seed)
    run = untied(run)
    ours = dict(zip(sorted(qrels), parse_measure(name).values(aligned(qrels, run)), strict=True))
    # It divides by zero where nothing is relevant.
    topics = [t for t in sorted(qrels) if t in run and has_relevant(qrels[t])]

    expected = ndeval_values(qrels, run, theirs, topics)

    assert [ours[topic] for topic in topics] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("name", NEEDING)
def test_the_ideal_ranking_is_perfect(name):
    if not name.startswith(("alpha_n", "nERR", "nNRBP", "AlphaCompat")):
        pytest.skip("has no ideal ranking")
    # What ndeval and diversity.py take for ideal differs in the last two.
    last = ("b", "d") if name == "AlphaCompat" else ("d", "b")
    run = {"1": {docno: -rank for rank, docno in enumerate(("a", "c", *last))}}

    assert example_of(name).values(aligned(EXAMPLE_QRELS, run)) == pytest.approx([1])

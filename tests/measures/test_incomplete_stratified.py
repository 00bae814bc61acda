"""Estimates from stratified samples."""

from math import log2

import numpy as np
import pytest

from rankeval.measures import definitions, parse_measure
from tests.support.builders import from_dicts
from tests.support.commands import run_command
from tests.support.settings import settings_of
from tests.support.strata import EPSILON, PLAIN, aligned, collection, rankings

QRELS = "1 0 a 1 2\n1 0 b 1 0\n1 0 c 2 1\n1 0 d 2 -1\n1 0 e 2 0\n1 0 f 2 -1\n1 0 h 1 1\n"
RUN = "".join(f"1 Q0 {docno} 0 {-rank} tag\n" for rank, docno in enumerate("adbcxe"))
EXAMPLE = aligned(
    {
        "1": {
            fields[2]: {fields[3]: int(fields[4])}
            for fields in (line.split() for line in QRELS.splitlines())
        }
    },
    {"1": {docno: -rank for rank, docno in enumerate("adbcxe")}},
)


def value(name, judged=EXAMPLE):
    return float(parse_measure(name).values(judged)[0])


# Stratum 1: a, b, h, all sampled; stratum 2: c, d, e, f, two of four. R^ = 2 + 2·1 = 4.
# Relevant are found at rank 1 (a) and 4 (c), below a and b of stratum 1 and d of stratum 2.
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("xinfAP", (1 + 2 * (1 + 2 * 1 / 2 + 1 * 1 / 3) / 4) / 4),
        ("xinfAP(outcomes=2)", (1 + 2 * (1 + 2 * 1 / 2 + 1 * 1 / 2) / 4) / 4),
        ("xinfAP(rel=2)", 1),
        # Of stratum 2, c, d and e are retrieved and two of them sampled. Estimated are one
        # document of grade 2 and three of grade 1.
        (
            "infNDCG",
            (2 + 3 / 2 / log2(5)) / (2 + 1 / log2(3) + 1 / log2(4) + 1 / log2(5)),
        ),
        ("statAP", (1 + 2 * (1 + 1) / 4) / 4),
    ],
)
def test_worked_examples(name, expected):
    assert value(name) == pytest.approx(expected, abs=2e-5)


@pytest.mark.parametrize(("name", "recorded"), [("xinfAP", 0.5417), ("infNDCG", 0.7429)])
def test_the_example_has_the_value_that_sample_eval_prints(name, recorded):
    """`perl sample_eval.pl -q qrels run` of NIST, with the change log to 10 Oct 2011."""
    assert value(name) == pytest.approx(recorded, abs=5e-5)


@pytest.mark.parametrize("name", PLAIN)
@pytest.mark.parametrize("rate", [0.3, 0.8])
def test_every_setting_is_its_plain_loop(name, rate):
    qrels, run = collection(3, rate=rate)
    judged = aligned(qrels, run)

    for measure in settings_of(definitions()[name]):
        expected = [PLAIN[name](*topic, **measure.parameters) for topic in rankings(qrels, run)]
        np.testing.assert_allclose(measure.values(judged), expected, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize(
    ("name", "same"), [("xinfAP", "AP"), ("infNDCG", "nDCG"), ("statAP", "AP")]
)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_with_everything_sampled_the_estimate_is_the_measure(name, same, seed):
    qrels, run = collection(seed, rate=1.1)
    plain = {t: {d: next(iter(g.values())) for d, g in docs.items()} for t, docs in qrels.items()}

    expected = parse_measure(same).values(from_dicts(plain, run))

    # Smoothing moves a share of 0 or 1 by ε a document.
    tolerance = 100 * EPSILON if name == "xinfAP" else 1e-12
    assert parse_measure(name).values(aligned(qrels, run)) == pytest.approx(expected, abs=tolerance)


def test_strata_come_from_five_columns(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels").write_text(QRELS)
    (tmp_path / "run").write_text(RUN)

    done = run_command(["eval", "qrels", "run", "-m", "xinfAP infNDCG NumRel", "-f", "trec"])

    assert done.code == 0, done.stderr
    assert [line.split() for line in done.stdout.splitlines()] == [
        ["xinfAP", "all", "0.5417"],
        ["infNDCG", "all", "0.7429"],
        ["NumRel", "all", "3"],
    ]


def test_stratified_qrels_without_a_measure_of_strata_are_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels").write_text(QRELS)
    (tmp_path / "run").write_text(RUN)

    done = run_command(["eval", "qrels", "run", "-m", "AP"])

    assert done.code == 2
    assert "to fix:   stratified qrels are for xinfAP, infNDCG and statAP" in done.stderr

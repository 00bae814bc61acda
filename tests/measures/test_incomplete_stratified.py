"""Estimates from stratified samples."""

from math import log2

import numpy as np
import pytest

from rankeval.errors import MeasureError
from rankeval.measures import definitions, parse_measure
from tests.support.builders import from_dicts, ranked
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


def test_with_one_stratum_and_the_same_smoothing_it_is_inferred_ap():
    qrels, run = collection(4)
    one = {
        t: {d: {"1": next(iter(g.values()))} for d, g in docs.items()} for t, docs in qrels.items()
    }
    judged = aligned(one, run)

    ours = parse_measure("xinfAP(outcomes=2)").values(judged)
    # R^ weighs all documents of a stratum alike, and so cancels out.
    assert ours == pytest.approx(parse_measure("infAP").values(judged), abs=1e-12)


@pytest.mark.parametrize("name", PLAIN)
def test_values_do_not_depend_on_other_topics_and_stay_in_range(name):
    qrels, run = collection(6)
    definition = definitions()[name]
    together = definition.measure({}).values(aligned(qrels, run))

    assert (together >= definition.low).all()
    assert (together <= definition.high + 1e-9).all()
    for i, topic in enumerate(sorted(qrels)):
        alone = definition.measure({}).values(aligned({topic: qrels[topic]}, run))
        assert alone == pytest.approx([together[i]], abs=1e-12)


@pytest.mark.parametrize("name", PLAIN)
def test_without_strata_the_error_says_where_they_are_expected(name):
    with pytest.raises(MeasureError, match=f"{name} needs the stratum") as raised:
        parse_measure(name).values(ranked([1, 0]))

    assert "fourth column of the qrels" in raised.value.expected


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


def test_qrels_of_four_columns_are_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels").write_text("1 0 a 1\n")
    (tmp_path / "run").write_text(RUN)

    done = run_command(["eval", "qrels", "run", "-m", "xinfAP"])

    assert done.code == 2
    assert "qrels:1: found 4 columns" in done.stderr
    assert "expected: topic 0 docno stratum grade" in done.stderr

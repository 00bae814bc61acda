"""Names of measures, their parameters, and the names that are printed."""

import pytest

from rankeval.trec_eval.command import _read
from rankeval.trec_eval.flags import Failure, integer, real
from rankeval.trec_eval.measures import Pairs, requested


def wordings(*names, version=10):
    return [
        wording
        for name, text in requested([name.encode() for name in names], version).items()
        for wording in _read(name, text, version)
    ]


def printed(*names, version=10):
    return [name.decode() for name, _ in wordings(*names, version=version)]


def test_the_first_parameters_given_are_taken():
    assert printed("P.3", "P.2") == ["P_3"]
    assert printed("P", "P.4") == ["P_4"]
    assert [n for n in printed("official", "P.4") if n.startswith("P_")] == ["P_4"]


def test_cutoffs_are_sorted_and_named():
    assert printed("P.20,5,10.9,7abc") == ["P_5", "P_7", "P_10", "P_20"]


def test_levels_of_recall_are_named_with_two_decimals_and_at_most_eight_characters():
    assert printed("iprec_at_recall.1,.25,1234567890") == [
        "iprec_at_recall_0.25",
        "iprec_at_recall_1.00",
        "iprec_at_recall_12345678",
    ]


def test_numbers_of_one_line_are_named_as_they_were_typed():
    assert printed("utility.2,-1,0,0", "11pt_avg..25,.5") == ["utility_2,-1,0,0", "11pt_avg_.25,.5"]
    assert printed("utility", "set_F.0.5") == ["utility", "set_F_0.5"]


def test_gains_are_pairs_and_p_is_none_of_them():
    ((name, parameters),) = wordings("rbp.p=0.5,1=2,a=3,-1=.5")

    assert name == b"rbp_p=0.5,1=2,a=3,-1=.5"
    assert parameters == Pairs(((1, 2.0), (-1, 0.5)), 0.5)


def test_version_9_reads_the_leading_digits_of_a_key():
    ((_, parameters),) = wordings("ndcg.a=5,1x=6", version=9)

    assert parameters == Pairs(((0, 5.0), (1, 6.0)))


@pytest.mark.parametrize(
    "name", ["P.0", "P.-3", "P.5,5", "P.,5", "iprec_at_recall.0.5,.50", "ndcg.1", "ndcg.1=2=3"]
)
def test_impossible_parameters_end_with_2(name):
    with pytest.raises(Failure, match="Cannot initialize measure") as failure:
        wordings(name)

    assert failure.value.status == 2


@pytest.mark.parametrize("name", ["foo", "P5", "P_5", "num_re", "MAP", "all_qrels", "", ".5"])
def test_unknown_names_end_with_1(name):
    with pytest.raises(Failure, match=f"illegal measure '{name.partition('.')[0]}'") as failure:
        wordings(name)

    assert failure.value.status == 1


@pytest.mark.parametrize("name", ["dcg", "ideal_dcg", "rbp", "rbp_resid", "unj"])
def test_version_9_does_not_know_what_came_later(name):
    with pytest.raises(Failure, match="illegal measure"):
        wordings(name, version=9)
    assert not [n for n in printed("all_trec", version=9) if n.startswith(name + "_")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [(b"12", 12), (b" -3x", -3), (b"x", 0), (b"", 0), (b"0x10", 0), (b"9" * 30, 2**63 - 1)],
)
def test_integers_are_read_as_c_reads_them(text, expected):
    assert integer(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"1.5", 1.5),
        (b"1_0", 1.0),
        (b"5abc", 5.0),
        (b"abc", 0.0),
        (b"", 0.0),
        (b".5.7", 0.5),
        (b"1e", 1.0),
        (b"1e-320", 1e-320),
        (b"0x1.8p1", 3.0),
        (b"0x", 0.0),
        (b"-0X10g", -16.0),
        (b"0x1p99999", float("inf")),
        (b"-Infinity!", -float("inf")),
    ],
)
def test_reals_are_read_as_c_reads_them(text, expected):
    assert real(text) == expected

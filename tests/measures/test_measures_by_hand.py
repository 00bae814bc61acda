"""Small collections worked through by a slow implementation that agreed with other tools.

A new measure adds its lines to the tables below; everything else stays.
"""

from fractions import Fraction

import pytest

from rankeval.measures import parse_measure
from tests.support.builders import from_dicts

# In score order, ties by docno descending: a x b c g e d.
QRELS = {"a": 2, "b": 0, "c": 1, "d": 3, "e": 0, "f": 1, "g": -1}
RUN = {"a": 9, "b": 8, "x": 8, "c": 6, "g": 5, "d": 4, "e": 4}

GRADED = """
    SetP                              0.428571
    SetR                              0.750000
    SetF                              0.545455
    SetF(beta=2.0)                    0.652174
    SetE                              0.454545
    SetJaccard                        0.375000
    SetAP                             0.321429
    SetRelP                           0.750000
    SetUtility                       -1.000000
    P@5                               0.400000
    R@5                               0.500000
    F@5                               0.444444
    R_cap@5                           0.500000
    Success@2                         1.000000
    Rprec                             0.500000
    Rprec(mult=0.5)                   0.500000
    Rprec(mult=2.0)                   0.375000
    KAtRecall@0.5                     4.000000
    PAtRecall@0.5                     0.500000
    IPrec@0.0                         1.000000
    IPrec@0.5                         0.500000
    IPrec@1.0                         0.000000
    IAP                               0.487013
    AP                                0.482143
    AP@5                              0.375000
    AP(norm='min')@2                  0.500000
    AP(norm='ret')@5                  0.750000
    AP(rel=2)                         0.642857
    AP(judged_only=True)              0.566667
    RR                                1.000000
    RR(rel=3)                         0.142857
    RR(rel=3)@5                       0.000000
    DCG                               3.430677
    DCG@5                             2.430677
    nDCG                              0.660694
    nDCG@5                            0.468110
    nDCG(dcg='exp-log2')              0.586759
    nDCG(dcg='exp-log2')@5            0.349233
    nDCG(dcg='jk')@5                  0.407768
    nDCG(gains={1:1,2:3,3:7})@5       0.349233
    ERR@5                             0.200195
    ERR(max_rel=3)@5                  0.394531
    nERR(max_rel=3)@5                 0.436511
    nDCG_rel                          0.614041
    Rndcg                             0.566187
    G                                 0.401324
    binG                              0.471713
    RBP(p=0.8)                        0.354829
    RBP(p=0.8,max_rel=3)              0.219895
    RBPres(p=0.8)                     0.451635
    INST(T=1.0,max_rel=3)             0.386902
    INSQ(T=1.0,max_rel=3)             0.303796
    BPM(T=1.0,max_rel=3)@5            0.250000
    SDCG(max_rel=3)@5                 0.274796
    NERR8(max_rel=3)@5                0.350000
    NERR9(max_rel=3)@5                0.494071
    NERR10(p=0.9,max_rel=3)           0.392083
    NERR11(T=1.0,max_rel=3)           0.520548
    INST(T=1.0,max_rel=3,out='ETU')   0.729137
    INST(T=1.0,max_rel=3,out='ED')    1.884557
    TBG(halflife=224,max_rel=3)       0.006403
    UMeasure(L=1000,max_rel=3)        0.003982
    Bpref                             0.375000
    infAP                             0.500000
    Judged@5                          0.800000
    Unjudged@5                        0.400000
    AUC                               0.541667
    AUC(universe='condensed')         0.583333
    AUC(universe='judged')            0.437500
    Accuracy                          0.500000
    precG(universe='retrieved')@5    -0.125000
    recG(universe='retrieved')@5      0.625000
    FG(universe='retrieved')@5        0.250000
    AUPRG                            -0.208333
    AUPRG(universe='retrieved')       0.002604
    EFG                              -0.062500
    Q                                 0.461851
    Q@5                               0.301136
    OMeasure                          0.750000
    PMeasure                          0.642857
    PPlus                             0.615801
    NCU(stop='rb',gamma=0.9,beta=1.0) 0.488457
    NCU(stop='gu',beta=1.0)           0.554731
    Compat(p=0.8)                     0.382808
"""

# Relevant 1, 3, 5, 6; ranking 1 4 3 5 7.
RETRIEVED_PASSAGES = """
    R@5                               0.750000
    AP@5                              0.604167
    AP(norm='ret')@5                  0.805556
"""

# Three relevant documents, at ranks 1, 3 and 6.
THREE_RELEVANT = """
    AP                                0.722222
"""

# Premises a, b, c relevant; ranking x a y b c z.
PREMISES = """
    P@1                               0
    P@2                               1/2
    P@3                               1/3
    P@4                               1/2
    P@5                               3/5
    P@6                               1/2
    R@1                               0
    R@2                               1/3
    R@3                               1/3
    R@4                               2/3
    R@5                               1
    R@6                               1
    AP                                0.533333
    Rprec                             0.333333
    KAtRecall@1.0                     5
    PAtRecall@1.0                     0.600000
    SetF                              0.666667
    SetE                              0.333333
"""


def rows(table):
    """(name, value) of each line; a value may be a fraction."""
    lines = [line.split() for line in table.strip().splitlines()]
    return [(name, float(Fraction(value))) for name, value in lines]


def in_order(docnos):
    return {docno: -float(rank) for rank, docno in enumerate(docnos)}


EXAMPLES = [
    (GRADED, QRELS, RUN),
    (RETRIEVED_PASSAGES, dict.fromkeys("1356", 1), in_order("14357")),
    (THREE_RELEVANT, dict.fromkeys("136", 1), in_order("123456")),
    (PREMISES, dict.fromkeys("abc", 1), in_order("xaybcz")),
]


@pytest.mark.parametrize(
    ("name", "expected", "qrels", "run"),
    [(*row, qrels, run) for table, qrels, run in EXAMPLES for row in rows(table)],
)
def test_values_of_small_collections(name, expected, qrels, run):
    (found,) = parse_measure(name).values(from_dicts({"t": qrels}, {"t": run}))

    assert found == pytest.approx(expected, abs=5e-7)

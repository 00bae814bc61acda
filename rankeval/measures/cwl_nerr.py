"""Measures of the C/W/L framework modelled on ERR: gain makes the reader stop."""

from rankeval.base.arrays import Floats
from rankeval.measures.arithmetic.walk import Place
from rankeval.measures.cwl import insq_continuation
from rankeval.measures.declare.readers import Wanted, reader
from rankeval.measures.rank_biased import Persistence


@reader("NERR8", cutoff=True)
def nearly_expected_reciprocal_rank_8(place: Place) -> Floats:
    """Nearly expected reciprocal rank, equation 8: a reader who stops through gain or at rank k.

        C_i = 1 - r_i for i < k, else 0
        NERR8@k = Σ_{i=1..k} W_i·r_i

    with W_i the weight of rank i that follows from C.

    Source
        Azzopardi, Mackenzie and Moffat, ERR is not C/W/L: exploring the relationship between
        expected reciprocal rank and other metrics, ICTIR 2021; cwl-eval.
    """
    return 1.0 - place.gain


@reader("NERR9", cutoff=True)
def nearly_expected_reciprocal_rank_9(place: Place) -> Floats:
    """Nearly expected reciprocal rank, equation 9: as equation 8, with C_i times i/(i+1).

        C_i = (i/(i+1))·(1 - r_i) for i < k, else 0
        NERR9@k = Σ_{i=1..k} W_i·r_i

    with W_i the weight of rank i that follows from C.

    Source
        Azzopardi, Mackenzie and Moffat, ERR is not C/W/L: exploring the relationship between
        expected reciprocal rank and other metrics, ICTIR 2021; cwl-eval.
    """
    return place.rank / (place.rank + 1) * (1.0 - place.gain)


@reader("NERR10")
def nearly_expected_reciprocal_rank_10(place: Place, *, p: Persistence = 0.9) -> Floats:
    """Nearly expected reciprocal rank, equation 10: RBP's reader, who also stops through gain.

        C_i = p·(1 - r_i)
        NERR10 = Σ_{i=1..1000} W_i·r_i

    with W_i the weight of rank i that follows from C.

    Source
        Azzopardi, Mackenzie and Moffat, ERR is not C/W/L: exploring the relationship between
        expected reciprocal rank and other metrics, ICTIR 2021; cwl-eval.
    """
    return p * (1.0 - place.gain)


@reader("NERR11")
def nearly_expected_reciprocal_rank_11(place: Place, *, T: Wanted = 1.0) -> Floats:
    """Nearly expected reciprocal rank, equation 11: INSQ's reader, who also stops through gain.

        C_i = ((i + 2T - 1) / (i + 2T))²·(1 - r_i)
        NERR11 = Σ_{i=1..1000} W_i·r_i

    with W_i the weight of rank i that follows from C.

    Source
        Azzopardi, Mackenzie and Moffat, ERR is not C/W/L: exploring the relationship between
        expected reciprocal rank and other metrics, ICTIR 2021; cwl-eval.
    """
    return insq_continuation(place.rank, T) * (1.0 - place.gain)

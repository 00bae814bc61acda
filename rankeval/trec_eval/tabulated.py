"""Measures of trec_eval with a table of gains that gains= cannot express.

Such a table may give gains to unjudged documents and to negative grades. trec_eval treats gains
less than 1 apart as equal when it sorts them.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Annotated, Literal

import numpy as np

from rankeval.errors import MeasureError
from rankeval.measures.declare.definition import Rel, Values
from rankeval.measures.declare.measure_parameters import Meaning
from rankeval.measures.declare.measure_registry import declare
from rankeval.measures.precision import Placeholder
from rankeval.measures.rank_biased import Persistence
from rankeval.ranking import RankedJudgments

INFINITY = float("inf")


def _pairs(table: str) -> list[tuple[int, float]]:
    """Return the pairs that a text lists; MeasureError for another text."""
    try:
        items = [item.split("=") for item in table.split(",")] if table else []
        return [(int(grade), float(gain)) for grade, gain in items]
    except ValueError:
        raise MeasureError(
            f"table='{table}' is not possible", expected="GRADE=GAIN,… as in '1=0.5,2=0.7'"
        ) from None


@declare("TabulatedGain", low=-INFINITY, high=INFINITY)
def tabulated_gain(
    judged: RankedJudgments,
    *,
    of: Annotated[
        Literal["nDCG", "DCG", "IDCG", "nDCG_rel", "Rndcg", "G", "RBP"],
        Meaning("the measure computed from the gains"),
    ] = "nDCG",
    table: Annotated[
        str,
        Meaning(
            "GRADE=GAIN,… in trec_eval's order; -1 is any unjudged document, -2 one of a "
            "negative grade, and an unlisted grade keeps its own value"
        ),
    ] = "",
    p: Persistence = 0.9,
    rel: Rel = 1,
    placeholder: Placeholder = False,
) -> Values:
    """A measure of gains, computed from a table of gains as trec_eval does.

        TabulatedGain(of='nDCG') = Σ_{i=1..n} G_i/log2(i+1)  /  Σ_j G*_j/log2(j+1)

    with G_i the gain that the table has for the document at rank i. The table is sorted by
    increasing gain, where gains less than 1 apart keep their listed order and stand before
    grades that are not listed. The gains G*_j of the ideal ranking are read from its end, down
    to the first gain that is not positive. DCG, IDCG, nDCG_rel, Rndcg and G have the formulas
    of the measures of these names. For RBP the gains of a topic's table are shifted and scaled
    to lie between 0 and 1.

    Edge cases
        - p affects RBP only, and rel affects Rndcg only.
        - Undefined where trec_eval divides 0 by 0.
        - A fraction as a grade is cut to its integer part.

    Differences
        - Other measures take gains={grade:gain}, which follows none of these rules:
          nDCG(gains={1:0.5,2:0.7}) orders by gain alone.

    Source
        trec_eval, -m ndcg.1=0.5,2=0.7 and its kin.
    """
    from rankeval.trec_eval import gain_table  # few evaluations need them
    from rankeval.trec_eval import recall_scan as retrieved_levels

    pairs = _pairs(table)

    def rank_biased(one: gain_table.GainTable, levels: Sequence[int]) -> float:
        return gain_table.rbp(one, levels, p)

    measures: Mapping[str, Callable[[gain_table.GainTable, Sequence[int]], float]] = {
        "nDCG": gain_table.ndcg,
        "DCG": gain_table.dcg,
        "IDCG": gain_table.ideal_dcg,
        "nDCG_rel": gain_table.ndcg_rel,
        "Rndcg": gain_table.rndcg,
        "G": gain_table.cost_gain,
        "RBP": rank_biased,
    }
    grades = np.trunc(judged.judged_grade).astype(int).tolist()
    alone = [retrieved_levels.UNJUDGED] if placeholder else []
    # Topic by topic: a table orders the grades of each topic anew.
    values = np.array(
        [
            measures[of](
                gain_table.GainTable.from_pairs(pairs, grades[start:stop]), levels or alone
            )
            for (start, stop), levels in zip(
                pairwise(judged.judged_offsets.tolist()),
                retrieved_levels.levels_by_rank(judged),
                strict=True,
            )
        ],
        dtype=float,
    )
    if of == "Rndcg":
        values = np.where(judged.count_judged(min_grade=rel) > 0, values, 0.0)
    return np.where(np.isfinite(values), values, np.nan)

"""Coverage of the catalogue."""

from rankeval.measures.arithmetic.exposure import Exposure
from rankeval.measures.declare.definition import RequiredCutoff
from rankeval.measures.declare.needs import CATALOG
from rankeval.measures.recommenders.of_runs import of_run


@of_run("Coverage", aliases=("CatalogCoverage", "ItemCoverage"), needs=(CATALOG,))
def coverage(exposure: Exposure, *, cutoff: RequiredCutoff) -> float:  # noqa: ARG001  counted already
    """Catalogue coverage at k: share of the catalogue that is recommended to any user.

        Coverage@k = |items among the first k of any list| / |catalogue|

    Example: a catalogue of 5 items, of which the lists a b, a c and b a are shown.

        Coverage@2 = |{a, b, c}| / 5 = 0.6        Coverage@1 = |{a, b}| / 5 = 0.4

    All topics of the run count, also those without judgments.

    Edge cases
        - A run that recommends nothing: 0.
        - An item that the catalogue lacks, or more items than it has: an error.

    Differences
        - RecTools: CatalogCoverage(normalize=True). It also counts items outside the catalogue.

    Source
        Herlocker, Konstan, Terveen and Riedl, "Evaluating collaborative filtering recommender
        systems", ACM TOIS 22(1), 2004; Ge, Delgado-Battenfeld and Jannach, "Beyond accuracy",
        RecSys 2010.
    """
    return len(exposure.counts) / exposure.catalogue

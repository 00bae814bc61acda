"""A kind of plot that rankeval lacks, added as its own ones are: cumulative gain by rank."""

from rankeval.evaluation.results import Results
from rankeval.plots.kinds import KINDS, Choices, Kind
from rankeval.plots.lines import Lines, lines_of, swept


def gain(results: Results, _: str, __: Choices) -> Lines:
    """Return the cumulative gain of the first k documents, averaged over topics."""
    (found,) = swept(results, "gain", "DCG")
    lines = lines_of(results, ("rank", "gain"), found.places, found.means)
    return Lines("gain", ("rank", "cumulative gain"), lines)


KINDS["gain"] = Kind(
    "cumulative gain by rank", __name__, "DCG(dcg='jk',base=1000)@1", over="cutoff"
)

"""Suggest why no document of a run is judged, from the first docnos of the run."""

from collections.abc import Sequence
from contextlib import closing

from rankeval.base.wording import listed
from rankeval.evaluation.results import Notice
from rankeval.io.formats.file_format import Form
from rankeval.io.sources.blocks import is_rereadable
from rankeval.io.topic_order import itself
from rankeval.ranking.chunks import document_of_chunk, folded
from rankeval.ranking.qrels import Qrels
from rankeval.ranking.run_source import RunSource

SAMPLE = 10_000
"""Docnos of the run that are looked at."""


def no_match_notice(qrels: Qrels, run: RunSource, form: Form) -> Notice:
    """Return a warning that no document of the run is judged, with the likely reason."""
    return Notice(f"no document of the run is judged: {likely_reason(qrels, _sample(run, form))}")


def _sample(run: RunSource, form: Form) -> list[bytes]:
    """Return the first docnos of a run; none of a pipe, which can be read only once."""
    if run.is_file and not is_rereadable(run.path):
        return []
    with closing(run.map_parts(form, itself)) as parts:
        first = next(parts, None)
    return [] if first is None else first.docnos.tolist()[:SAMPLE]


def likely_reason(qrels: Qrels, names: Sequence[bytes]) -> str:
    """Return the likely reason why none of some docnos is judged for its topic."""
    judged = frozenset(qrels.docnos.names)
    elsewhere = [name for name in names if name in judged]
    if elsewhere:
        return (
            f"documents such as {listed(elsewhere[:1])} are judged for other topics; check that "
            "run and qrels number the topics alike"
        )
    forms = {folded(name): name for name in judged}
    for name in names:
        if folded(name) in forms:
            return (
                "docnos differ by case or blanks: the run has "
                f"{listed([name])}, the qrels {listed([forms[folded(name)]])}"
            )
    for name in names:
        chunk = document_of_chunk(name, judged)
        if chunk is not None:
            document, separator = chunk
            return (
                f"docnos look like chunks: the run has {listed([name])}, the qrels "
                f"{listed([document])}; try --collapse-sep '{separator.decode()}'"
            )
    has = f"; the run has {listed(names[:1])}, the qrels {listed(qrels.docnos.names[:1])}"
    return f"the run may be of another collection{has if names else ''}"

"""The printer of a comparison."""

from functools import partial

from rankeval.choices import Format
from rankeval.documents.comparison import document, records
from rankeval.render import comparison_data, papers
from rankeval.render.comparison import Parts
from rankeval.render.printer import Printer
from rankeval.tasks.compare.compare import Comparison


def comparison_printer(parts: Parts) -> Printer[Comparison]:
    """Return the printer of the parts of a comparison that are asked for."""
    return Printer[Comparison](
        document=lambda found, _: document(found, by_topic=parts.by_topic, power=parts.power),
        records=lambda found, _: records(found, by_topic=parts.by_topic, power=parts.power),
        drawings={
            Format.TABLE: partial(papers.text, parts=parts),
            Format.TSV: partial(comparison_data.tsv, parts=parts),
            Format.CSV: partial(comparison_data.csv_, parts=parts),
            Format.MARKDOWN: partial(papers.markdown, parts=parts),
            Format.LATEX: partial(papers.latex, parts=parts),
        },
    )

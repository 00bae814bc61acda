"""The tables of an evaluation with letters for significant differences from a baseline."""

from collections.abc import Iterator
from dataclasses import replace

from rankeval.commands.compare import show as comparisons
from rankeval.commands.compare.show import letters_words, method_words, significant
from rankeval.commands.compare.task import Comparison
from rankeval.evaluation.results import Results
from rankeval.evaluation.saved_results import document
from rankeval.evaluation.show import PRINTER, blocks
from rankeval.output.document_form import Document
from rankeval.output.output_formats import Printer
from rankeval.output.style import Style
from rankeval.output.tables import Block


def results_beside(comparison: Comparison) -> Printer[Results]:
    """Return the printer of results with the significant differences from a baseline.

    Documents have more keys:

    =========== ================================ ===================================================
    baseline    NotRequired[str]                 name of the run that the others are compared with
    method      NotRequired[comparisons._method] the way to compare
    comparisons NotRequired[list[Pair]]          one object for each averaged measure and run
    =========== ================================ ===================================================
    """
    baseline = comparison.runs[0].name

    def with_letters(results: Results, style: Style) -> Iterator[Block]:
        letters = letters_words(comparison, signs=style.signs)
        caption = f"{letters} {method_words(comparison, intervals=False)}"
        return blocks(results, style, significant(comparison), caption)

    def with_comparisons(results: Results, style: Style) -> Document:
        compared = comparisons.document(comparison)
        shared = {name: compared[name] for name in ("method", "comparisons")}
        return {**document(results, style), "baseline": baseline, **shared}

    return replace(PRINTER, blocks=with_letters, document=with_comparisons)

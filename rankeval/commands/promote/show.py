"""Write the new baselines, and print their content or why they are unchanged."""

from collections.abc import Iterator

from rankeval.commands.gate.reports.gate_tables import headline
from rankeval.commands.gate.reports.written_baselines import (
    print_lines,
    told_means,
    write_baselines,
)
from rankeval.commands.promote.task import Promotion
from rankeval.errors import printable


def write_promotion(promotion: Promotion) -> None:
    """Write the baselines of all suites, or none; then say so."""
    write_baselines(promotion.baselines)
    print_lines(lines(promotion))


def lines(promotion: Promotion) -> Iterator[str]:
    """Yield the verdict, and the new content of each baseline."""
    yield printable(headline(promotion.report))
    if not promotion.baselines:
        yield "No baseline was changed; --allow-failing stores candidates that break rules, too."
    yield from told_means(promotion.baselines)

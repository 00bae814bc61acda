"""Results in trec_eval's layout, for programs that read it: measure, topic or all, value."""

from collections.abc import Iterator
from itertools import groupby

from rankeval.documents.values import ALL, decimal, lines, several_topics, signatures
from rankeval.evaluation.results import Results
from rankeval.render import escape
from rankeval.render.style import Style
from rankeval.support.numbers import finite
from rankeval.support.visible import visible


def trec(results: Results, style: Style) -> Iterator[str]:
    """Print "%-22s\\t%s\\t%6.4f", counts as integers.

    As from trec_eval, topics come first and an undefined value has no line. Of several runs,
    each begins with its name in trec_eval's `runid` line. A value over a group stands beside
    `all:GROUP`, before those over all. Signatures are comments at the end.
    """
    for run, values in groupby(lines(results, style), key=lambda line: line.run):
        if len(results.runs) > 1:
            yield _line("runid", ALL, escape.trec(run))
        for line in values:
            if finite(line.value) is not None:
                topic = (
                    escape.trec(several_topics(line.group))
                    if line.topic is None
                    else escape.topic(escape.trec(line.topic))
                )
                number = decimal(line.value, line.digits, undefined="")
                number = number.rjust(6 if line.digits else 0)  # trec_eval's %6.4f and %ld
                yield _line(escape.trec(line.measure), topic, number)
    if style.signature:
        for name, signature in signatures(results, style):
            yield f"# {visible(name)}\t{visible(signature)}\n"


def _line(name: str, topic: str, value: str) -> str:
    return f"{name:<22}\t{topic}\t{value}\n"

"""Whole numbers in a third column: MS MARCO's ranks where they count up for each topic."""

from collections.abc import Sequence

import numpy as np

from rankeval.base.arrays import Floats
from rankeval.base.frozen import frozen
from rankeval.base.wording import listed
from rankeval.errors import InputError
from rankeval.io.parsers.columns import Columns, stretches


@frozen(eq=False)
class Steps:
    """The ranks of some lines: the first and the last one of each stretch of one topic.

    `wrong` is the index of the first stretch whose ranks do not count up by one, and the row there.
    """

    topics: Sequence[bytes]
    first: Floats
    last: Floats
    lines: Sequence[int]
    wrong: tuple[int, int, float] | None


def steps_of(columns: Columns) -> Steps:
    """Return the ranks of some lines, whose scores are the ranks below zero."""
    values, starts, lines = columns.values, columns.starts, columns.lines
    jumps = values[:-1] - values[1:] != 1
    jumps[starts[1:-1] - 1] = False  # to the next stretch
    wrong = None
    if jumps.any():
        row = int(np.argmax(jumps)) + 1
        wrong = int(stretches(columns)[row]), int(lines[row]), 0.0 - float(values[row])
    first, last = starts[:-1], starts[1:] - 1
    # numpy would go through a range number by number
    of_first = first + lines.start if isinstance(lines, range) else np.asarray(lines)[first]
    return Steps(columns.topics, 0.0 - values[first], 0.0 - values[last], of_first.tolist(), wrong)


class RanksInDoubt:
    """The last rank of each topic so far; a topic may come back later in the file."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._last: dict[bytes, float] = {}

    def go_on(self, steps: Steps) -> None:
        """Add the next lines; InputError for the first rank that does not count up."""
        stretches = zip(
            steps.topics, steps.first.tolist(), steps.last.tolist(), steps.lines, strict=True
        )
        for i, (topic, first, last, line) in enumerate(stretches):
            before = self._last.get(topic)
            if first not in (0, 1) if before is None else first != before + 1:
                raise self._refused(topic, line, first)
            if steps.wrong is not None and steps.wrong[0] == i:
                raise self._refused(topic, *steps.wrong[1:])
            self._last[topic] = last

    def _refused(self, topic: bytes, line: int, number: float) -> InputError:
        return InputError(
            f"the third column may hold ranks or scores: {number:g} in topic {listed([topic])}",
            place=f"{self._name}:{line}",
            expected="ranks that count up from 1 in each topic, as MS MARCO's do",
            remedy="if they are ranks, name --run-format msmarco (convert: --from msmarco); if "
            "they are scores, name the columns in a first line: topic docno score",
        )

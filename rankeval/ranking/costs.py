"""Costs of reading documents, such as seconds or characters: a file of docno and cost."""

import math
from collections.abc import Mapping
from functools import cached_property

import numpy as np

from rankeval.base.arrays import Floats, Integers, short_digest
from rankeval.base.frozen import frozen
from rankeval.base.wording import count, quoted
from rankeval.errors import InputError, UsageError
from rankeval.io.parsers.columns import Docnos, number_or_nan
from rankeval.io.python_values import as_bytes
from rankeval.io.sources.blocks import data_lines, display_name
from rankeval.ranking.judged_lines import DistinctDocnos

EXPECTED = "docno cost, a finite number above 0"


@frozen(eq=False)
class DocumentCosts:
    """The cost of each document: that of docno number i of `docnos` is `cost[i]`."""

    path: str
    docnos: DistinctDocnos
    cost: Floats

    @cached_property
    def digest(self) -> str:
        """Return twelve hexadecimal digits of the SHA-256 of the costs in sorted order."""
        lines = sorted(
            b"%b %b\n" % (name, f"{cost:.17g}".encode())
            for name, cost in zip(self.docnos.names, self.cost.tolist(), strict=True)
        )
        return short_digest(lines)

    def of_documents(self, docnos: Docnos, rows: Integers) -> Floats:
        """Return the costs of the documents in some rows; InputError if one has no cost."""
        wanted = docnos.take(rows)
        found, number = wanted.find(self.docnos)
        if len(found) < len(wanted):
            lacking = int(np.setdiff1d(np.arange(len(wanted)), found)[0])
            raise InputError(
                f"the document {quoted(wanted[lacking])} of the run has no cost",
                place=self.path,
                expected="a cost for every document of a run, down to rank 1000",
                remedy="add its line",
            )
        return self.cost[number]


def read_costs(path: str) -> DocumentCosts:
    """Read lines of docno and cost; InputError names the line that is wrong."""
    name = display_name(path)
    costs: dict[bytes, float] = {}
    for line, text in data_lines(path):
        fields, place = text.split(), f"{name}:{line}"
        if len(fields) != 2:
            raise InputError(
                f"found {count(len(fields), 'column')}: {quoted(text.strip())}",
                place=place,
                expected=EXPECTED,
            )
        if fields[0] in costs:
            raise InputError(
                f"document {quoted(fields[0])} has a cost already",
                place=place,
                expected="each document once",
                remedy="drop one of the two lines",
            )
        cost = number_or_nan(fields[1])
        if not 0 < cost < math.inf:
            problem = f"the cost {quoted(fields[1])} is not possible"
            raise InputError(problem, place=place, expected=EXPECTED)
        costs[fields[0]] = cost
    if not costs:
        raise InputError("has no costs", place=name, expected=f"lines of {EXPECTED}")
    return _table(name, costs)


def costs_of(mapping: Mapping[str, float]) -> DocumentCosts:
    """Build costs from {docno: cost}."""
    for docno, cost in mapping.items():
        if not 0 < cost < math.inf:
            raise UsageError(
                f"the cost {cost!r} of document '{docno}' is not possible", expected=EXPECTED
            )
    return _table(
        "costs", {as_bytes(docno, "docno"): float(cost) for docno, cost in mapping.items()}
    )


def _table(name: str, costs: Mapping[bytes, float]) -> DocumentCosts:
    docnos = DistinctDocnos({docno: number for number, docno in enumerate(costs)})
    return DocumentCosts(name, docnos, np.array(list(costs.values()), dtype=float))

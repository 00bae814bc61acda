"""Columns that no file gave: one name on every line, and whole numbers."""

import numpy as np

from rankeval.base.arrays import Integers
from rankeval.io.columns import Docnos
from rankeval.io.plain_parser import PlainDocnos


def repeated_name(name: bytes, beside: Docnos) -> Docnos:
    """Return a column of one name, as long as another column and of its kind."""
    if isinstance(beside, PlainDocnos):
        return PlainDocnos([name] * len(beside))
    from rankeval.io.arrow_parser import ArrowDocnos, as_names

    return ArrowDocnos(as_names([name])).take(np.zeros(len(beside), dtype=np.int64))


def whole_numbers(numbers: Integers, like: Docnos) -> Docnos:
    """Return numbers from 1 on as names, in a column of the kind of another."""
    names = [b"%d" % number for number in range(int(numbers.max(initial=0)) + 1)]
    if isinstance(like, PlainDocnos):
        return PlainDocnos([names[number] for number in numbers.tolist()])
    from rankeval.io.arrow_parser import ArrowDocnos, as_names

    return ArrowDocnos(as_names(names)).take(numbers)

"""Files of what each run costs: a header, then lines of run and number."""

import math

from rankeval.base.frozen import frozen
from rankeval.base.wording import count, decoded, quoted
from rankeval.errors import InputError
from rankeval.io.parsers.plain_parser import decimal_number
from rankeval.io.sources.blocks import blocks, display_name


@frozen
class RunCosts:
    """The cost of each run, by name, and what the header calls it."""

    name: str
    by_run: dict[str, float]


def read_run_costs(path: str) -> RunCosts:
    """Read what each run costs; InputError names the line that is wrong.

    The header has two names, such as `run` and `ms per query`; columns are separated by a tab, or
    else by white space. Lines that begin with # are left out.
    """
    place = display_name(path)
    header: list[bytes] | None = None
    costs: dict[str, float] = {}
    for block, first_line in blocks(path):
        for number, line in enumerate(block.splitlines(), first_line):
            if not line.strip() or line.startswith(b"#"):
                continue
            fields = [f.strip() for f in line.split(b"\t")] if b"\t" in line else line.split()
            where = f"{place}:{number}"
            if len(fields) != 2:
                raise InputError(
                    f"found {count(len(fields), 'column')}: {quoted(line.strip())}",
                    place=where,
                    expected="a run and its cost",
                    remedy="separate columns by one tab when a name holds blanks",
                )
            if header is None:
                header = _header(fields, where)
                continue
            run = decoded(fields[0])
            if run in costs:
                raise InputError(
                    f"the run {quoted(fields[0])} stands here again",
                    place=where,
                    expected="each run once",
                    remedy="drop one of the two lines",
                )
            costs[run] = _cost(fields[1], where)
    if header is None or not costs:
        raise InputError(
            "holds no run", place=place, expected="a header, then lines of run and number"
        )
    return RunCosts(decoded(header[1]), costs)


def _header(fields: list[bytes], where: str) -> list[bytes]:
    try:
        decimal_number(fields[1])
    except ValueError:
        return fields
    raise InputError(
        f"found a number in the first line: {quoted(fields[1])}",
        place=where,
        expected="a header such as run<TAB>milliseconds",
        remedy="add a first line that names the cost",
    )


def _cost(text: bytes, where: str) -> float:
    try:
        cost = decimal_number(text)
    except ValueError:
        cost = math.nan
    if not math.isfinite(cost):
        raise InputError(
            f"the cost {quoted(text)} is not possible", place=where, expected="a finite number"
        )
    return cost

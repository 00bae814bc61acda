"""The page of measures and oracles on the site: a row for each measure, the others folded."""

import re
from textwrap import indent

ROW = re.compile(r"^\| `(\w+)[^|]*\| ([^(|]+?) (?:\([^|]*)?\| ([\d,]+) \| (\S+) \|\n", re.MULTILINE)
TABLE = re.compile(r"^\| measure \| oracle .*\n(?:\|.*\n)+", re.MULTILINE)


def shortened(page: str) -> str:
    """Return the page with its long table folded, below one with a row for each measure."""
    return TABLE.sub(lambda table: _both(table[0]), page, count=1)


def tools(page: str) -> dict[str, list[str]]:
    """Return the other tools that each measure is compared with."""
    found: dict[str, dict[str, None]] = {}
    for measure, oracle, *_ in ROW.findall(page):
        if oracle != "plain loop":
            found.setdefault(measure, {})[oracle.partition(" ")[0]] = None
    return {measure: list(of_measure) for measure, of_measure in found.items()}


def _both(table: str) -> str:
    differences: dict[str, dict[str, float]] = {}
    values: dict[str, int] = {}
    for measure, oracle, count, difference in ROW.findall(table):
        of_measure = differences.setdefault(measure, {})
        of_measure[oracle] = max(float(difference), of_measure.get(oracle, 0.0))
        values[measure] = values.get(measure, 0) + int(count.replace(",", ""))
    rows = [
        "| measure | compared with (largest difference, unless 0) | values |",
        "| :--- | :--- | ---: |",
    ]
    for measure, of_measure in differences.items():
        oracles = ", ".join(
            f"{oracle} ({difference:.0e})" if difference else oracle
            for oracle, difference in of_measure.items()
        )
        rows.append(f"| `{measure}` | {oracles} | {values[measure]:,} |")
    short = '<div class="dense" markdown>\n\n' + "\n".join(rows) + "\n\n</div>"
    return f'{short}\n\n??? info "Every comparison, with versions"\n\n{indent(table, "    ")}\n'

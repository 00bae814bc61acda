"""The tools that each measure is compared with, as the page of measures and oracles lists them."""

import re

ROW = re.compile(r"^\| `(\w+)` \| (.+) \| [\d,]+ \|$", re.MULTILINE)


def tools(page: str) -> dict[str, list[str]]:
    """Return the other tools that each measure is compared with."""
    return {
        measure: [
            one for one in re.sub(r" \([^)]*\)", "", oracles).split(", ") if one != "plain loop"
        ]
        for measure, oracles in ROW.findall(page)
    }

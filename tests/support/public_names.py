"""The public names of the root and of its doors, with the objects that they name."""

import rankeval

DOORS = ("advanced", "options", "types")
"""Modules beside the root that only hand names on."""

PUBLIC = {
    **{name: getattr(rankeval, name) for name in rankeval.__all__},
    **{
        f"{door}.{name}": getattr(getattr(rankeval, door), name)
        for door in DOORS
        for name in dir(getattr(rankeval, door))
        if not name.startswith("_")
    },
}
"""Every public object by its name behind `rankeval.`, such as evaluate and options.Settings."""

MEASURES = {name for name, found in PUBLIC.items() if isinstance(found, rankeval.Measure)}
"""The names of measures."""


def bare(name: str) -> str:
    """Return a name without its door."""
    return name.rpartition(".")[2]

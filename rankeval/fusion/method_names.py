"""The names of methods and normalisations, which --help needs without numpy."""

METHOD_NAMES = (
    *("rrf", "combsum", "combmnz", "combanz", "combmin", "combmax", "combmed", "combgmnz"),
    *("isr", "log-isr", "logn-isr", "borda", "condorcet", "rbc", "wsum", "wmnz", "mixed"),
    *("wborda", "wcondorcet", "mapfuse", "posfuse", "probfuse", "segfuse", "slidefuse"),
    "bayesfuse",
)
"""The names of all methods, in the order of --help."""

NORMALISATION_NAMES = ("min-max", "max", "sum", "z-score", "rank", "borda", "none")
"""The names of the normalisations."""

POOL_ORDERS = ("depth", "rrf", "rbp", "max-rank", "mtf")
"""The orders in which a pool is judged."""

"""The command line: the app, and the options that commands share."""

from rankeval.version import __version__

COMMANDS = {
    "eval": "evaluate",
    "compare": "compare",
    "diff": "diff",
    "gate": "gate",
    "explain": "explain_topic",
    "check": "check_files",
    "plot": "plot",
    "report": "report",
    "measures": "show_measures",
    "convert": "convert_file",
    "trec_eval": "trec_eval",
    "topics": "topics",
    "fuse": "fuse_runs",
    "pool": "pool_runs",
    "judges": "judges",
    "systems": "systems",
    "nuggets": "nuggets",
    "estimate": "estimate",
    "init": "init",
}
"""The commands in the order of the help: the folder, and the function in its module `command`."""

SPECIALISED = ("judges", "systems", "nuggets", "estimate", "init")
"""Commands that few need, which the help lists apart."""

GROUPS = {
    "score": ("eval", "nuggets", "measures", "trec_eval"),
    "compare": ("compare", "systems", "gate", "init"),
    "look": ("diff", "explain", "topics", "plot", "report"),
    "judge": ("judges", "estimate", "pool"),
    "files": ("check", "convert", "fuse"),
}
"""The commands by purpose."""


def print_version() -> None:
    """Print the version, and which reader is in use."""
    from rankeval.io.blocks import reader

    print(f"rankeval {__version__} ({reader()})")  # noqa: T201  what --version is for

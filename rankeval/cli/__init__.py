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
    "compare": (
        "compare",
        "systems",
        "gate",
        "init",
    ),
    "look": ("diff", "explain", "topics", "plot", "report"),
    "judge": ("judges", "estimate", "pool"),
    "files": ("check", "convert", "fuse"),
}
"""The commands by purpose."""

GONE = {
    "help": "`rankeval COMMAND --help` explains a command, `rankeval --help` lists them",
    "trend": "`gate --append` keeps a line of JSON for each gate, which ten lines of pandas read",
    "reproduce": "repro_eval measures how close a reproduction comes; `rankeval compare` and "
    "`rankeval diff` compare two runs",
    "merge": "evaluate the files as one run: `cat A.run B.run | rankeval QRELS -`",
    "preferences": "choix fits Bradley and Terry's model to votes between two answers",
    "promote": "`rankeval gate --update-baseline` stores candidates that pass as the "
    "baselines of one suite or all",
    "rebaseline": "`rankeval eval NEW.qrels PRODUCTION.run -q -o baseline.json` "
    "evaluates the run in production anew",
}
"""Words that were commands before the first release, and what to do instead."""


def print_version() -> None:
    """Print the version, and which reader is in use."""
    from rankeval.io.kernel_library import reader

    print(f"rankeval {__version__} ({reader()})")  # noqa: T201  what --version is for

"""The command line: the app, and the options that commands share."""

COMMANDS = {
    "eval": "evaluate",
    "compare": "compare",
    "diff": "diff",
    "gate": "gate",
    "init": "init",
    "measures": "show_measures",
    "explain": "explain_topic",
    "judges": "judges",
    "estimate": "estimate",
    "systems": "systems",
    "topics": "topics",
    "nuggets": "nuggets",
    "plot": "plot",
    "report": "report",
    "check": "check_files",
    "convert": "convert_file",
    "fuse": "fuse_runs",
    "pool": "pool_runs",
    "trec_eval": "trec_eval",
}
"""The commands in the order of the help: the folder, and the function in its module `command`."""

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
    "merge": "evaluate the whole run, whose topics `cat` puts together",
    "preferences": "choix fits Bradley and Terry's model to votes between two answers",
    "promote": "`rankeval gate --update-baseline` stores candidates that pass as the "
    "baselines of one suite or all",
    "rebaseline": "`rankeval eval NEW.qrels PRODUCTION.run -q -o baseline.json` "
    "evaluates the run in production anew",
}
"""Words that were commands before the first release, and what to do instead."""

"""The command line: one thin module per command, options they share in `options`."""

COMMANDS = {
    "eval": "evaluate",
    "compare": "compare",
    "diff": "diff",
    "gate": "gate",
    "trend": "trend",
    "measures": "show_measures",
    "explain": "explain_topic",
    "judges": "judges",
    "systems": "systems",
    "topics": "topics",
    "reproduce": "reproduce",
    "nuggets": "nuggets",
    "plot": "plot",
    "report": "report",
    "merge": "merge",
    "check": "check_files",
    "convert": "convert_file",
    "fuse": "fuse_runs",
    "pool": "pool_runs",
    "trec_eval": "trec_eval",
}
"""The commands in the order of the help: module name, and name of the function in it."""

"""The command line: one thin module per command, options they share in `options`."""

COMMANDS = {
    "eval": "evaluate",
    "measures": "show_measures",
    "explain": "explain_topic",
}
"""The commands, and the function in the module of the same name that each one is."""

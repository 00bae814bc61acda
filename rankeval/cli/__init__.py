"""The command line: one thin module per command, options they share in `options`."""

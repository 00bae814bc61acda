"""The command `rankeval trec_eval`."""

"""The command trec_eval: its flags, names, output and quirks, computed by rankeval.measures.

`command` runs it. It reads the command line (`flags`), judgments and a run (`files`), chooses
topics, computes `measures`, and prints them. `tabulated` and `preferences` are the measures that
only trec_eval has.
"""

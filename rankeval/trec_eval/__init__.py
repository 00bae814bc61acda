"""The command trec_eval: its flags, names, output and quirks, computed by rankeval.measures.

`command` runs it. It reads the command line (`flags`), judgments (`judgment_files`, `groups`,
`preferences`) and a run (`ranking`), chooses `topics`, computes the measures of the `catalogue`
(`binary`, `graded`, `groups`, `preference_measures`) and their `summaries`, and prints them
(`output`). `version` lists the differences between versions 9 and 10.
"""

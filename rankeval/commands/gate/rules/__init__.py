"""Rules of a gate: a record for each kind, and how rules are read, judged and worded.

`all_kinds` has the records (`rule_kind`) of all kinds: a new kind is one more there.
"""

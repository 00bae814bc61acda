"""Rules of a gate: a record for each kind, and how rules are read, judged and worded.

A family of kinds is a module (`drops`, `means`, `topic_drops`), and `all_kinds` lists the records
(`rule_kind`): a new kind is a module and a line there.
"""
